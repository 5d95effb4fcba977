import { isJsonObject, type JsonObject, type PassThroughResponse } from '@gateway/contracts';
import type { UpstreamFailure } from '../protocol.js';

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
