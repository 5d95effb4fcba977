import { z } from 'zod';
import type { Arguments, FreeTool, JsonObject, PaidTool } from '../tool.js';
import { invalidArgument } from '../tool-failure.js';
import { splitArguments } from './call-options.js';
import { dataResult, gatewayFacts } from './content.js';

/** Creates the quote tool for the given paid tools. */
export function createQuoteTool(paid: readonly PaidTool[]): FreeTool {
  const names = paid.map(({ name }) => name);
  const endpoints = paid.map(({ endpoint }) => endpoint);
  return {
    kind: 'free',
    name: 'quote',
    title: 'Quote a call',
    description:
      'Returns the price of a call before you make it, free of charge: the estimated cost, the maximum that is held, and ' +
      'the balance after it. Takes a tool with its arguments, or an endpoint of the HTTP interface with its body.',
    input: z.looseObject({
      tool: z.enum(names).optional(),
      arguments: z.record(z.string(), z.unknown()).optional(),
      endpoint: z.enum(endpoints).optional(),
      body: z.record(z.string(), z.unknown()).optional(),
    }),
    hints: {
      tool: 'Name of the tool to quote. Give this with arguments.',
      arguments: 'The arguments of that tool.',
      endpoint: 'Instead of tool: an endpoint of the HTTP interface. Give this with body.',
      body: 'The request body for that endpoint.',
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

    async run(args, { account }) {
      const json = quotedRequest(args, paid);
      const response = await account.request({ method: 'POST', path: '/account/quote', json, isReadOnly: true });
      return dataResult(await response.json<JsonObject>(), response.facts);
    },
  };
}

function quotedRequest(args: Arguments, paid: readonly PaidTool[]): JsonObject {
  if (args.tool === undefined) {
    if (args.endpoint === undefined) throw invalidArgument('tool', 'expected the name of a tool, or an endpoint.');
    return { endpoint: args.endpoint, body: args.body ?? {} };
  }
  const tool = paid.find(({ name }) => name === args.tool);
  if (tool === undefined) {
    throw invalidArgument('tool', `expected one of ${paid.map(({ name }) => name).join(', ')}.`);
  }
  const body = tool.bodyOf(splitArguments((args.arguments ?? {}) as Arguments).rest);
  return { endpoint: tool.endpoint, body: tool.quoteBodyOf?.(body) ?? body };
}
