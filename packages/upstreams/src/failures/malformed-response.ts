import { GatewayError, parseExactJson } from '@gateway/contracts';

/** The response violates its protocol. The message quotes nothing of it: it may hold secrets. */
export const malformedResponse = (): GatewayError =>
  new GatewayError('upstream_error', 'The upstream sent a response that could not be read.');

/** The upstream closed a stream before its end marker. */
export const responseCutShort = (): GatewayError =>
  new GatewayError('upstream_error', 'The upstream ended the response before it was complete.');

function parsed(bytes: Uint8Array, parse: (text: string) => unknown): unknown {
  try {
    return parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch {
    throw malformedResponse();
  }
}

/** Parses an upstream's JSON. Throws a GatewayError (`upstream_error`) on anything else. */
export const parseUpstreamJson = (bytes: Uint8Array): unknown => parsed(bytes, (text) => JSON.parse(text));

/** The same for a response whose values are written again: integers keep all their digits. */
export const parseExactUpstreamJson = (bytes: Uint8Array): unknown => parsed(bytes, parseExactJson);

/** Encodes a parsed upstream value. Throws a GatewayError (`upstream_error`) if it is nested too deep to encode. */
export function stringifyUpstreamJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    throw malformedResponse();
  }
}
