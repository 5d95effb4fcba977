import { createHash } from 'node:crypto';
import { GatewayError } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import type {
  ClaimOutcome,
  CompleteOutcome,
  IdempotencyStore,
  NewIdempotencyClaim,
  StoredResponse,
} from '@gateway/redis';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { AnswerRecording } from '../answer-recording.js';
import { EDGE_CONFIG, type EdgeConfig } from '../edge-config.js';
import { EDGE_METRICS, type EdgeMetrics } from '../edge-metrics.js';
import type { ValidRequest } from '../edge-request.js';
import { LOGGER } from '../observability-doors.js';
import { IDEMPOTENCY_STORE } from '../redis-doors.js';
import { fingerprintOf } from './fingerprint.js';
import { RecordedAnswer } from './recorded-answer.js';
import { refusalOf } from './refusal-of.js';
import type { AnsweredBefore } from './replay.js';
import { ShelveAnswers } from './shelve-answers.service.js';

/** A lease outlives two renewals that fail. */
const RENEWALS_PER_LEASE = 3;

type UnkeptAnswer = StoredResponse<StoredResponse['body'] | undefined>;
type Answered = Extract<ClaimOutcome, { outcome: 'answered' }>;

export type Once =
  | { readonly isAnswered: false; readonly recording: AnswerRecording }
  | ({ readonly isAnswered: true } & AnsweredBefore);

/** One request for each idempotency key of an account: its turn begins here, is kept alive, and ends with its answer. */
@Injectable()
export class AnswerOnce implements OnModuleInit, OnApplicationShutdown {
  readonly #open = new Set<NewIdempotencyClaim>();
  #clock: NodeJS.Timeout | undefined;

  constructor(
    @Inject(IDEMPOTENCY_STORE) private readonly store: IdempotencyStore,
    private readonly shelveAnswers: ShelveAnswers,
    @Inject(EDGE_CONFIG) private readonly config: EdgeConfig,
    @Inject(EDGE_METRICS) private readonly metrics: EdgeMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.#clock = setInterval(() => this.#renew(), this.config.idempotencyLeaseMs / RENEWALS_PER_LEASE);
  }

  onApplicationShutdown(): void {
    clearInterval(this.#clock);
  }

  /**
   * Throws 409 where the key stands for something else, or its answer cannot be given; 503 if nobody can tell. `onLeft` hears
   * what the account has left where the request is not run; null if that is not known here.
   */
  async begin(valid: ValidRequest, key: string, onLeft: (balanceNanoUsd: bigint | null) => void): Promise<Once> {
    const { accountId, isTest } = valid.caller.key;
    const turn: NewIdempotencyClaim = {
      accountId,
      isTest,
      keySha256: createHash('sha256').update(key).digest('hex'),
      requestId: valid.requestId,
      fingerprint: await fingerprintOf(valid),
    };
    const begun = await this.#orUnavailable(turn, () => this.store.claim(turn));
    this.metrics.idempotentRequests.inc({ outcome: begun.outcome });
    if (begun.outcome !== 'began') onLeft(begun.balanceNanoUsd);
    if (begun.outcome === 'answered')
      return { isAnswered: true, ...(await this.#orUnavailable(turn, () => this.#read(begun))) };
    if (begun.outcome !== 'began') throw refusalOf(begun);
    this.#open.add(turn);
    const recording = new RecordedAnswer({
      shelve: () => this.shelveAnswers.open(turn.requestId),
      keep: (answer) => this.#keep(turn, answer),
      free: () => this.#free(turn),
    });
    return { isAnswered: false, recording };
  }

  /** Nothing was accepted if it fails, whether or not Redis has heard of it: then the lease ends by itself. */
  #orUnavailable<Found>({ requestId }: NewIdempotencyClaim, look: () => Promise<Found>): Promise<Found> {
    return look().catch((error: unknown) => {
      if (error instanceof GatewayError) throw error;
      this.logger.warn({ err: error, requestId }, 'an idempotency key could not be looked up');
      throw new GatewayError('service_unavailable', 'The service is not available right now, try again shortly.', {
        retryAfterMs: 1_000,
      });
    });
  }

  async #read({ requestId, balanceNanoUsd, answer }: Answered): Promise<AnsweredBefore> {
    const { body, ...head } = answer;
    if (Buffer.isBuffer(body)) return { requestId, answer: { ...head, bytes: body.length, body } };
    const shelved = await this.shelveAnswers.read(requestId, body);
    if (shelved === null) throw refusalOf({ outcome: 'not_kept', requestId, balanceNanoUsd });
    return { requestId, answer: { ...head, bytes: body.bytesApart, body: shelved } };
  }

  async #keep(turn: NewIdempotencyClaim, answer: UnkeptAnswer): Promise<void> {
    try {
      const outcome = await this.#keepWhereThereIsRoom(turn, answer);
      if (outcome !== 'kept') this.logger.warn({ requestId: turn.requestId, outcome }, 'an answer was not kept');
    } catch (error) {
      this.logger.warn({ err: error, requestId: turn.requestId }, 'an answer could not be kept');
    } finally {
      this.#open.delete(turn);
    }
  }

  /** In Redis, or on the shelf if it is too large or the account has kept too much; else, only that it was given. */
  async #keepWhereThereIsRoom(turn: NewIdempotencyClaim, { body, ...head }: UnkeptAnswer): Promise<CompleteOutcome> {
    const outcome = await this.store.complete(turn, { ...head, body });
    const isInRedis = Buffer.isBuffer(body);
    if (!isInRedis && body !== undefined && outcome !== 'kept') await this.shelveAnswers.drop(turn.requestId);
    if (outcome !== 'full') return outcome;
    const elsewhere = isInRedis ? await this.shelveAnswers.put(turn.requestId, body) : undefined;
    return this.#keepWhereThereIsRoom(turn, { ...head, body: elsewhere });
  }

  async #free(turn: NewIdempotencyClaim): Promise<void> {
    this.#open.delete(turn);
    await this.store.release(turn).catch((error: unknown) => {
      this.logger.warn({ err: error, requestId: turn.requestId }, 'an idempotency key is freed when its lease ends');
    });
  }

  #renew(): void {
    for (const turn of this.#open) {
      this.store.renew(turn).catch((error: unknown) => {
        this.logger.warn({ err: error, requestId: turn.requestId }, 'an idempotency key could not be renewed');
      });
    }
  }
}
