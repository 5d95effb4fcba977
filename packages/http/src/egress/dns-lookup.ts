import { promises as dns } from 'node:dns';
import type { LookupFunction } from 'node:net';

const TIMEOUT_MS = 2_000;
const TRIES = 2;

export interface AddressResolver {
  resolve4(hostname: string): Promise<string[]>;
  resolve6(hostname: string): Promise<string[]>;
}

/** Every address of a name. Throws only if both queries fail. */
async function resolveAll(resolver: AddressResolver, hostname: string) {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
  return [
    ...(v6.status === 'fulfilled' ? v6.value : []).map((address) => ({ address, family: 6 })),
    ...(v4.status === 'fulfilled' ? v4.value : []).map((address) => ({ address, family: 4 })),
  ];
}

/**
 * A lookup that queries the name servers directly. The system's lookup would use the machine's search domains and hosts
 * file. It would also block one of few shared threads while a customer's name server is slow.
 */
export function dnsLookup(
  resolver: AddressResolver = new dns.Resolver({ timeout: TIMEOUT_MS, tries: TRIES }),
): LookupFunction {
  return (hostname, _options, callback) => {
    resolveAll(resolver, hostname).then(
      (addresses) => callback(null, addresses),
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}
