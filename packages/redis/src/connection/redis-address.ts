/** Where a Redis is: one server, as the client itself reads it, or a cluster by some of its nodes. */
export type RedisAddress =
  | { readonly kind: 'server'; readonly url: string }
  | {
      readonly kind: 'cluster';
      /** Any of them will do: they know the others. */
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
  const [first, ...others] = list.split(',').map((host) => nodeOf(host));
  if (first === undefined) throw new TypeError('a cluster has at least one node');
  // As in any address, a colon in the password need not be encoded.
  const [username = '', ...rest] = userInfo.split(':').map(decodeURIComponent);
  const password = rest.join(':');
  return {
    kind: 'cluster',
    nodes: [first, ...others],
    credentials: { ...(username !== '' && { username }), ...(password !== '' && { password }) },
    isEncrypted: secure === 's',
  };
}

function nodeOf(text: string): RedisNode {
  const { hostname, port } = new URL(`redis://${text.trim()}`);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? DEFAULT_PORT : Number(port) };
}
