import { z } from 'zod';
import type { Arguments, JsonObject } from './tool.js';

/** What every paid tool takes besides the arguments of its endpoint, and does not pass on. */
export const OWN_ARGUMENTS = {
  idempotency_key: z.string().min(1).max(255).optional(),
  max_cost_usd: z.union([z.number().min(0), z.string()]).optional(),
};

export const OWN_HINTS = {
  idempotency_key:
    'Makes a repetition safe: the same key with the same arguments gives the first result and is charged once.',
  max_cost_usd: 'Refuses the call, uncharged, if it could cost more than this many US dollars.',
} as const satisfies Record<keyof typeof OWN_ARGUMENTS, string>;

export interface OwnArguments {
  readonly idempotencyKey: unknown;
  readonly maxCostUsd: unknown;
}

/** The two kinds of argument, apart. */
export function splitArguments(given: Arguments): { readonly own: OwnArguments; readonly rest: JsonObject } {
  const { idempotency_key: idempotencyKey, max_cost_usd: maxCostUsd, ...rest } = given;
  return { own: { idempotencyKey, maxCostUsd }, rest };
}
