import { z } from 'zod';
import type { FreeTool, JsonObject } from '../tool.js';
import { dataResult, gatewayFacts } from './content.js';

export const getBalance: FreeTool = {
  kind: 'free',
  name: 'get_balance',
  title: 'Get the balance',
  description: 'Returns the prepaid balance of the account in US dollars, and how much of it running calls hold.',
  input: z.looseObject({}),
  hints: {},
  output: z.looseObject({
    balance_usd: z.string(),
    held_usd: z.string(),
    available_usd: z.string(),
    gateway: gatewayFacts,
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },

  async run(_args, { account }) {
    const response = await account.request({ method: 'GET', path: '/account/balance' });
    return dataResult(await response.json<JsonObject>(), response.facts);
  },
};
