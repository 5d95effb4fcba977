import { type UsageSettled, usageSettled } from '@gateway/contracts';
import type { RedisConnection } from '../connection/connect-redis.js';
import { LONGEST_BLOCK_MS } from '../connection/socket-options.js';
import { type RedisKeys, redisKeys } from '../keys.js';
import { USAGE_GROUP } from './usage-group.js';

export interface UsageEntry {
  readonly streamId: string;
  readonly event: UsageSettled;
}

/** An entry that is not a usage event. It is kept in the dead stream: there is money in it that nobody has booked. */
export interface RejectedUsage {
  readonly streamId: string;
  readonly text: string;
  readonly problem: string;
}

export interface UsageStreamOptions {
  readonly keys?: RedisKeys;
  readonly onDead: (dead: RejectedUsage) => void;
}

type RawEntry = readonly [streamId: string, fields: readonly string[] | null];

/** Reads the settled requests as one consumer group. Entries leave the stream by `AdmissionStore.acknowledge` only. */
export class UsageStream {
  readonly #redis: RedisConnection;
  readonly #keys: RedisKeys;
  readonly #onDead: (dead: RejectedUsage) => void;

  /** `redis` is a connection of the role `blocking`, used by nobody else: `read` occupies it while it waits. */
  constructor(redis: RedisConnection, options: UsageStreamOptions) {
    this.#redis = redis;
    this.#keys = options.keys ?? redisKeys();
    this.#onDead = options.onDead;
  }

  /** New entries for this consumer; none after `blockMs` without any. */
  async read(options: { consumer: string; count: number; blockMs: number }): Promise<readonly UsageEntry[]> {
    const { usage } = this.#keys;
    // BLOCK 0 would wait for ever.
    const blockMs = Math.min(Math.max(options.blockMs, 1), LONGEST_BLOCK_MS);
    const reply = await this.#inGroup(() =>
      this.#redis.xreadgroup(
        'GROUP',
        USAGE_GROUP,
        options.consumer,
        'COUNT',
        options.count,
        'BLOCK',
        blockMs,
        'STREAMS',
        usage,
        '>',
      ),
    );
    const streams = (reply ?? []) as readonly (readonly [key: string, entries: readonly RawEntry[]])[];
    return this.#parse(streams.flatMap(([, entries]) => entries));
  }

  /** Entries that some consumer took at least `minIdleMs` ago and never acknowledged: it has died. */
  async claimStale(options: { consumer: string; minIdleMs: number; count: number }): Promise<readonly UsageEntry[]> {
    const reply = await this.#inGroup(() =>
      this.#redis.xautoclaim(
        this.#keys.usage,
        USAGE_GROUP,
        options.consumer,
        options.minIdleMs,
        '0-0',
        'COUNT',
        options.count,
      ),
    );
    const [, entries] = reply as [cursor: string, entries: readonly RawEntry[]];
    return this.#parse(entries);
  }

  /** Entries that the ledger has not booked yet, taken by a consumer or not. */
  async length(): Promise<number> {
    return this.#redis.xlen(this.#keys.usage);
  }

  /** How long ago the first entry that the ledger has not booked was written; 0 if there is none. */
  async oldestAgeMs(nowMs: number): Promise<number> {
    const [oldest] = await this.#redis.xrange(this.#keys.usage, '-', '+', 'COUNT', 1);
    // The first half of an entry's id is the time of Redis, in milliseconds.
    return oldest === undefined ? 0 : Math.max(0, nowMs - Number(oldest[0].split('-')[0]));
  }

  /** Entries that a consumer has taken and not acknowledged. */
  async pending(): Promise<number> {
    const [count] = (await this.#inGroup(() => this.#redis.xpending(this.#keys.usage, USAGE_GROUP))) as [number];
    return count;
  }

  async deadLength(): Promise<number> {
    return this.#redis.xlen(this.#keys.deadUsage);
  }

  /** The group is made where it is missed: at the first start, and again after Redis was emptied. */
  async #inGroup<Reply>(command: () => Promise<Reply>): Promise<Reply> {
    try {
      return await command();
    } catch (error) {
      if (!isReply(error, 'NOGROUP')) throw error;
      await this.#createGroup();
      return command();
    }
  }

  async #createGroup(): Promise<void> {
    try {
      await this.#redis.xgroup('CREATE', this.#keys.usage, USAGE_GROUP, '0', 'MKSTREAM');
    } catch (error) {
      // Another consumer was faster.
      if (!isReply(error, 'BUSYGROUP')) throw error;
    }
  }

  async #parse(entries: readonly RawEntry[]): Promise<readonly UsageEntry[]> {
    const good: UsageEntry[] = [];
    for (const [streamId, fields] of entries) {
      // Null: acknowledged by another consumer while this one claimed it.
      if (fields === null) continue;
      const text = fields[fields.indexOf('event') + 1] ?? '';
      const parsed = parseUsage(text);
      if (typeof parsed === 'string') await this.#bury({ streamId, text: JSON.stringify(fields), problem: parsed });
      else good.push({ streamId, event: parsed });
    }
    return good;
  }

  async #bury(dead: RejectedUsage): Promise<void> {
    const { usage, deadUsage } = this.#keys;
    await this.#redis
      .multi()
      .xadd(deadUsage, '*', 'streamId', dead.streamId, 'fields', dead.text, 'problem', dead.problem)
      .xack(usage, USAGE_GROUP, dead.streamId)
      .xdel(usage, dead.streamId)
      .exec();
    this.#onDead(dead);
  }
}

const isReply = (error: unknown, code: string): boolean => error instanceof Error && error.message.startsWith(code);

/** The event, or in words why it is none. */
function parseUsage(text: string): UsageSettled | string {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return 'not JSON';
  }
  const parsed = usageSettled.safeParse(json);
  return parsed.success ? parsed.data : parsed.error.message;
}
