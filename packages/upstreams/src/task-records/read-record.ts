import { isJsonObject, type NativeTaskRecord } from '@gateway/contracts';
import { malformedResponse, parseUpstreamJson } from '../failures/malformed-response.js';
import { type KnownUsage, unpricedIn } from '../metering/unpriced-usage.js';

/** The fields of a task's usage that may be billed and have no price here, if there are any. */
export function unpricedPart(usage: unknown, known: KnownUsage): { readonly unpriced?: readonly string[] } {
  const unpriced = unpricedIn(usage, known);
  return unpriced.length === 0 ? {} : { unpriced };
}

/** Parses a task record. Throws a GatewayError (`upstream_error`) unless it is a JSON object. */
export function readRecord(body: Uint8Array): NativeTaskRecord {
  const value = parseUpstreamJson(body);
  if (!isJsonObject(value)) throw malformedResponse();
  return value;
}

const MAX_TASK_ID_LENGTH = 256;

/** Validates a task id. Throws a GatewayError (`upstream_error`) if it is unusable. The task may run nevertheless. */
export function readTaskId(id: unknown): string {
  if (typeof id !== 'string' || id === '' || id.length > MAX_TASK_ID_LENGTH) throw malformedResponse();
  return id;
}

/** http(s) URL of a file; undefined for anything else. */
export const readUrl = (value: unknown): string | undefined =>
  typeof value === 'string' && /^https?:\/\//.test(value) ? value : undefined;

/** First valid duration in seconds; 0 is valid. Undefined if there is none. */
export const readSeconds = (...values: readonly unknown[]): number | undefined =>
  values.find((value): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0);

/** Percentage, 0 to 100; undefined for anything else. */
export const readProgress = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && value <= 100 ? value : undefined;

export const readSeed = (...values: readonly unknown[]): number | undefined =>
  values.find((value): value is number => Number.isSafeInteger(value));

/** What xAI bills us is our vendor's price, not the customer's: it is read, and not passed on. */
export function withoutTicks(usage: object): Record<string, unknown> {
  const { cost_in_usd_ticks: _, ...rest } = usage as Record<string, unknown>;
  return rest;
}

/** Dollars of 10¹⁰ ticks each, as xAI reports costs, to nano-USD; rounded up. Undefined for anything else. */
export const readTicks = (ticks: unknown): string | undefined =>
  typeof ticks === 'number' && Number.isSafeInteger(ticks) && ticks >= 0 ? String(Math.ceil(ticks / 10)) : undefined;

/** Removes undefined fields. */
export const definedFields = <Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: NonNullable<Fields[Name]>;
  };
