import { z } from 'zod';
import type { FreeTool, JsonObject } from '../tool.js';
import { dataAnswer, gatewayFacts } from './content.js';

export const getBalance: FreeTool = {
  kind: 'free',
  name: 'get_balance',
  title: 'Get the balance',
  description:
    'Tells how much prepaid credit the account has left, in US dollars, and how much of it running work holds.',
  input: z.looseObject({}),
  hints: {},
  output: z.looseObject({
    balance_usd: z.string(),
    held_usd: z.string(),
    available_usd: z.string(),
    gateway: gatewayFacts,
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },

  async run(_given, { account }) {
    const answer = await account.ask({ method: 'GET', path: '/account/balance' });
    return dataAnswer(await answer.json<JsonObject>(), answer.facts);
  },
};
