import { z } from 'zod';
import { splitArguments } from '../own-arguments.js';
import type { Arguments, FreeTool, JsonObject, PaidTool } from '../tool.js';
import { wrongArgument } from '../tool-failure.js';
import { dataAnswer, gatewayFacts } from './content.js';

/** Tells the price of a call of any of the paid tools. */
export function quoteOf(paid: readonly PaidTool[]): FreeTool {
  const names = paid.map(({ name }) => name);
  const endpoints = paid.map(({ endpoint }) => endpoint);
  return {
    kind: 'free',
    name: 'quote',
    title: 'Quote a call',
    description:
      'Tells what a call would cost before it is made, free of charge: what it is likely to cost, the most that it holds, ' +
      'and what would be left of the balance. Takes a tool with its arguments, or an endpoint of the HTTP interface with its body.',
    input: z.looseObject({
      tool: z.enum(names).optional(),
      arguments: z.record(z.string(), z.unknown()).optional(),
      endpoint: z.enum(endpoints).optional(),
      body: z.record(z.string(), z.unknown()).optional(),
    }),
    hints: {
      tool: 'The tool that would be called. Give this with arguments.',
      arguments: 'The arguments that it would be called with.',
      endpoint: 'In place of tool: the endpoint of the HTTP interface. Give this with body.',
      body: 'The body that it would be sent.',
    },
    output: z.looseObject({
      valid: z.boolean(),
      model: z.string().nullish(),
      estimate_usd: z.string().nullish(),
      hold_usd: z.string().nullish(),
      balance_after_usd: z.string().nullish(),
      gateway: gatewayFacts,
    }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },

    async run(given, { account }) {
      const json = quotedRequest(given, paid);
      const answer = await account.ask({ method: 'POST', path: '/account/quote', json, onlyReads: true });
      return dataAnswer(await answer.json<JsonObject>(), answer.facts);
    },
  };
}

function quotedRequest(given: Arguments, paid: readonly PaidTool[]): JsonObject {
  if (given.tool === undefined) {
    if (given.endpoint === undefined) throw wrongArgument('tool', 'expected the name of a tool, or an endpoint.');
    return { endpoint: given.endpoint, body: given.body ?? {} };
  }
  const tool = paid.find(({ name }) => name === given.tool);
  if (tool === undefined) {
    throw wrongArgument('tool', `expected one of ${paid.map(({ name }) => name).join(', ')}.`);
  }
  const body = tool.bodyOf(splitArguments((given.arguments ?? {}) as Arguments).rest);
  return { endpoint: tool.endpoint, body: tool.quotedAs?.(body) ?? body };
}
