import { GatewayError } from '@gateway/contracts';
import { refuseDepth } from './refuse-depth.js';

/**
 * The body as a JSON object. Throws `invalid_json` with the parser's own words, which name the position, and a 400 that names
 * the field for one that is nested without reason.
 */
export function parseJsonBody(body: unknown): Record<string, unknown> {
  if (!Buffer.isBuffer(body) || body.length === 0) {
    throw new GatewayError('invalid_json', 'The request has no body: expected a JSON object.');
  }
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
  refuseDepth(value);
  return value as Record<string, unknown>;
}
