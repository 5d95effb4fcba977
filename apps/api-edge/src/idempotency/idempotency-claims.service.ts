import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { GatewayError } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import {
  type ClaimedWork,
  type ClaimOutcome,
  type CompleteOutcome,
  type IdempotencyStore,
  type NewIdempotencyClaim,
  type ResultOwner,
  resultClaimOwner,
  type StoredResponse,
  wasNeverSent,
} from '@gateway/redis';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { ResponseRecording, ValidRequest } from '../edge-request.js';
import type { EdgeMetrics } from '../observability/metrics.js';
import { EDGE_CONFIG, EDGE_METRICS, type EdgeConfig, IDEMPOTENCY_STORE, LOGGER } from '../tokens.js';
import { AbandonedRequests } from './abandoned-requests.service.js';
import { claimRefusal } from './claim-refusal.js';
import { fingerprintOf, idempotencyHashOf } from './fingerprint.js';
import { RecordedResponse } from './recorded-response.js';
import type { ReplayedResponse } from './replay.js';
import { ResponseSpill } from './response-spill.service.js';

/** A lease survives two failed renewals. */
const RENEWALS_PER_LEASE = 3;
const RETRY_SOON_MS = 1_000;
const RELEASED_EVERY_MS = 1_000;

/** Without a body, Redis stores only that the request has succeeded. */
type ResponseToStore = StoredResponse<StoredResponse['body'] | undefined>;
type CompletedClaim = Extract<ClaimOutcome, { outcome: 'answered' }>;

/** Either this request owns the key and records its response, or an earlier request has a response to replay. */
export type IdempotencyClaim =
  | { readonly isReplay: false; readonly recording: ResponseRecording; readonly idempotencyHash: string }
  | ({ readonly isReplay: true } & ReplayedResponse);

/** What is known of a request's response. */
export type FoundResult =
  | { readonly outcome: 'running' | 'none' }
  | ({
      readonly outcome: 'answered';
      readonly balanceNanoUsd: bigint | null;
      /** Undefined: a former release has stored it. */
      readonly work: ClaimedWork | undefined;
    } & ReplayedResponse);

/** Lets one request run per idempotency key of an account. Renews each claim until its response is stored. */
@Injectable()
export class IdempotencyClaims implements OnModuleInit, OnApplicationShutdown {
  readonly #open = new Set<NewIdempotencyClaim>();
  #renewal: NodeJS.Timeout | undefined;

  constructor(
    @Inject(IDEMPOTENCY_STORE) private readonly store: IdempotencyStore,
    private readonly spill: ResponseSpill,
    private readonly abandoned: AbandonedRequests,
    @Inject(EDGE_CONFIG) private readonly config: EdgeConfig,
    @Inject(EDGE_METRICS) private readonly metrics: EdgeMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.#renewal = setInterval(() => this.#renewAll(), this.config.idempotencyLeaseMs / RENEWALS_PER_LEASE);
  }

  onApplicationShutdown(): void {
    clearInterval(this.#renewal);
  }

  /**
   * Throws 409 if the key belongs to another request, or if its response cannot be replayed; 503 if a store is away.
   * `onNotRun` gets the account's balance if this request is not run; null if the balance is not known here.
   */
  async claim(
    valid: ValidRequest,
    key: string,
    onNotRun: (balanceNanoUsd: bigint | null) => void,
  ): Promise<IdempotencyClaim> {
    const { accountId, isTest } = valid.caller.key;
    const claim: NewIdempotencyClaim = {
      accountId,
      isTest,
      keySha256: createHash('sha256').update(key).digest('hex'),
      requestId: valid.requestId,
      fingerprint: await fingerprintOf(valid),
      work: { endpoint: valid.endpoint, model: valid.model.id },
    };
    const claimed = await this.#orUnavailable(claim, () => this.#claimOrRelease(claim));
    this.metrics.idempotentRequests.inc({ outcome: claimed.outcome });
    if (claimed.outcome === 'began') {
      return { isReplay: false, recording: this.#record(claim), idempotencyHash: idempotencyHashOf(claim) };
    }
    onNotRun(claimed.balanceNanoUsd);
    if (claimed.outcome !== 'answered') throw claimRefusal(claimed);
    const response = await this.#orUnavailable(claim, () => this.#read(claimed));
    if (response === null) throw claimRefusal({ ...claimed, outcome: 'not_kept' });
    return { isReplay: true, ...response };
  }

  /** Redis may have recorded a claim whose reply is lost, and nothing runs. */
  #claimOrRelease(claim: NewIdempotencyClaim): Promise<Exclude<ClaimOutcome, { outcome: 'abandoned' }>> {
    return this.#claimOrTakeOver(claim).catch((error: unknown) => {
      if (!wasNeverSent(error)) void this.#release(claim);
      throw error;
    });
  }

  /** A request that has lost edge and worker is settled first, so that its key is free. */
  async #claimOrTakeOver(claim: NewIdempotencyClaim): Promise<Exclude<ClaimOutcome, { outcome: 'abandoned' }>> {
    const claimed = await this.store.claim(claim);
    if (claimed.outcome !== 'abandoned') return claimed;
    const { requestId, balanceNanoUsd } = claimed;
    const { provedInMs } = this.abandoned;
    if (provedInMs === 0) await this.abandoned.settle(claim.accountId, requestId);
    const again = provedInMs === 0 ? await this.store.claim(claim) : claimed;
    if (again.outcome !== 'abandoned') return again;
    return { outcome: 'in_progress', balanceNanoUsd, freeInMs: Math.max(provedInMs, RETRY_SOON_MS) };
  }

  /** Records the response of a request whose client has left, under the request's own id. */
  recordLeft(owner: ResultOwner, work: ClaimedWork): ResponseRecording {
    const claim = { ...resultClaimOwner(owner), fingerprint: 'result', work };
    // Without a claim nothing is stored: `complete` finds no record that this request owns.
    const claimed = this.store.claim(claim).catch((error: unknown) => this.#warn(error, claim, 'result claim failed'));
    return this.#record(claim, claimed);
  }

  /** The response under a request's own id. Throws 503 if a store is away. */
  async readResult(owner: ResultOwner): Promise<FoundResult> {
    const found = await this.#orUnavailable(owner, () => this.store.readResult(owner));
    if (found.outcome !== 'answered') return found;
    const response = await this.#orUnavailable(owner, () => this.#read(found));
    return response === null ? { ...found, outcome: 'none' } : { ...found, ...response };
  }

  #record(claim: NewIdempotencyClaim, claimed: Promise<unknown> = Promise.resolve()): ResponseRecording {
    this.#open.add(claim);
    return new RecordedResponse({
      spill: () => this.spill.open(claim.requestId),
      store: (response) => claimed.then(() => this.#complete(claim, response)),
      release: () => this.#release(claim),
      onLeft: () => {
        this.store.linkResult(claim).catch((error: unknown) => this.#warn(error, claim, 'result link failed'));
      },
    });
  }

  /** Nothing has run. */
  #orUnavailable<Found>({ requestId }: ResultOwner, query: () => Promise<Found>): Promise<Found> {
    return query().catch((error: unknown) => {
      if (error instanceof GatewayError) throw error;
      this.abandoned.noteRedisFailure();
      this.logger.warn({ err: error, requestId }, 'idempotency lookup failed');
      throw new GatewayError('service_unavailable', 'The service is not available right now, try again shortly.', {
        retryAfterMs: 1_000,
      });
    });
  }

  /** Null: its body is gone. */
  async #read({ requestId, answer }: CompletedClaim): Promise<ReplayedResponse | null> {
    const { body, ...head } = answer;
    if (Buffer.isBuffer(body)) return { requestId, response: { ...head, bytes: body.length, body } };
    const spilled = await this.spill.read(requestId, body);
    if (spilled === null) return null;
    return { requestId, response: { ...head, bytes: body.spilledBytes, body: spilled } };
  }

  async #complete(claim: NewIdempotencyClaim, response: ResponseToStore): Promise<void> {
    const { requestId } = claim;
    try {
      const outcome = await this.#storeWhereItFits(claim, response);
      if (outcome !== 'kept') this.logger.warn({ requestId, outcome }, 'response not stored for replay');
    } catch (error) {
      this.logger.warn({ err: error, requestId }, 'storing a response for replay failed');
    } finally {
      this.#open.delete(claim);
    }
  }

  /** Stores in Redis; in Postgres if the account's share of Redis is full; else only that the request succeeded. */
  async #storeWhereItFits(claim: NewIdempotencyClaim, { body, ...head }: ResponseToStore): Promise<CompleteOutcome> {
    const outcome = await this.store.complete(claim, { ...head, body });
    const isInRedis = Buffer.isBuffer(body);
    if (!isInRedis && body !== undefined && outcome !== 'kept') await this.spill.delete(claim.requestId);
    if (outcome !== 'full') return outcome;
    const spilled = isInRedis ? await this.spill.storeBody(claim.requestId, body) : undefined;
    return this.#storeWhereItFits(claim, { ...head, body: spilled });
  }

  /** Waits for the first try. A retry of the client must not wait for the end of the lease because Redis was away for a moment. */
  async #release(claim: NewIdempotencyClaim): Promise<void> {
    this.#open.delete(claim);
    await this.store.release(claim).catch((error: unknown) => {
      this.#warn(error, claim, 'idempotency release failed, will be retried');
      void this.#releaseLater(claim);
    });
  }

  /** Never rejects. After the lease, the next claim decides. */
  async #releaseLater(claim: NewIdempotencyClaim): Promise<void> {
    for (const untilMs = performance.now() + this.config.idempotencyLeaseMs; performance.now() < untilMs; ) {
      await sleep(RELEASED_EVERY_MS, undefined, { ref: false });
      const isOver = await this.store.release(claim).then(
        () => true,
        () => false,
      );
      if (isOver) return;
    }
  }

  #warn(err: unknown, { requestId }: NewIdempotencyClaim, message: string): void {
    this.logger.warn({ err, requestId }, message);
  }

  #renewAll(): void {
    for (const claim of this.#open) {
      this.store.renew(claim).catch((error: unknown) => {
        this.abandoned.noteRedisFailure();
        this.logger.warn({ err: error, requestId: claim.requestId }, 'idempotency renewal failed');
      });
    }
  }
}
