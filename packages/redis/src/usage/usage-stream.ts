import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type UsageSettled, usageSettled } from '@gateway/contracts';
import type { RedisConnection } from '../connection/connect-redis.js';
import { MAX_BLOCK_MS } from '../connection/socket-options.js';
import { type MoneyKeys, type RedisKeys, redisKeys } from '../keys.js';
import { jsonArgs, registerScript, type Script } from '../scripts/script.js';
import { groupByShard, whatSucceeds } from '../shards/by-shard.js';
import { USAGE_GROUP } from './usage-group.js';

export interface UsageEntry {
  /** The shard whose stream has the entry. */
  readonly shard: number;
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

export interface UsageReader {
  readonly consumer: string;
  /** About as many entries are returned. */
  readonly count: number;
  /** All, if it is missing. */
  readonly shards?: readonly number[] | undefined;
}

/** Redis counts the entries of each stream. */
interface StreamReader {
  readonly consumer: string;
  readonly count: number;
}

type RawEntry = readonly [streamId: string, fields: readonly string[] | null];
type RawStream = readonly [usage: string, entries: readonly RawEntry[]];

/** A cluster is polled after a pause that doubles up to this one while nothing is found. */
const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 250;
/** The most entries that one turn of the event loop parses. A backlog of all streams is one reply of thousands. */
const PARSED_IN_A_TURN = 50;

/** Reads settled requests as one consumer group of each shard. Only `AdmissionStore.acknowledge` removes usage events. */
export class UsageStream {
  readonly #redis: RedisConnection;
  readonly #keys: RedisKeys;
  readonly #onDead: (dead: RejectedUsage) => void;
  readonly #claimStale: Script;
  /**
   * How many streams the last read found entries in: a read shares its count among as many. All, before the first read and
   * after a read that found none: any number of them may have a backlog.
   */
  #busyStreams: number;

  /**
   * A server's `redis` has the role `blocking` and is used for this stream only: `read` blocks it. A cluster cannot block on
   * several slots. It is polled, and its `redis` fails fast, so that a lost node delays no other.
   */
  constructor(redis: RedisConnection, options: UsageStreamOptions) {
    this.#redis = redis;
    this.#keys = options.keys ?? redisKeys();
    this.#onDead = options.onDead;
    this.#busyStreams = this.#keys.shards.length;
    this.#claimStale = registerScript(redis, 'usage/claim-stale');
  }

  /** Resolves to new entries for this consumer, or to none after `blockMs`. Rejects if no node replies. */
  async read({ blockMs, ...reader }: UsageReader & { readonly blockMs: number }): Promise<readonly UsageEntry[]> {
    const shards = this.#keysOf(reader.shards);
    if (shards.length === 0) return [];
    const share = Math.ceil(reader.count / Math.min(this.#busyStreams, shards.length));
    const shared = { consumer: reader.consumer, count: share };
    const streams = this.#redis.isCluster
      ? await this.#poll(shards, shared, blockMs)
      : // BLOCK 0 would wait indefinitely.
        await this.#readOf(shards, shared, Math.min(Math.max(blockMs, 1), MAX_BLOCK_MS));
    this.#busyStreams = streams.length > 0 ? streams.length : this.#keys.shards.length;
    return this.#parse(streams);
  }

  /** Claims entries that another consumer read at least `minIdleMs` ago and did not acknowledge: it has died. */
  async claimStale({
    minIdleMs,
    ...reader
  }: UsageReader & { readonly minIdleMs: number }): Promise<readonly UsageEntry[]> {
    const { consumer, count } = reader;
    const args = [jsonArgs({ group: USAGE_GROUP, consumer, minIdleMs: `${minIdleMs}`, count: `${count}` })];
    const calls = groupByShard(this.#redis, this.#keysOf(reader.shards), ({ shard }) => shard).map((group) =>
      this.#claimStale({ keys: group.map(({ usage }) => usage), args }),
    );
    return this.#parse(((await whatSucceeds(calls)) as RawStream[][]).flat());
  }

  async #poll(shards: readonly MoneyKeys[], reader: StreamReader, waitMs: number): Promise<readonly RawStream[]> {
    const untilMs = performance.now() + waitMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      const found = (await whatSucceeds(shards.map((shard) => this.#readOf([shard], reader)))).flat();
      if (found.length > 0 || performance.now() + pauseMs > untilMs) return found;
      await sleep(pauseMs);
    }
  }

  async #readOf(
    shards: readonly MoneyKeys[],
    { consumer, count }: StreamReader,
    blockMs?: number,
  ): Promise<readonly RawStream[]> {
    const streams = shards.map(({ usage }) => usage);
    const ids = streams.map(() => '>');
    const group = ['GROUP', USAGE_GROUP, consumer] as const;
    const reply = await this.#inGroups(shards, () =>
      blockMs === undefined
        ? this.#redis.xreadgroup(...group, 'COUNT', count, 'STREAMS', ...streams, ...ids)
        : this.#redis.xreadgroup(...group, 'COUNT', count, 'BLOCK', blockMs, 'STREAMS', ...streams, ...ids),
    );
    return (reply ?? []) as readonly RawStream[];
  }

  #keysOf(shards: readonly number[] | undefined): readonly MoneyKeys[] {
    return shards === undefined ? this.#keys.shards : this.#keys.shards.filter(({ shard }) => shards.includes(shard));
  }

  /** Creates the groups if one is missing: at the first start, and after Redis lost its data. */
  async #inGroups<Reply>(shards: readonly MoneyKeys[], command: () => Promise<Reply>): Promise<Reply> {
    try {
      return await command();
    } catch (error) {
      if (!isReply(error, 'NOGROUP')) throw error;
      await Promise.all(shards.map(({ usage }) => this.#createGroup(usage)));
      return command();
    }
  }

  async #createGroup(usage: string): Promise<void> {
    try {
      await this.#redis.xgroup('CREATE', usage, USAGE_GROUP, '0', 'MKSTREAM');
    } catch (error) {
      // Another consumer created it first.
      if (!isReply(error, 'BUSYGROUP')) throw error;
    }
  }

  async #parse(streams: readonly RawStream[]): Promise<readonly UsageEntry[]> {
    const valid: UsageEntry[] = [];
    let parsedCount = 0;
    for (const { money, streamId, fields } of streams.flatMap((stream) => this.#entriesOf(stream))) {
      parsedCount += 1;
      if (parsedCount % PARSED_IN_A_TURN === 0) await nextTurn();
      const text = fields[fields.indexOf('event') + 1] ?? '';
      const parsed = parseUsage(text);
      if (typeof parsed === 'string')
        await this.#rejectEntry(money, { streamId, text: JSON.stringify(fields), problem: parsed });
      else valid.push({ shard: money.shard, streamId, event: parsed });
    }
    return valid;
  }

  #entriesOf([usage, entries]: RawStream) {
    const money = this.#keys.shards.find((keys) => keys.usage === usage);
    if (money === undefined) throw new Error(`no shard has the stream ${usage}`);
    // Null: acknowledged by another consumer while this one claimed it.
    return entries.flatMap(([streamId, fields]) => (fields === null ? [] : [{ money, streamId, fields }]));
  }

  async #rejectEntry({ usage, deadUsage }: MoneyKeys, dead: RejectedUsage): Promise<void> {
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
