import type { PassThroughResponse } from '@gateway/contracts';
import type { UpstreamFailure } from '../protocol.js';

export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object that a field holds, or an empty one: errors are read as far as they can be, never refused. */
export const objectAt = (object: JsonObject, key: string): JsonObject => {
  const value = object[key];
  return isJsonObject(value) ? value : {};
};

export const stringAt = (object: JsonObject, key: string): string => {
  const value = object[key];
  return typeof value === 'string' ? value : '';
};

/** The JSON object of an error body, out of the array that some upstreams wrap it in; undefined if it is not JSON. */
export function errorObjectOf(body: Uint8Array): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    const bare: unknown = Array.isArray(value) ? value[0] : value;
    return isJsonObject(bare) ? bare : undefined;
  } catch {
    // A page of a proxy: what it means is decided by the status alone.
    return undefined;
  }
}

/** An upstream's error as the client gets it: the bytes that came, unless they had to be unwrapped. */
export function passThroughOf(
  failure: UpstreamFailure,
  object: JsonObject | undefined,
): PassThroughResponse | undefined {
  if (object === undefined) return undefined;
  const text = Buffer.from(failure.body).toString('utf8');
  return {
    status: failure.status,
    contentType: failure.headers['content-type'] ?? 'application/json',
    body: text.trimStart().startsWith('[') ? JSON.stringify(object) : text,
  };
}
