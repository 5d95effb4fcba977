import type { TestStack } from '@gateway/testing';
import { ExampleResources } from './example-values.js';
import type { PageValues } from './how-to-programs.js';

const FIRST_ENDPOINT = `'$(curl -s $ACCOUNT/account/webhook-endpoints -H "Authorization: Bearer $SESSION" | field 'data[0].id')'`;

/** What readers of the pages have or fill in. `task` is one that has ended. */
export async function pageValues(stack: TestStack, webhookBase: string): Promise<PageValues> {
  const own = await stack.createCustomer({ creditUsd: '100', limits: { rpm: 0, concurrency: 0 } });
  const { accountUrl, adminToken, databaseUrl, mcpUrl = '' } = stack.system;
  return {
    gateway: { baseUrl: stack.baseUrl, accountUrl, apiKey: own.apiKey, demoEmail: own.email, adminToken, databaseUrl },
    environment: {
      BASE: stack.baseUrl,
      ACCOUNT: accountUrl,
      KEY: own.apiKey,
      SESSION: own.token,
    },
    filled: [
      [/^ID=task_….*$/gm, `ID=${await new ExampleResources(stack, own, webhookBase).task()}`],
      // The page has registered an endpoint in its own account.
      ['we_…', FIRST_ENDPOINT],
      ['http://localhost:8085/mcp', mcpUrl],
      // A system admits an address once.
      [/\b(you|me|ada)@example\.com/g, `$1-${own.accountId}@example.com`],
      ['invoice-17', own.accountId],
    ],
  };
}
