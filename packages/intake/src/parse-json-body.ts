import { isUtf8 } from 'node:buffer';
import { GatewayError } from '@gateway/contracts';
import { rejectDeepJson } from './reject-deep-json.js';
import { rejectOversizedJson } from './reject-oversized-json.js';

/** A parsed request body. */
export interface JsonBody {
  readonly fields: Record<string, unknown>;
  /**
   * The body to send on: the client's own bytes, unless an object repeats a name. Parsers differ in which value they take, so
   * such a body is rewritten without the values that were not validated.
   */
  readonly bytes: Buffer;
}

/**
 * Parses a body that must be a JSON object. Throws `invalid_json` with the parser's message, which names the position.
 * Throws a 400 that names a field nested too deep, or the exceeded limit.
 */
export function parseJsonBody(body: unknown): JsonBody {
  if (!Buffer.isBuffer(body) || body.length === 0) {
    throw new GatewayError('invalid_json', 'The request has no body: expected a JSON object.');
  }
  // A decoder inserts replacement characters silently: the customer would pay for a prompt that was never written.
  if (!isUtf8(body)) throw new GatewayError('invalid_json', 'The body of the request is not valid UTF-8.');
  const { names } = rejectOversizedJson(body);
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : 'not JSON';
    throw new GatewayError('invalid_json', `We could not parse the JSON body of your request: ${reason}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new GatewayError('invalid_json', 'The body of the request must be a JSON object.');
  }
  const namesParsed = rejectDeepJson(value);
  return {
    fields: value as Record<string, unknown>,
    bytes: namesParsed === names ? body : Buffer.from(JSON.stringify(value)),
  };
}
