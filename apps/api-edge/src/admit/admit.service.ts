import { priceAt } from '@gateway/catalogue';
import {
  type AdmissionOutcome,
  type AdmissionRequest,
  capCountersOf,
  changesBetween,
  ENDPOINTS,
  type EndpointRow,
  GatewayError,
  mergeChanges,
  type RateState,
  withBudget,
} from '@gateway/contracts';
import { type HoldAmounts, holdAmounts, outputCapOf, tokenHold } from '@gateway/intake';
import { type AdmissionStore, admitWithBlocks, wasNeverSent } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import type { AdmittedRequest, ValidRequest } from '../edge-request.js';
import { ADMISSION_STORE, EDGE_CONFIG, type EdgeConfig } from '../tokens.js';
import { admissionRefusal, unavailable } from './admission-refusal.js';
import { Escrow } from './escrow.service.js';
import { limitsOf } from './limits-of.js';

/** Holds expire this long after their deadline, so that no sweep releases the hold of a running request. */
const HOLD_GRACE_MS = 120_000;

const NO_HOLD: HoldAmounts = { leastNanoUsd: 0n };
const NO_RATE: RateState = { limit: 0, remaining: 0, resetMs: 0 };

export interface AdmissionListener {
  /** The rate of the key or its account, whether the request is admitted or refused. */
  onRate(rate: RateState): void;
  /** The request is refused. Null if the balance is not known here. */
  onRefused(balanceNanoUsd: bigint | null): void;
  /** The request is refused, but Redis may hold money for it. Settle it at zero. */
  onOutcomeUnknown(request: AdmittedRequest): void;
}

/** Claims lease, rate and hold in one atomic step. A refused request claims none of them. */
@Injectable()
export class Admit {
  constructor(
    @Inject(ADMISSION_STORE) private readonly store: AdmissionStore,
    @Inject(EDGE_CONFIG) private readonly config: EdgeConfig,
    private readonly escrow: Escrow,
  ) {}

  /** Throws 429, 402 or 503, and 404 for a model without a price. */
  async admit(valid: ValidRequest, listener: AdmissionListener): Promise<AdmittedRequest> {
    const { request, range } = this.#price(valid);
    const admission = this.#admissionOf(request, range);
    const outcome = await this.#admitOrRefill(admission).catch((error: unknown) => {
      if (!(error instanceof OutcomeUnknown)) throw error;
      listener.onOutcomeUnknown(request);
      throw unavailable();
    });
    if (outcome.outcome !== 'rebuilding') listener.onRate(outcome.rate);
    if (outcome.outcome !== 'admitted') {
      if (outcome.outcome !== 'rebuilding') listener.onRefused(outcome.balanceNanoUsd);
      throw admissionRefusal(outcome, request);
    }
    const { rate, holdNanoUsd } = outcome;
    const affordable = outputCapOf(request, request.price, { range, heldNanoUsd: holdNanoUsd });
    const outputCap = lower(affordable, cappedOutput(admission.tokenHold, outcome.heldTokens));
    return { ...request, rate, holdNanoUsd, ...(outputCap !== undefined && cappedAt(outputCap, request)) };
  }

  #price(valid: ValidRequest): { readonly request: AdmittedRequest } & Pick<HoldAmounts, 'range'> {
    const admittedAtMs = Date.now();
    const price = priceAt(valid.model, admittedAtMs, valid.caller.key.priceOverrides);
    if (price === undefined) {
      throw new GatewayError('model_not_found', `The model '${valid.model.id}' has no price yet.`, { param: 'model' });
    }
    const { leastNanoUsd, range }: HoldAmounts = valid.caller.key.isTest ? NO_HOLD : holdAmounts(valid, price);
    const deadlineMs = admittedAtMs + (valid.deadlineInMs ?? this.config.syncDeadlineMs);
    const request = { ...valid, price, holdNanoUsd: leastNanoUsd, rate: NO_RATE, admittedAtMs, deadlineMs };
    return { request, ...(range !== undefined && { range }) };
  }

  async #admitOrRefill(request: AdmissionRequest): Promise<AdmissionOutcome> {
    const first = await this.#admit(request);
    if (first.outcome !== 'funds') return first;
    return this.escrow.serialize(request.accountId, () => this.#refill(request));
  }

  async #refill(request: AdmissionRequest): Promise<AdmissionOutcome> {
    const outcome = await admitWithBlocks(
      (takesLess) => this.#admit({ ...request, takesLess }),
      (missingNanoUsd) => this.escrow.requestBlock(request.accountId, missingNanoUsd),
    );
    if (outcome !== null) return outcome;
    throw new GatewayError('service_unavailable', 'Your balance is busy, try again shortly.', { retryAfterMs: 500 });
  }

  #admissionOf(request: AdmittedRequest, holdRange: HoldAmounts['range']): AdmissionRequest {
    const { caller, requestId, endpoint, model, price, holdNanoUsd, deadlineMs, admittedAtMs, abortContract } = request;
    const { key } = caller;
    return {
      requestId,
      accountId: key.accountId,
      keyId: key.keyId,
      ...limitsOf(key, this.config.defaultAccountLimits, caller.batch !== undefined),
      holdNanoUsd,
      ...(holdRange !== undefined && { holdRange }),
      isFree: key.isTest,
      ...(key.spendCap !== null && !key.isTest && { spendCap: key.spendCap }),
      ...this.#capsOf(request),
      holdMs: deadlineMs - admittedAtMs + HOLD_GRACE_MS,
      about: { endpoint, model: model.id, priceVersion: price.version, admittedAtMs, abortContract },
    };
  }

  #capsOf(request: AdmittedRequest): Pick<AdmissionRequest, 'capCounters' | 'tokenHold'> {
    const { key, batch } = request.caller;
    const capCounters = withBudget(capCountersOf(key, request.admittedAtMs), key.isTest ? undefined : batch);
    return capCounters === undefined ? {} : { capCounters, tokenHold: tokenHold(request) };
  }

  async #admit(request: AdmissionRequest): Promise<AdmissionOutcome> {
    try {
      return await this.store.admit(request);
    } catch (error) {
      throw wasNeverSent(error) ? unavailable() : new OutcomeUnknown();
    }
  }
}

/** Redis did not reply to an admission. It may still take the lease and the hold. */
class OutcomeUnknown extends Error {}

/** The output that a cap of tokens leaves. Undefined: all of it, or the client has its own cap. */
const cappedOutput = (hold: AdmissionRequest['tokenHold'], heldTokens: number): number | undefined =>
  hold?.range === undefined || heldTokens >= hold.range.most ? undefined : heldTokens - hold.range.fixed;

const lower = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || (other !== undefined && other < one) ? other : one;

/** Reports the cap that goes upstream to the client. */
function cappedAt(
  outputCap: number,
  { endpoint, changes }: AdmittedRequest,
): Pick<AdmittedRequest, 'outputCap' | 'changes'> {
  const { outputCapField = 'max_completion_tokens' }: EndpointRow = ENDPOINTS[endpoint];
  return { outputCap, changes: mergeChanges(changes, changesBetween({}, { [outputCapField]: outputCap })) };
}
