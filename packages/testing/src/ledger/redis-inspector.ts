/** Sends one command in inline form to a Redis and returns the first line of its reply. */
export interface CommandLine {
  command(text: string): Promise<string>;
}

/** A server, or a cluster with its nodes. */
export interface InspectedRedis extends CommandLine {
  readonly masters?: readonly CommandLine[];
  readonly replicas?: readonly CommandLine[];
}

const KEYS_LUA = "return redis.status_reply(table.concat(redis.call('KEYS', ARGV[1]), ' '))";

const SUM_LUA =
  "local sum = 0 for _, field in ipairs({'spendable', 'held', 'unsettled'}) do " +
  "sum = sum + tonumber(redis.call('HGET', KEYS[1], field) or '0') end " +
  "return redis.status_reply(string.format('%.0f', sum))";

const LAST_SCORE_LUA = "return redis.status_reply(redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')[2] or '0')";

const COUNT_LUA =
  "local sum = 0 for _, key in ipairs(redis.call('KEYS', ARGV[2])) do sum = sum + redis.call(ARGV[1], key) end return sum";

/** Reads the customers' money in Redis without the gateway's own code: in whatever shard it is. */
export class RedisInspector {
  constructor(private readonly redis: InspectedRedis) {}

  /** Requests that are admitted and not settled. */
  openHolds(): Promise<number> {
    return this.#count('ZCARD', 'gw{*}:holds');
  }

  /** Settlements that the ledger does not have yet. */
  unbookedEvents(): Promise<number> {
    return this.#count('XLEN', 'gw{*}:usage');
  }

  /** Available, held and unsettled money together: the ledger must have the same amount in escrow. */
  async moneyOf(accountId: string): Promise<bigint> {
    let sum = 0n;
    for (const key of await this.keys(`gw{*}:account:${accountId}`)) {
      sum += BigInt(status(await this.redis.command(`EVAL "${SUM_LUA}" 1 ${key}`)));
    }
    return sum;
  }

  /** When the latest lease of a key ends, in Unix milliseconds; 0: no lease. */
  async lastLeaseEndMs(ownerId: string): Promise<number> {
    const ends = (await this.keys(`gw{*}:leases:${ownerId}`)).map(async (key) =>
      Number(status(await this.redis.command(`EVAL "${LAST_SCORE_LUA}" 1 ${key}`))),
    );
    return Math.max(0, ...(await Promise.all(ends)));
  }

  /** The keys of a pattern. A lost node has none. */
  async keys(pattern: string): Promise<readonly string[]> {
    const replies = (await this.#masters()).map((node) => node.command(`EVAL "${KEYS_LUA}" 0 ${pattern}`));
    return (await Promise.all(replies)).flatMap((reply) => status(reply).split(' ').filter(Boolean));
  }

  async #masters(): Promise<readonly CommandLine[]> {
    const { masters, replicas = [] } = this.redis;
    if (masters === undefined) return [this.redis];
    const nodes = [...masters, ...replicas];
    const infos = await Promise.all(nodes.map((node) => node.command('INFO replication').catch(() => 'away')));
    return nodes.filter((_, index) => infos[index]?.includes('role:master'));
  }

  async #count(command: 'ZCARD' | 'XLEN', pattern: string): Promise<number> {
    if (this.redis.masters === undefined)
      return integer(await this.redis.command(`EVAL "${COUNT_LUA}" 0 ${command} ${pattern}`));
    // A script of a cluster may read one slot.
    const counts = (await this.keys(pattern)).map(async (key) =>
      integer(await this.redis.command(`${command} ${key}`)),
    );
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }
}

function status(reply: string): string {
  if (!reply.startsWith('+')) throw new Error(`Redis replied ${reply}`);
  return reply.slice(1);
}

function integer(reply: string): number {
  if (!reply.startsWith(':')) throw new Error(`Redis replied ${reply}`);
  return Number(reply.slice(1));
}
