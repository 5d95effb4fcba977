import { registerScript } from '../admission/script.js';
import type { RedisConnection } from '../connection/connect-redis.js';
import { type RedisKeys, redisKeys } from '../keys.js';
import { BEGIN_LUA, type BeginReply, beginCall, readBeginReply, type StoredAnswer } from './begin.js';
import { type CompleteOutcome, KEEP_LUA, KEEP_OUTCOMES, type KeptShares, keepCall } from './complete.js';
import { FREE_LUA, freeCall } from './free.js';
import type { NewIdempotencyClaim, StoredResponse, Turn } from './idempotency-claim.js';
import { packBody, unpackBody } from './pack-answer.js';
import { RENEW_LUA, renewCall } from './renew.js';

export interface IdempotencyStoreOptions extends Partial<KeptShares> {
  readonly keys?: RedisKeys;
  /** How long a turn lives without renewal. */
  readonly leaseMs?: number;
  /** How long an answer is kept. */
  readonly retentionMs?: number;
  /** Stands in for Redis' own clock where a test must not wait. */
  readonly nowMs?: () => number;
}

const DEFAULT_LEASE_MS = 30_000;
/** How long an answer is kept. */
export const IDEMPOTENCY_RETENTION_MS = 24 * 60 * 60 * 1_000;
const DEFAULT_SHARE_BYTES = 64 * 1024 * 1024;
const DEFAULT_SHARE_BYTES_APART = 1024 * 1024 * 1024;

export type ClaimOutcome =
  | Exclude<BeginReply, StoredAnswer>
  | (Pick<StoredAnswer, 'outcome' | 'requestId' | 'balanceNanoUsd'> & { readonly answer: StoredResponse });

/**
 * Requests that are answered once: a record for each key of an account. A turn begins, is renewed while it runs, and ends
 * by keeping its answer or by freeing the key; only its owner can do either, and only once.
 */
export class IdempotencyStore {
  readonly #keys: RedisKeys;
  readonly #leaseMs: number;
  readonly #keptMs: number;
  readonly #shares: KeptShares;
  readonly #nowMs: () => string;
  readonly #scripts;

  constructor(redis: RedisConnection, options: IdempotencyStoreOptions = {}) {
    const { nowMs } = options;
    this.#keys = options.keys ?? redisKeys();
    this.#leaseMs = options.leaseMs ?? DEFAULT_LEASE_MS;
    this.#keptMs = options.retentionMs ?? IDEMPOTENCY_RETENTION_MS;
    const { shareBytes = DEFAULT_SHARE_BYTES, shareBytesApart = DEFAULT_SHARE_BYTES_APART } = options;
    this.#shares = { shareBytes, shareBytesApart };
    this.#nowMs = nowMs === undefined ? () => '' : () => nowMs().toString();
    this.#scripts = {
      begin: registerScript(redis, 'gwIdempotencyBegin', BEGIN_LUA, 'bytes'),
      renew: registerScript(redis, 'gwIdempotencyRenew', RENEW_LUA),
      keep: registerScript(redis, 'gwIdempotencyKeep', KEEP_LUA),
      free: registerScript(redis, 'gwIdempotencyFree', FREE_LUA),
    };
  }

  async claim(turn: NewIdempotencyClaim): Promise<ClaimOutcome> {
    const times = { leaseMs: this.#leaseMs, keptMs: this.#keptMs, nowMs: this.#nowMs() };
    const reply = readBeginReply(await this.#scripts.begin(beginCall(this.#keys, turn, times)));
    if (reply.outcome !== 'answered') return reply;
    const { outcome, requestId, balanceNanoUsd, status, contentType } = reply;
    return { outcome, requestId, balanceNanoUsd, answer: { status, contentType, body: await unpackBody(reply) } };
  }

  /** False: the record is not this turn's any more. */
  async renew(turn: Turn): Promise<boolean> {
    return (await this.#scripts.renew(renewCall(this.#keys, turn, this.#leaseMs, this.#nowMs()))) === 1;
  }

  /** Without a body: there was an answer, and nobody can give it again. */
  async complete(
    turn: Turn,
    { body, ...head }: StoredResponse<StoredResponse['body'] | undefined>,
  ): Promise<CompleteOutcome> {
    const packed = { ...head, body: await packBody(body) };
    const limits = { keptMs: this.#keptMs, ...this.#shares };
    const reply = (await this.#scripts.keep(keepCall(this.#keys, turn, packed, limits))) as 0 | 1 | 2 | 3;
    return KEEP_OUTCOMES[reply];
  }

  /** False: the record was not this turn's any more, or has its answer. */
  async release(turn: Turn): Promise<boolean> {
    return (await this.#scripts.free(freeCall(this.#keys, turn))) === 1;
  }
}
