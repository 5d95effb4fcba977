import { BlockList, isIP } from 'node:net';

/** IANA's special-purpose registry, multicast, reserved ranges, and the internal service addresses of clouds. */
const NOT_PUBLIC_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];

/** The range delegated to networks. Everything else embeds IPv4 (mapped, NAT64), is local, or is unassigned. */
const DELEGATED_V6 = ['2000::/3'];

/** 2001::/23 contains Teredo, benchmarking and ORCHID; 2002::/16 is 6to4. The others are documentation, 6bone and AS112. */
const NOT_PUBLIC_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3ffe::/16', '3fff::/20'];

function parseRanges(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

const notPublicV4 = parseRanges(NOT_PUBLIC_V4);
const delegatedV6 = parseRanges(DELEGATED_V6);
const notPublicV6 = parseRanges(NOT_PUBLIC_V6);

/**
 * True if the address belongs to the public internet. IPv6 that embeds an IPv4 address is never public: it can disguise a
 * private address, and no customer needs it.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !notPublicV4.check(address, 'ipv4');
  if (family !== 6 || address.includes('%')) return false;
  return delegatedV6.check(address, 'ipv6') && !notPublicV6.check(address, 'ipv6');
}
