import { z } from 'zod';
import type { FreeTool, JsonObject } from '../tool.js';
import { dataResult, gatewayFacts } from './content.js';

export const createChildKey: FreeTool = {
  kind: 'free',
  name: 'create_child_key',
  title: 'Create a child key',
  description:
    'Creates an API key for another agent, with a budget and an end. The budget is reserved from what your key may spend; ' +
    'what is left over returns at the end. Only this result shows the key. Your key needs the scope keys:children.',
  isOnRequest: true,
  input: z.looseObject({
    name: z.string(),
    budget_usd: z.string(),
    minutes: z.int().optional(),
    models: z.array(z.string()).optional(),
    endpoints: z.array(z.string()).optional(),
    concurrency: z.int().optional(),
    can_make_children: z.boolean().optional(),
  }),
  hints: {
    name: 'A name for lists and receipts.',
    budget_usd: 'What the key may spend in all, in decimal US dollars such as "2.50".',
    minutes: 'Minutes until the key ends: 1 to 43200, 60 if absent.',
    models: 'Models that the key may use; those of your key if absent.',
    endpoints: 'Endpoints that the key may use, such as chat.completions; those of your key if absent.',
    concurrency: 'How many requests it may run at once.',
    can_make_children: 'Whether the key may make child keys of its own.',
  },
  output: z.looseObject({
    key: z.string(),
    id: z.string(),
    expires_at: z.string().nullish(),
    gateway: gatewayFacts,
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },

  async run(args, { account }) {
    const response = await account.request({ method: 'POST', path: '/account/keys/self/children', json: args });
    return dataResult(await response.json<JsonObject>(), response.facts);
  },
};
