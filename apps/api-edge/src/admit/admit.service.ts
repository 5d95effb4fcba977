import { costOfUsage, priceAt } from '@gateway/catalogue';
import { type AdmissionOutcome, type AdmissionRequest, GatewayError, type RateState } from '@gateway/contracts';
import type { AdmissionStore } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { EDGE_CONFIG, type EdgeConfig } from '../edge-config.js';
import type { AdmittedRequest, ValidRequest } from '../edge-request.js';
import { ADMISSION_STORE } from '../redis-doors.js';
import { Escrow } from './escrow.service.js';

/** An orphan is only looked for well after the request itself must have ended. */
const HOLD_GRACE_MS = 120_000;
const BLOCKS_AT_MOST = 20;

type Refusal = Exclude<AdmissionOutcome, { outcome: 'admitted' }>;

/** Lease, rate and money in one atomic step. A refusal costs nothing and leaves nothing behind. */
@Injectable()
export class Admit {
  constructor(
    @Inject(ADMISSION_STORE) private readonly store: AdmissionStore,
    @Inject(EDGE_CONFIG) private readonly config: EdgeConfig,
    private readonly escrow: Escrow,
  ) {}

  /** Throws 429, 402 or 503; `onRate` hears of the rate in every case. */
  async admit(request: ValidRequest, onRate: (rate: RateState) => void): Promise<AdmittedRequest> {
    const admittedAtMs = Date.now();
    const price = priceAt(request.model, admittedAtMs);
    if (price === undefined)
      throw new GatewayError('model_not_found', `The model '${request.model.id}' has no price yet.`, {
        param: 'model',
      });
    const holdNanoUsd = costOfUsage(request.worstCase, price);
    const deadlineMs = admittedAtMs + this.config.syncDeadlineMs;
    const { key } = request.caller;
    if (key.isSpendCapReached === true) {
      throw new GatewayError(
        'insufficient_balance',
        'This key has reached its spend cap. Raise the cap, or use another key.',
      );
    }
    const outcome = await this.#try({
      requestId: request.requestId,
      accountId: key.accountId,
      keyId: key.keyId,
      requestsPerMinute: key.requestsPerMinute,
      concurrency: key.concurrency,
      holdNanoUsd,
      holdExpiresAtMs: deadlineMs + HOLD_GRACE_MS,
      about: { endpoint: request.endpoint, model: request.model.id, priceVersion: price.version, admittedAtMs },
    });
    if (outcome.outcome !== 'rebuilding') onRate(outcome.rate);
    if (outcome.outcome !== 'admitted') throw refusal(outcome);
    return { ...request, price, holdNanoUsd, rate: outcome.rate, admittedAtMs, deadlineMs };
  }

  async #try(request: AdmissionRequest): Promise<AdmissionOutcome> {
    const first = await this.#admit(request);
    if (first.outcome !== 'funds') return first;
    return this.escrow.inTurn(request.accountId, () => this.#withBlocks(request));
  }

  async #withBlocks(request: AdmissionRequest): Promise<AdmissionOutcome> {
    for (let block = 0; block < BLOCKS_AT_MOST; block += 1) {
      const outcome = await this.#admit(request);
      if (outcome.outcome !== 'funds') return outcome;
      if (!(await this.escrow.nextBlock(request.accountId, outcome.missingNanoUsd))) return outcome;
    }
    throw new GatewayError('service_unavailable', 'Your balance is busy, try again shortly.', { retryAfterMs: 500 });
  }

  async #admit(request: AdmissionRequest): Promise<AdmissionOutcome> {
    try {
      return await this.store.admit(request);
    } catch {
      // Redis is away: whether the hold was written is unknown. If it was, it is an orphan and is swept; nothing was run.
      throw new GatewayError('service_unavailable', 'The service is not available right now, try again shortly.', {
        retryAfterMs: 1_000,
      });
    }
  }
}

function refusal(outcome: Refusal): GatewayError {
  switch (outcome.outcome) {
    case 'concurrency':
      return new GatewayError(
        'rate_limit_exceeded',
        'Too many requests of this key run at the same time. Wait for one to end.',
        {
          retryAfterMs: outcome.retryAfterMs,
        },
      );
    case 'rate':
      return new GatewayError(
        'rate_limit_exceeded',
        `Rate limit of ${outcome.rate.limit} requests per minute reached for this key.`,
        {
          retryAfterMs: outcome.retryAfterMs,
        },
      );
    case 'funds':
      return new GatewayError(
        'insufficient_balance',
        'Your balance is too low for this request. Add credit, or lower the output cap.',
      );
    case 'rebuilding':
      return new GatewayError('service_unavailable', 'Balances are being rebuilt, try again shortly.', {
        retryAfterMs: 1_000,
      });
  }
}
