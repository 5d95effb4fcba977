import type { RedisConnection } from '../connection/connect-redis.js';
import { type RedisKeys, redisKeys } from '../keys.js';
import { clockOf, registerScript } from '../scripts/script.js';
import { type ClaimReply, claimCall, type PackedClaimReply, readClaimReply } from './claim.js';
import { COMPLETE_OUTCOMES, type CompleteOutcome, completeCall, type StorageShares } from './complete.js';
import type { ClaimedWork, ClaimOwner, NewIdempotencyClaim, ResultOwner, StoredResponse } from './idempotency-claim.js';
import { linkResultCall, type PackedResult, type ResultReply, readResultCall, readResultReply } from './read-result.js';
import { releaseCall, renewCall } from './renew-or-release.js';
import { packBody, unpackBody } from './stored-body.js';

export interface IdempotencyStoreOptions extends Partial<StorageShares> {
  readonly keys?: RedisKeys;
  /** Lifetime of a claim without renewal. */
  readonly leaseMs?: number;
  /** A request whose hold was not renewed for this long has lost edge and worker. */
  readonly abandonedAfterMs?: number;
  /** Replaces Redis' own clock in tests. Unix milliseconds. */
  readonly nowMs?: () => number;
}

const DEFAULT_LEASE_MS = 30_000;
/** Twice the lease of a running request. */
const DEFAULT_ABANDONED_AFTER_MS = 120_000;
/** How long a response can be replayed. */
export const IDEMPOTENCY_RETENTION_MS = 24 * 60 * 60 * 1_000;
const DEFAULT_SHARE_BYTES = 64 * 1024 * 1024;
const DEFAULT_SPILLED_SHARE_BYTES = 1024 * 1024 * 1024;

/** An earlier request completed: its response is replayed. */
interface CompletedRequest extends Pick<PackedClaimReply, 'outcome' | 'requestId' | 'balanceNanoUsd'> {
  readonly answer: StoredResponse;
}

export type ClaimOutcome = Exclude<ClaimReply, PackedClaimReply> | CompletedRequest;
export type ResultOutcome =
  | Exclude<ResultReply, PackedResult>
  /** `work`: undefined for a request of a former release. */
  | (CompletedRequest & { readonly work: ClaimedWork | undefined });

/**
 * One record for each idempotency key of an account. A request claims the record, renews the claim while it runs, and ends
 * it once: it completes the record with its response, or releases it.
 */
export class IdempotencyStore {
  readonly #keys: RedisKeys;
  readonly #leaseMs: number;
  readonly #abandonedAfterMs: number;
  readonly #shares: StorageShares;
  readonly #givenMs: () => string;
  readonly #scripts;

  constructor(redis: RedisConnection, options: IdempotencyStoreOptions = {}) {
    this.#keys = options.keys ?? redisKeys();
    this.#leaseMs = options.leaseMs ?? DEFAULT_LEASE_MS;
    this.#abandonedAfterMs = options.abandonedAfterMs ?? DEFAULT_ABANDONED_AFTER_MS;
    const { shareBytes = DEFAULT_SHARE_BYTES, spilledShareBytes = DEFAULT_SPILLED_SHARE_BYTES } = options;
    this.#shares = { shareBytes, spilledShareBytes };
    this.#givenMs = clockOf(options.nowMs);
    this.#scripts = {
      claim: registerScript(redis, 'idempotency/claim', 'bytes'),
      renew: registerScript(redis, 'idempotency/renew'),
      complete: registerScript(redis, 'idempotency/complete'),
      release: registerScript(redis, 'idempotency/release'),
      readResult: registerScript(redis, 'idempotency/read-result', 'bytes'),
      linkResult: registerScript(redis, 'idempotency/link-result'),
    };
  }

  async claim(claim: NewIdempotencyClaim): Promise<ClaimOutcome> {
    const times = {
      leaseMs: this.#leaseMs,
      retentionMs: IDEMPOTENCY_RETENTION_MS,
      abandonedAfterMs: this.#abandonedAfterMs,
      givenMs: this.#givenMs(),
    };
    const reply = readClaimReply(await this.#scripts.claim(claimCall(this.#keys.of(claim.accountId), claim, times)));
    return reply.outcome === 'answered' ? unpack(reply) : reply;
  }

  /** The response of a request by its own id. `none`: it has ended, or is not this account's, and no response is stored. */
  async readResult(owner: ResultOwner): Promise<ResultOutcome> {
    const reply = readResultReply(
      await this.#scripts.readResult(readResultCall(this.#keys.of(owner.accountId), owner, this.#givenMs())),
    );
    return reply.outcome === 'answered' ? { ...(await unpack(reply)), work: reply.work } : reply;
  }

  /** Makes `readResult` find the response that a request's idempotency key will get. */
  async linkResult(owner: ClaimOwner): Promise<void> {
    await this.#scripts.linkResult(linkResultCall(this.#keys.of(owner.accountId), owner, IDEMPOTENCY_RETENTION_MS));
  }

  /** False: the request does not own the record any more. */
  async renew(owner: ClaimOwner): Promise<boolean> {
    return (
      (await this.#scripts.renew(renewCall(this.#keys.of(owner.accountId), owner, this.#leaseMs, this.#givenMs()))) ===
      1
    );
  }

  /** Without a body, the record says that the request completed and cannot be replayed. */
  async complete(
    owner: ClaimOwner,
    { body, ...head }: StoredResponse<StoredResponse['body'] | undefined>,
  ): Promise<CompleteOutcome> {
    const packed = { ...head, body: await packBody(body) };
    const limits = { retentionMs: IDEMPOTENCY_RETENTION_MS, ...this.#shares };
    const reply = (await this.#scripts.complete(completeCall(this.#keys.of(owner.accountId), owner, packed, limits))) as
      | 0
      | 1
      | 2
      | 3;
    return COMPLETE_OUTCOMES[reply];
  }

  /** False: the request does not own the record any more, or the record is complete. */
  async release(owner: ClaimOwner): Promise<boolean> {
    return (await this.#scripts.release(releaseCall(this.#keys.of(owner.accountId), owner))) === 1;
  }
}

async function unpack(reply: PackedClaimReply): Promise<CompletedRequest> {
  const { outcome, requestId, balanceNanoUsd, status, contentType, changes } = reply;
  const head = { status, contentType, ...(changes !== undefined && { changes }) };
  return { outcome, requestId, balanceNanoUsd, answer: { ...head, body: await unpackBody(reply) } };
}
