import { priceAt, usageCost } from '@gateway/catalogue';
import { type AdmissionOutcome, type AdmissionRequest, GatewayError, type RateState } from '@gateway/contracts';
import { formatUsd, parseNanoUsd } from '@gateway/money';
import { type AdmissionStore, admitWithBlocks, wasNeverSent } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { EDGE_CONFIG, type EdgeConfig } from '../edge-config.js';
import type { AdmittedRequest, ValidRequest } from '../edge-request.js';
import { ADMISSION_STORE } from '../redis-doors.js';
import { Escrow } from './escrow.service.js';

/** An orphan is only looked for well after the request itself must have ended. */
const HOLD_GRACE_MS = 120_000;

const NO_RATE: RateState = { limit: 0, remaining: 0, resetMs: 0 };

export interface AdmissionListener {
  /** The rate of the key, also where the request is refused. */
  onRate(rate: RateState): void;
  /** The request is refused, and this is left; null if that is not known here. */
  onRefused(balanceNanoUsd: bigint | null): void;
  /** The request is refused, but a hold of it may stand, now or in a moment: it has to be settled as one that never ran. */
  onOutcomeUnknown(request: AdmittedRequest): void;
}

type Refusal = Exclude<AdmissionOutcome, { outcome: 'admitted' }>;

/** Lease, rate and money in one atomic step. A refusal costs nothing and leaves nothing behind. */
@Injectable()
export class Admit {
  constructor(
    @Inject(ADMISSION_STORE) private readonly store: AdmissionStore,
    @Inject(EDGE_CONFIG) private readonly config: EdgeConfig,
    private readonly escrow: Escrow,
  ) {}

  /** Throws 429, 402 or 503. */
  async admit(valid: ValidRequest, listener: AdmissionListener): Promise<AdmittedRequest> {
    const { key } = valid.caller;
    const request = this.#priced(valid);
    const { requestId, price, holdNanoUsd, deadlineMs, admittedAtMs } = request;
    const outcome = await this.#try({
      requestId,
      accountId: key.accountId,
      keyId: key.keyId,
      requestsPerMinute: key.requestsPerMinute,
      concurrency: key.concurrency,
      holdNanoUsd,
      isFree: key.isTest,
      ...(key.spendCap !== null && !key.isTest && { spendCap: key.spendCap }),
      holdExpiresAtMs: deadlineMs + HOLD_GRACE_MS,
      about: { endpoint: valid.endpoint, model: valid.model.id, priceVersion: price.version, admittedAtMs },
    }).catch((error: unknown) => {
      if (!(error instanceof OutcomeUnknown)) throw error;
      listener.onOutcomeUnknown(request);
      throw unavailable();
    });
    if (outcome.outcome !== 'rebuilding') listener.onRate(outcome.rate);
    if (outcome.outcome !== 'admitted') {
      if (outcome.outcome !== 'rebuilding') listener.onRefused(outcome.balanceNanoUsd);
      throw refusal(outcome, request);
    }
    return { ...request, rate: outcome.rate };
  }

  #priced(valid: ValidRequest): AdmittedRequest {
    const admittedAtMs = Date.now();
    const price = priceAt(valid.model, admittedAtMs, valid.caller.key.priceOverrides);
    if (price === undefined) {
      throw new GatewayError('model_not_found', `The model '${valid.model.id}' has no price yet.`, { param: 'model' });
    }
    const holdNanoUsd = valid.caller.key.isTest ? 0n : usageCost(valid.worstCase, price);
    const deadlineMs = admittedAtMs + this.config.syncDeadlineMs;
    return { ...valid, price, holdNanoUsd, rate: NO_RATE, admittedAtMs, deadlineMs };
  }

  async #try(request: AdmissionRequest): Promise<AdmissionOutcome> {
    const first = await this.#admit(request);
    if (first.outcome !== 'funds') return first;
    return this.escrow.inTurn(request.accountId, () => this.#withBlocks(request));
  }

  async #withBlocks(request: AdmissionRequest): Promise<AdmissionOutcome> {
    const outcome = await admitWithBlocks(
      () => this.#admit(request),
      (missingNanoUsd) => this.escrow.nextBlock(request.accountId, missingNanoUsd),
    );
    if (outcome !== null) return outcome;
    throw new GatewayError('service_unavailable', 'Your balance is busy, try again shortly.', { retryAfterMs: 500 });
  }

  async #admit(request: AdmissionRequest): Promise<AdmissionOutcome> {
    try {
      return await this.store.admit(request);
    } catch (error) {
      throw wasNeverSent(error) ? unavailable() : new OutcomeUnknown();
    }
  }
}

/** Redis was asked and did not answer: it may have taken the lease and the hold, or may still do so. */
class OutcomeUnknown extends Error {}

const unavailable = (): GatewayError =>
  new GatewayError('service_unavailable', 'The service is not available right now, try again shortly.', {
    retryAfterMs: 1_000,
  });

function refusal(outcome: Refusal, { caller, holdNanoUsd }: AdmittedRequest): GatewayError {
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
    case 'spend_cap': {
      const cap = formatUsd(parseNanoUsd(caller.key.spendCap?.capNanoUsd ?? '0'));
      return new GatewayError(
        'insufficient_balance',
        `The spend cap of this key is too low for this request: of $${cap}, $${formatUsd(outcome.takenNanoUsd)} is spent or held by running requests, and this one may cost $${formatUsd(holdNanoUsd)}. Raise the cap, ask for less output, or use another key.`,
      );
    }
    case 'funds':
      return new GatewayError(
        'insufficient_balance',
        `Your balance is too low for this request, which may cost $${formatUsd(holdNanoUsd)}. Add credit, or ask for less output.`,
      );
    case 'rebuilding':
      return new GatewayError('service_unavailable', 'Balances are being rebuilt, try again shortly.', {
        retryAfterMs: 1_000,
      });
  }
}
