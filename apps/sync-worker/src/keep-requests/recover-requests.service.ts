import {
  buildUsageSettled,
  type DurableRequest,
  GatewayError,
  type SettlementOutcome,
  type UsageSettled,
} from '@gateway/contracts';
import { type Logger, Loop } from '@gateway/observability';
import type { OwnedRequest, RequestClaim, RequestStore } from '@gateway/postgres';
import type { AdmissionStore, LiveResponses, Settler } from '@gateway/redis';
import type { ObjectStore } from '@gateway/store';
import pMap from 'p-map';
import { EndStoredRequest } from './end-stored-request.service.js';
import { MAX_ATTEMPTS } from './max-attempts.js';
import type { QueueAgain } from './queue-again.js';
import { renewMoney } from './renew-money.js';

const ROUND_MS = 1_000;
/** While no request is due. */
const MAX_INTERVAL_MS = 4_000;
/** Kept requests expire after hours. */
const REMOVE_EVERY_MS = 15_000;
const BATCH = 100;
const PARALLEL = 8;
const SETTLEMENT_WAIT_MS = 5_000;
/** Below the time for which a sweep has taken the request. */
const QUEUED_DUE_MS = 20_000;

/** What the sweep needs of its worker. */
export interface RecoveryPorts {
  readonly vendors: Parameters<RequestStore['takeDue']>[0];
  readonly requests: RequestStore;
  readonly objects: ObjectStore;
  readonly admission: Pick<AdmissionStore, 'renew'>;
  readonly settler: Pick<Settler, 'settle'>;
  readonly queueAgain: QueueAgain;
  readonly live: Pick<LiveResponses, 'hasBegun'>;
  readonly onRecovered: (action: RecoveryAction) => void;
  readonly logger: Logger;
}

type RecoveryAction = 'queued_again' | 'run_again' | 'settled' | 'cancelled' | 'expired' | 'given_up';

interface End {
  readonly action: RecoveryAction;
  readonly outcome: SettlementOutcome;
  readonly error: GatewayError;
}

/**
 * Moves on what no process moves: queued requests whose ticket is lost, claimed ones whose worker is gone, cancelled ones,
 * and ended ones that are not settled. Every worker sweeps; each request is taken by one of them. Only a run needs a worker of the
 * vendor: ends and settlements of all vendors are taken.
 */
export class RecoverRequests {
  readonly #loop: Loop;
  #removedAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly ports: RecoveryPorts,
    private readonly ending: EndStoredRequest,
  ) {
    const { logger } = ports;
    this.#loop = new Loop({
      intervalMs: ROUND_MS,
      maxIntervalMs: MAX_INTERVAL_MS,
      run: (signal) => this.#round(signal),
      onError: (error) => logger.warn({ err: error }, 'sweep of stored requests failed, will be retried'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #round(signal: AbortSignal): Promise<void> {
    const { requests, vendors } = this.ports;
    for (let isFirst = true; ; isFirst = false) {
      const due = await requests.takeDue(vendors, BATCH);
      await pMap(due, (owned) => this.#recover(owned), { concurrency: PARALLEL });
      if (isFirst && due.length === 0) this.#loop.backOff();
      if (due.length < BATCH || signal.aborted) break;
    }
    if (performance.now() - this.#removedAtMs < REMOVE_EVERY_MS) return;
    await this.#removeExpired(signal);
    this.#removedAtMs = performance.now();
  }

  /** One that fails is due again soon, and must not delay the others. */
  async #recover(owned: OwnedRequest): Promise<void> {
    const { request, owner } = owned;
    const { requestId } = request;
    try {
      const action = owner === null ? await this.#enqueue(request) : await this.#decide(owned, { requestId, owner });
      if (action !== undefined) this.ports.onRecovered(action);
    } catch (error) {
      this.ports.logger.warn({ err: error, requestId }, 'recovery of a stored request failed, will be retried');
    }
  }

  /** A ticket that still waits is queued twice: the claim admits one. */
  async #enqueue(request: DurableRequest): Promise<RecoveryAction> {
    await renewMoney(this.ports.admission, [request]);
    await this.ports.queueAgain(request);
    return 'queued_again';
  }

  async #decide({ request, isLate }: OwnedRequest, claim: RequestClaim): Promise<RecoveryAction | undefined> {
    const { settlement } = request;
    if (settlement !== null) {
      const ended = request.finishedAtMs === null ? await this.#end(request, claim, settlement) : request;
      return ended && (await this.#settle(ended, settlement)) ? 'settled' : undefined;
    }
    const end = endOf(request, { isLate, hasBegun: await this.ports.live.hasBegun(request.requestId) });
    if (end === undefined) return this.#runAgain(request, claim);
    const error = end.error.toRecord();
    const settled = freeSettlement(request, end);
    const ended = await this.ending.end(request, claim, { settlement: settled, response: null, error });
    if (ended === undefined) return undefined;
    await this.#settle(ended, settled);
    return end.action;
  }

  /** A worker of an older release decides first, and ends what is settled. */
  #end(request: DurableRequest, claim: RequestClaim, settlement: UsageSettled): Promise<DurableRequest | undefined> {
    const { response, shortResponse, error } = request;
    return this.ending.end(request, claim, { settlement, response, ...(shortResponse && { shortResponse }), error });
  }

  /** The vendor may have run it once: the customer pays for the run that ends. */
  async #runAgain(request: DurableRequest, claim: RequestClaim): Promise<RecoveryAction | undefined> {
    if (!(await this.ports.requests.return(claim, QUEUED_DUE_MS))) return undefined;
    await this.#enqueue(request);
    return 'run_again';
  }

  /** False: Redis has not confirmed. The request stays unsettled, and is due again. */
  async #settle(request: DurableRequest, settlement: UsageSettled): Promise<boolean> {
    if ((await this.ports.settler.settle(settlement, SETTLEMENT_WAIT_MS)) === undefined) return false;
    await this.ending.settled(request);
    return true;
  }

  /** Objects first: a row that is left names objects that are gone, and is removed by the next round. */
  async #removeExpired(signal: AbortSignal): Promise<void> {
    const { requests, objects } = this.ports;
    for (let isLast = false; !isLast && !signal.aborted; ) {
      const expired = await requests.expired(BATCH);
      const keys = expired.flatMap((request) => request.objects);
      await pMap(keys, (key) => objects.delete(key), { concurrency: PARALLEL });
      if (expired.length > 0) await requests.remove(expired.map(({ requestId }) => requestId));
      isLast = expired.length < BATCH;
    }
  }
}

/** Undefined: another worker may run it. A stream that readers have seen cannot begin again. */
function endOf(
  { isCancelRequested, attempts }: DurableRequest,
  { isLate, hasBegun }: { readonly isLate: boolean; readonly hasBegun: boolean },
): End | undefined {
  if (isCancelRequested) {
    const error = new GatewayError('client_closed_request', 'The request was cancelled.');
    return { action: 'cancelled', outcome: 'aborted', error };
  }
  if (isLate) {
    const error = new GatewayError('upstream_timeout', 'No worker could run the request in time. It costs nothing.');
    return { action: 'expired', outcome: 'failed', error };
  }
  if (attempts < MAX_ATTEMPTS && !hasBegun) return undefined;
  const error = new GatewayError('worker_lost', 'Each worker that ran the request was lost. It costs nothing.');
  return { action: 'given_up', outcome: 'failed', error };
}

const freeSettlement = ({ ticket }: DurableRequest, { outcome, error }: End): UsageSettled =>
  buildUsageSettled(
    { ...ticket, priceVersion: ticket.price.version },
    { outcome, costNanoUsd: 0n, errorCode: error.code, settledAtMs: Date.now() },
  );
