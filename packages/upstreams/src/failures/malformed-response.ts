import { GatewayError } from '@gateway/contracts';

/** The upstream sent what is not its protocol. Says nothing of what it was: it may hold anything. */
export const malformedResponse = (): GatewayError =>
  new GatewayError('upstream_error', 'The upstream sent an answer that could not be read.');

/** The upstream closed a stream before its own end of answer. */
export const responseCutShort = (): GatewayError =>
  new GatewayError('upstream_error', 'The upstream ended the answer before it was complete.');

/** Parses an upstream's JSON. Throws a GatewayError (`upstream_error`) on anything else. */
export function parseUpstreamJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch {
    throw malformedResponse();
  }
}

/** The text of an upstream's JSON value. JSON nested deeper than the engine can write is not an answer either. */
export function stringifyUpstreamJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    throw malformedResponse();
  }
}
