import { type UsageSettled, usageSettled } from '@gateway/contracts';
import type { RedisConnection } from '../connection/connect-redis.js';
import { MAX_BLOCK_MS } from '../connection/socket-options.js';
import { type RedisKeys, redisKeys } from '../keys.js';
import { USAGE_GROUP } from './usage-group.js';

export interface UsageEntry {
  readonly streamId: string;
  readonly event: UsageSettled;
}

/** An entry that is not a usage event. It moves to the dead stream, because its cost is not booked. */
export interface RejectedUsage {
  readonly streamId: string;
  readonly text: string;
  readonly problem: string;
}

export interface UsageStreamOptions {
  readonly keys?: RedisKeys;
  /** Called for each entry that moves to the dead stream. */
  readonly onDead: (dead: RejectedUsage) => void;
}

type RawEntry = readonly [streamId: string, fields: readonly string[] | null];

/** Reads settled requests as one consumer group. Only `AdmissionStore.acknowledge` removes usage events. */
export class UsageStream {
  readonly #redis: RedisConnection;
  readonly #keys: RedisKeys;
  readonly #onDead: (dead: RejectedUsage) => void;

  /** `redis` has the role `blocking` and is used for this stream only: `read` blocks it. */
  constructor(redis: RedisConnection, options: UsageStreamOptions) {
    this.#redis = redis;
    this.#keys = options.keys ?? redisKeys();
    this.#onDead = options.onDead;
  }

  /** Resolves to new entries for this consumer, or to none after `blockMs`. */
  async read(options: { consumer: string; count: number; blockMs: number }): Promise<readonly UsageEntry[]> {
    const { usage } = this.#keys;
    // BLOCK 0 would wait indefinitely.
    const blockMs = Math.min(Math.max(options.blockMs, 1), MAX_BLOCK_MS);
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

  /** Claims entries that another consumer read at least `minIdleMs` ago and did not acknowledge: it has died. */
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

  /** Entries that the ledger has not booked, read by a consumer or not. */
  async length(): Promise<number> {
    return this.#redis.xlen(this.#keys.usage);
  }

  /** Age of the oldest entry that the ledger has not booked; 0 if there is none. */
  async oldestAgeMs(nowMs: number): Promise<number> {
    const [oldest] = await this.#redis.xrange(this.#keys.usage, '-', '+', 'COUNT', 1);
    // An entry's id begins with Redis' time in milliseconds.
    return oldest === undefined ? 0 : Math.max(0, nowMs - Number(oldest[0].split('-')[0]));
  }

  /** Entries that a consumer has read and not acknowledged. */
  async pending(): Promise<number> {
    const [count] = (await this.#inGroup(() => this.#redis.xpending(this.#keys.usage, USAGE_GROUP))) as [number];
    return count;
  }

  async deadLength(): Promise<number> {
    return this.#redis.xlen(this.#keys.deadUsage);
  }

  /** Creates the group if it is missing: at the first start, and after Redis lost its data. */
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
      // Another consumer created it first.
      if (!isReply(error, 'BUSYGROUP')) throw error;
    }
  }

  async #parse(entries: readonly RawEntry[]): Promise<readonly UsageEntry[]> {
    const valid: UsageEntry[] = [];
    for (const [streamId, fields] of entries) {
      // Null: acknowledged by another consumer while this one claimed it.
      if (fields === null) continue;
      const text = fields[fields.indexOf('event') + 1] ?? '';
      const parsed = parseUsage(text);
      if (typeof parsed === 'string')
        await this.#rejectEntry({ streamId, text: JSON.stringify(fields), problem: parsed });
      else valid.push({ streamId, event: parsed });
    }
    return valid;
  }

  async #rejectEntry(dead: RejectedUsage): Promise<void> {
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

/** The event, or the problem that makes the text none. */
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
