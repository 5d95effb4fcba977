import { createHash } from 'node:crypto';
import { GatewayError, type RequestId } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import type { BeginOutcome, IdempotencyStore, KeptAnswer, NewTurn } from '@gateway/redis';
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

/** A lease outlives two renewals that fail. */
const RENEWALS_PER_LEASE = 3;

export type Once =
  | { readonly isAnswered: false; readonly recording: AnswerRecording }
  | { readonly isAnswered: true; readonly requestId: RequestId; readonly answer: KeptAnswer };

/** One request for each idempotency key of an account: its turn begins here, is kept alive, and ends with its answer. */
@Injectable()
export class AnswerOnce implements OnModuleInit, OnApplicationShutdown {
  readonly #open = new Set<NewTurn>();
  #clock: NodeJS.Timeout | undefined;

  constructor(
    @Inject(IDEMPOTENCY_STORE) private readonly store: IdempotencyStore,
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

  /** Throws 409 where the key stands for something else, or its answer cannot be given; 503 if nobody can tell. */
  async begin(valid: ValidRequest, key: string): Promise<Once> {
    const { accountId, isTest } = valid.caller.key;
    const turn: NewTurn = {
      accountId,
      isTest,
      keySha256: createHash('sha256').update(key).digest('hex'),
      requestId: valid.requestId,
      fingerprint: await fingerprintOf(valid),
    };
    const begun = await this.#begin(turn);
    this.metrics.idempotentRequests.inc({ outcome: begun.outcome });
    if (begun.outcome === 'answered') return { isAnswered: true, requestId: begun.requestId, answer: begun.answer };
    if (begun.outcome !== 'began') throw refusalOf(begun);
    this.#open.add(turn);
    const recording = new RecordedAnswer({ keep: (answer) => this.#keep(turn, answer), free: () => this.#free(turn) });
    return { isAnswered: false, recording };
  }

  /** Nothing was accepted if it fails, whether or not Redis has heard of it: then the lease ends by itself. */
  #begin(turn: NewTurn): Promise<BeginOutcome> {
    return this.store.begin(turn).catch((error: unknown) => {
      this.logger.warn({ err: error, requestId: turn.requestId }, 'an idempotency key could not be looked up');
      throw new GatewayError('service_unavailable', 'The service is not available right now, try again shortly.', {
        retryAfterMs: 1_000,
      });
    });
  }

  async #keep(turn: NewTurn, answer: KeptAnswer): Promise<void> {
    try {
      const outcome = await this.store.keep(turn, answer);
      if (outcome !== 'kept') this.logger.warn({ requestId: turn.requestId, outcome }, 'an answer was not kept');
    } catch (error) {
      this.logger.warn({ err: error, requestId: turn.requestId }, 'an answer could not be kept');
    } finally {
      this.#open.delete(turn);
    }
  }

  async #free(turn: NewTurn): Promise<void> {
    this.#open.delete(turn);
    await this.store.free(turn).catch((error: unknown) => {
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
