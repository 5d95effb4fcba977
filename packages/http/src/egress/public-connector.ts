import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isPublicAddress } from './is-public-address.js';

/** The code of a connect failure because the address is not public. No connection was opened. */
export const ADDRESS_REFUSED = 'ADDRESS_REFUSED';

const refused = (): NodeJS.ErrnoException =>
  Object.assign(new Error('the address is not public'), { code: ADDRESS_REFUSED });

const asList = (found: string | LookupAddress[], family: number | undefined): LookupAddress[] =>
  typeof found === 'string' ? [{ address: found, family: family ?? isIP(found) }] : found;

/**
 * A lookup that returns public addresses only. It rejects a name with one private address among others. The socket connects
 * to its result without a second lookup, so a name that changes meanwhile gains nothing.
 */
const publicOnly =
  (lookup: LookupFunction): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found, family) => {
      if (error !== null) return callback(error, []);
      const addresses = asList(found, family);
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
        return callback(refused(), []);
      }
      if (options.all === true) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };

/** Connects to public addresses only. TLS checks the certificate against the requested name. */
export function publicConnector(timeoutMs: number, lookup: LookupFunction): buildConnector.connector {
  const connect = buildConnector({
    timeout: timeoutMs,
    allowH2: false,
    rejectUnauthorized: true,
    lookup: publicOnly(lookup),
  });
  return (options, callback) => {
    // No lookup runs for a literal address.
    if (isIP(options.hostname) !== 0 && !isPublicAddress(options.hostname)) return callback(refused(), null);
    return connect(options, callback);
  };
}
