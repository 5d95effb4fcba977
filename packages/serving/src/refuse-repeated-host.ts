import type { IncomingMessage } from 'node:http';
import { GatewayError } from '@gateway/contracts';

const HOST = 'host';

/**
 * Throws 400 for a request with two `Host` headers (RFC 9112, 3.2). Node.js uses the first one, and a proxy before us may have
 * used the other.
 */
export function refuseRepeatedHost({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): void {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === HOST.length && name.toLowerCase() === HOST) count += 1;
  }
  if (count > 1) throw new GatewayError('invalid_request', 'The request has more than one Host header: expected one.');
}
