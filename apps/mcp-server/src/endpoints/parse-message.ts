import { GatewayError } from '@gateway/contracts';
import { rejectDeepJson, rejectOversizedJson } from '@gateway/intake';

/** Parses one message or a batch. Throws for invalid JSON and for JSON that would block the event loop. */
export function parseMessage(body: Buffer): unknown {
  rejectOversizedJson(body);
  const value = jsonOf(body);
  rejectDeepJson(value);
  return value;
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new GatewayError('invalid_json', 'Parse error: the request body is not valid JSON.');
  }
}
