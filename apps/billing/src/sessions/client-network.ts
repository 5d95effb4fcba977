import { isIPv6, SocketAddress } from 'node:net';

const NETWORK_GROUPS = 4;
const ALL_GROUPS = 8;
const IPV4_IN_IPV6 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

/**
 * Whose address it is, to count what they do: an IPv4 address itself, of an IPv6 address its /64. That is what one connection
 * is given, with more addresses in it than could ever be counted one by one.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [withoutZone = ''] = address.split('%');
  const spelled = new SocketAddress({ address: withoutZone, family: 'ipv6' }).address;
  const [, ipv4] = IPV4_IN_IPV6.exec(spelled) ?? [];
  if (ipv4 !== undefined) return ipv4;
  const [before = [], after = []] = spelled.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const left = Math.max(0, ALL_GROUPS - before.length - after.length);
  const groups = [...before, ...Array<string>(left).fill('0'), ...after];
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
}
