import type { IncomingHttpHeaders } from 'node:http';
import { GatewayError } from '@gateway/contracts';

const KEY = /^[\x20-\x7e]{1,255}$/;

/** The client's `Idempotency-Key`, unchanged. Undefined if absent. Throws a 400 if it is malformed. */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && KEY.test(key)) return key;
  throw new GatewayError('invalid_request', "'Idempotency-Key': expected 1 to 255 printable ASCII characters.", {
    param: 'Idempotency-Key',
  });
}
