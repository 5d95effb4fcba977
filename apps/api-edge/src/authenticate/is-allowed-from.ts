import { BlockList, isIP, isIPv6 } from 'node:net';

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** Made once for each key's list: it lives as long as the key is remembered. */
const listsByAllowed = new WeakMap<readonly string[], BlockList>();

function listOf(allowed: readonly string[]): BlockList {
  const known = listsByAllowed.get(allowed);
  if (known !== undefined) return known;
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
 * Whether an address is one of these, or in one of these blocks, however either is spelled: IPv4 written as IPv6 is IPv4. What is
 * no address, such as a name that a proxy tells, is allowed nowhere.
 */
export const isAllowedFrom = (address: string, allowed: readonly string[]): boolean =>
  isIP(address) !== 0 && listOf(allowed).check(address, familyOf(address));
