import { isIPv6, SocketAddress } from 'node:net';

const NETWORK_GROUPS = 4;
const ALL_GROUPS = 8;
const IPV4_IN_IPV6 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

/**
 * The network of a client, for attempt limits: an IPv4 address itself, or the /64 of an IPv6 address. A provider assigns
 * at least a /64 to one customer, who may use any address in it.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [withoutZone = ''] = address.split('%');
  const spelled = new SocketAddress({ address: withoutZone, family: 'ipv6' }).address;
  const [, ipv4] = IPV4_IN_IPV6.exec(spelled) ?? [];
  if (ipv4 !== undefined) return ipv4;
  const [before = [], after = []] = spelled.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const missing = Math.max(0, ALL_GROUPS - before.length - after.length);
  const groups = [...before, ...Array<string>(missing).fill('0'), ...after];
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
}
