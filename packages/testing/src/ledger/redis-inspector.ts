/** Sends one command in inline form to a Redis and returns the first line of its reply. */
export interface CommandLine {
  command(text: string): Promise<string>;
}

const PREFIX = 'gw{0}';

const SUM_LUA =
  "local sum = 0 for _, field in ipairs({'spendable', 'held', 'unsettled'}) do " +
  "sum = sum + tonumber(redis.call('HGET', KEYS[1], field) or '0') end " +
  "return redis.status_reply(string.format('%.0f', sum))";

const LAST_SCORE_LUA = "return redis.status_reply(redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')[2] or '0')";

/** Reads the customers' money in Redis without the gateway's own code. */
export class RedisInspector {
  constructor(private readonly redis: CommandLine) {}

  /** Requests that are admitted and not settled. */
  openHolds(): Promise<number> {
    return this.#count(`ZCARD ${PREFIX}:holds`);
  }

  /** Settlements that the ledger does not have yet. */
  unbookedEvents(): Promise<number> {
    return this.#count(`XLEN ${PREFIX}:usage`);
  }

  /** Available, held and unsettled money together: the ledger must have the same amount in escrow. */
  async moneyOf(accountId: string): Promise<bigint> {
    const reply = await this.redis.command(`EVAL "${SUM_LUA}" 1 ${PREFIX}:account:${accountId}`);
    if (!reply.startsWith('+')) throw new Error(`Redis replied ${reply}`);
    return BigInt(reply.slice(1));
  }

  /** When the latest lease of a key ends, in Unix milliseconds; 0: no lease. */
  async lastLeaseEndMs(ownerId: string): Promise<number> {
    const reply = await this.redis.command(`EVAL "${LAST_SCORE_LUA}" 1 ${PREFIX}:leases:${ownerId}`);
    if (!reply.startsWith('+')) throw new Error(`Redis replied ${reply}`);
    return Number(reply.slice(1));
  }

  async #count(command: string): Promise<number> {
    const reply = await this.redis.command(command);
    if (!reply.startsWith(':')) throw new Error(`Redis replied ${reply} to ${command}`);
    return Number(reply.slice(1));
  }
}
