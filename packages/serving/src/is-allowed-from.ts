import { BlockList, isIP, isIPv6 } from 'node:net';

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** Built once per list; freed together with the cached key. */
const listsByAllowed = new WeakMap<readonly string[], BlockList>();

function blockListOf(allowed: readonly string[]): BlockList {
  const cached = listsByAllowed.get(allowed);
  if (cached !== undefined) return cached;
  const list = new BlockList();
  for (const entry of allowed) {
    const [network = '', bits] = entry.split('/');
    if (bits === undefined) list.addAddress(network, familyOf(network));
    else list.addSubnet(network, Number(bits), familyOf(network));
  }
  listsByAllowed.set(allowed, list);
  return list;
}

/**
 * True if the address is one of these addresses or in one of these CIDR blocks. IPv4 written as IPv6 counts as IPv4. A
 * proxy may send a name instead of an address; that is never allowed.
 */
export const isAllowedFrom = (address: string, allowed: readonly string[]): boolean =>
  isIP(address) !== 0 && blockListOf(allowed).check(address, familyOf(address));
