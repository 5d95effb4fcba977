import type { PassThroughResponse } from '@gateway/contracts';
import type { UpstreamFailure } from '../protocol.js';

export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object in a field, or an empty one: an odd error body must still be classified. */
export const objectAt = (object: JsonObject, key: string): JsonObject => {
  const value = object[key];
  return isJsonObject(value) ? value : {};
};

export const stringAt = (object: JsonObject, key: string): string => {
  const value = object[key];
  return typeof value === 'string' ? value : '';
};

/** Parses an error body. Unwraps a one-element array, which some upstreams send. Undefined if it is not a JSON object. */
export function errorObjectOf(body: Uint8Array): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    const bare: unknown = Array.isArray(value) ? value[0] : value;
    return isJsonObject(bare) ? bare : undefined;
  } catch {
    // A proxy's HTML page: only the status is known.
    return undefined;
  }
}

/** Passes an upstream's error body to the client, byte for byte unless it was wrapped in an array. */
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
