import { isUtf8 } from 'node:buffer';
import { GatewayError } from '@gateway/contracts';
import { rejectDeepJson } from './reject-deep-json.js';
import { rejectOversizedJson } from './reject-oversized-json.js';

/** A request's body as it was read. */
export interface JsonBody {
  readonly fields: Record<string, unknown>;
  /**
   * The same, to be sent on: the client's own bytes, unless a name is there twice in one object. Of that one value was read,
   * and another reader may take the other: it is written again without what nobody has judged or priced.
   */
  readonly bytes: Buffer;
}

/**
 * The body as a JSON object. Throws `invalid_json` with the parser's own words, which name the position, and for one that is
 * nested or large without reason a 400 that names the field or a 413 that says what there is too much of.
 */
export function parseJsonBody(body: unknown): JsonBody {
  if (!Buffer.isBuffer(body) || body.length === 0) {
    throw new GatewayError('invalid_json', 'The request has no body: expected a JSON object.');
  }
  // A decoder would put replacement characters in silently: the customer would pay for a prompt that nobody wrote.
  if (!isUtf8(body)) throw new GatewayError('invalid_json', 'The body of the request is not valid UTF-8.');
  const namesWritten = rejectOversizedJson(body);
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
  const namesRead = rejectDeepJson(value);
  return {
    fields: value as Record<string, unknown>,
    bytes: namesRead === namesWritten ? body : Buffer.from(JSON.stringify(value)),
  };
}
