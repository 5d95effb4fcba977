/** The address of one server, which the client parses, or of some nodes of a cluster. */
export type RedisAddress =
  | { readonly kind: 'server'; readonly url: string }
  | {
      readonly kind: 'cluster';
      /** One reachable node is enough: it knows the others. */
      readonly nodes: readonly [RedisNode, ...RedisNode[]];
      readonly credentials: { readonly username?: string; readonly password?: string };
      readonly isEncrypted: boolean;
    };

export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

const DEFAULT_PORT = 6379;
const CLUSTER = /^redis(s?)\+cluster:\/\/(?:([^@]*)@)?([^@/?#]+)\/?$/;

/** `redis+cluster://user:password@one:6379,another:6379`, with `rediss` for TLS; anything else is one server. */
export function readRedisAddress(url: string): RedisAddress {
  const [, secure, userInfo = '', list] = CLUSTER.exec(url) ?? [];
  if (list === undefined) return { kind: 'server', url };
  const [first, ...others] = list.split(',').map((host) => parseNode(host));
  if (first === undefined) throw new TypeError('a cluster address must name at least one node');
  // A password may contain unencoded colons, as in any URL.
  const [username = '', ...passwordParts] = userInfo.split(':').map(decodeURIComponent);
  const password = passwordParts.join(':');
  return {
    kind: 'cluster',
    nodes: [first, ...others],
    credentials: { ...(username !== '' && { username }), ...(password !== '' && { password }) },
    isEncrypted: secure === 's',
  };
}

function parseNode(text: string): RedisNode {
  const { hostname, port } = new URL(`redis://${text.trim()}`);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? DEFAULT_PORT : Number(port) };
}
