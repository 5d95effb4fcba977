import type { NativeTaskRecord } from '@gateway/contracts';
import { isJsonObject } from '../failures/error-body.js';
import { malformedResponse, parseUpstreamJson } from '../failures/malformed-response.js';

/** An upstream's JSON object. Throws a GatewayError (`upstream_error`) on anything else. */
export function readRecord(body: Uint8Array): NativeTaskRecord {
  const value = parseUpstreamJson(body);
  if (!isJsonObject(value)) throw malformedResponse();
  return value;
}

const MAX_TASK_ID_LENGTH = 256;

/** The id that a task was given. Throws a GatewayError (`upstream_error`) if it is none: the task may run all the same. */
export function readTaskId(id: unknown): string {
  if (typeof id !== 'string' || id === '' || id.length > MAX_TASK_ID_LENGTH) throw malformedResponse();
  return id;
}

/** The address of a file; undefined for what is none. */
export const readUrl = (value: unknown): string | undefined =>
  typeof value === 'string' && /^https?:\/\//.test(value) ? value : undefined;

/** A length in seconds, as the first of these says it; none is a length too, and is not what was asked for. */
export const readSeconds = (...values: readonly unknown[]): number | undefined =>
  values.find((value): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0);

/** Per cent. */
export const readProgress = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && value <= 100 ? value : undefined;

export const readSeed = (...values: readonly unknown[]): number | undefined =>
  values.find((value): value is number => Number.isSafeInteger(value));

/** Only the fields that are there. */
export const present = <Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: NonNullable<Fields[Name]>;
  };
