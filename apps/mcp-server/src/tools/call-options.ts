import { z } from 'zod';
import type { Arguments, JsonObject } from '../tool.js';

/** Arguments of every paid tool that never reach the endpoint's body. */
export const CALL_OPTIONS = {
  idempotency_key: z.string().min(1).max(255).optional(),
  max_cost_usd: z.union([z.number().min(0), z.string()]).optional(),
};

export const CALL_OPTION_HINTS = {
  idempotency_key:
    'Makes a retry safe: the same key with the same arguments returns the first result and is charged once.',
  max_cost_usd: 'Refuses the call, uncharged, if it could cost more than this many US dollars.',
} as const satisfies Record<keyof typeof CALL_OPTIONS, string>;

export const MAX_WAIT_SECONDS = 300;

/** Those of a tool whose result may be read later. */
export const LATER_OPTIONS = { ...CALL_OPTIONS, wait_seconds: z.int().min(0).max(MAX_WAIT_SECONDS).optional() };

export const LATER_OPTION_HINTS = {
  ...CALL_OPTION_HINTS,
  wait_seconds:
    'Returns the id of the request instead of its result if it takes longer: read the result with get_result. 0 does not wait.',
} as const satisfies Record<keyof typeof LATER_OPTIONS, string>;

/** Values of the call options, unvalidated. */
export interface CallOptions {
  readonly idempotencyKey: unknown;
  readonly maxCostUsd: unknown;
  readonly waitSeconds: unknown;
}

/** Separates the call options from the endpoint's arguments. */
export function splitArguments(args: Arguments): { readonly options: CallOptions; readonly rest: JsonObject } {
  const { idempotency_key: idempotencyKey, max_cost_usd: maxCostUsd, wait_seconds: waitSeconds, ...rest } = args;
  return { options: { idempotencyKey, maxCostUsd, waitSeconds }, rest };
}
