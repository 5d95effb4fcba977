import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SlabMap } from '@gateway/collections';
import {
  bodyObject,
  type Claim,
  type DurableRequest,
  GatewayError,
  type RequestOrigin,
  responseObject,
  type SyncTicket,
} from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import {
  type ClaimedRow,
  isReplyLost,
  type NewClaim,
  type RequestClaim,
  type RequestDecision,
  type RequestStore,
} from '@gateway/postgres';
import type { AdmissionStore } from '@gateway/redis';
import { isStoreFull, type ObjectStore } from '@gateway/store';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ADMISSION_STORE, FAILPOINTS, LOGGER, OBJECT_STORE, REQUEST_STORE } from '../tokens.js';
import { EndStoredRequest } from './end-stored-request.service.js';
import type { KeptRequestFailpoints } from './failpoints.js';
import { MAX_ATTEMPTS } from './max-attempts.js';
import { renewMoney } from './renew-money.js';
import { StoredRequest } from './stored-request.js';

/** A cancellation reaches a running request within this time. */
const RENEW_EVERY_MS = 2_000;
/** Holds and leases last longer: every seventh renewal is theirs too. */
const ROUNDS_PER_MONEY_RENEWAL = 7;
/** A lease of an admission lasts for a minute: longer than this and the time until the next renewal. */
const ADMITTED_JUST_NOW_MS = 20_000;
/** A claim survives many failed renewals; then its request is run again. */
const LEASE_MS = 30_000;
/** A claim whose reply is lost may hold the request for that long, so it is repeated until then. */
const CLAIM_REPEATED_FOR_MS = LEASE_MS;
/** Another worker takes a request that was handed back at once; this one is for a lost ticket. */
const HANDED_BACK_DUE_MS = 1_000;
/** A store or a database that is away for longer costs the response, and never the customer. */
const RETRY_FOR_MS = 180_000;
const RETRY_EVERY_MS = 1_000;

interface Running {
  readonly request: DurableRequest;
  readonly claim: RequestClaim;
  readonly run: StoredRequest;
}

/** The origin of requests that wait in the store. Renews the claims of those that run here. */
@Injectable()
export class StoredRequests implements RequestOrigin, OnModuleInit, OnApplicationShutdown {
  readonly #running = new SlabMap<Running>();
  #timer: NodeJS.Timeout | undefined;
  #rounds = 0;

  constructor(
    @Inject(REQUEST_STORE) private readonly requests: RequestStore,
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
    @Inject(ADMISSION_STORE) private readonly admission: Pick<AdmissionStore, 'renew'>,
    private readonly ending: EndStoredRequest,
    @Inject(FAILPOINTS) private readonly failpoints: KeptRequestFailpoints,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.#timer = setInterval(() => void this.#renew(), RENEW_EVERY_MS);
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  /** Reads a body in the store first: a store that is away must not cost an attempt. */
  async claim(ticket: SyncTicket): Promise<Claim> {
    const { requestId } = ticket;
    const claim = { requestId, owner: randomUUID() };
    try {
      const stored = ticket.bodyIn === 'row' ? undefined : await this.objects.read(bodyObject(requestId));
      const claimed = await this.#claimRow({ ...claim, ticket });
      if (claimed === null) return 'denied';
      const body = stored ?? claimed.body;
      if (body === null) throw new Error('the row has no body');
      return this.#open(claimed, claim, body);
    } catch (error) {
      this.logger.warn({ err: error, requestId }, 'claiming a stored request failed, will be retried');
      return 'unreachable';
    }
  }

  /** Under another owner, the request would wait for the end of a claim that no run has. */
  async #claimRow(claim: NewClaim): Promise<ClaimedRow | null> {
    let isHeld = false;
    for (const untilMs = Date.now() + CLAIM_REPEATED_FOR_MS; ; await sleep(RETRY_EVERY_MS)) {
      try {
        return await this.requests.claim(claim);
      } catch (error) {
        isHeld ||= isReplyLost(error);
        if (!isHeld || Date.now() >= untilMs) throw error;
        this.logger.warn({ err: error, requestId: claim.requestId }, 'the reply to a claim was lost, will be repeated');
      }
    }
  }

  #open({ request, ageMs }: ClaimedRow, claim: RequestClaim, body: Buffer): StoredRequest {
    const { requestId, ticket } = request;
    this.failpoints.reach('after-claim');
    let ended: DurableRequest | undefined;
    const run = new StoredRequest(ticket, body, {
      leftMs: ticket.deadlineMs - ticket.admittedAtMs - ageMs,
      putResponse: (bytes) => this.#putResponse(request, bytes),
      end: async (decision) => {
        this.failpoints.reach('after-store');
        ended = await this.#retry(requestId, () => this.ending.end(request, claim, namingObject(decision, request)));
        this.failpoints.reach('after-end');
        return ended !== undefined;
      },
      handBack: async () => request.attempts < MAX_ATTEMPTS && (await this.requests.return(claim, HANDED_BACK_DUE_MS)),
      settled: () => {
        this.failpoints.reach('after-settle');
        // No client waits for the mark.
        void this.ending.settled(ended ?? request).then(() => this.failpoints.reach('after-mark'));
      },
      onOver: () => this.#running.delete(claim.owner),
      show: (offset, bytes) => this.ending.show(request, offset, bytes),
    });
    this.#running.set(claim.owner, { request, claim, run });
    if (ageMs > ADMITTED_JUST_NOW_MS) this.#renewMoney([request]);
    this.ending.publishChange(request, 'begun');
    return run;
  }

  async #putResponse({ requestId, attempts }: DurableRequest, bytes: Buffer): Promise<void> {
    try {
      await this.#retry(requestId, () => this.objects.put(responseObject(requestId, attempts), bytes));
    } catch (error) {
      this.logger.error({ err: error, requestId }, 'response could not be stored');
      throw new GatewayError(
        'response_not_stored',
        isStoreFull(error)
          ? 'The response could not be stored, because the store is full. It costs nothing.'
          : 'The response could not be stored. It costs nothing.',
      );
    }
  }

  async #retry<Result>(requestId: string, run: () => Promise<Result>): Promise<Result> {
    for (const untilMs = Date.now() + RETRY_FOR_MS; ; await sleep(RETRY_EVERY_MS)) {
      try {
        return await run();
      } catch (error) {
        if (Date.now() >= untilMs) throw error;
        this.logger.warn({ err: error, requestId }, 'keeping a response failed, will be retried');
      }
    }
  }

  async #renew(): Promise<void> {
    const running = [...this.#running.values()];
    if (running.length === 0) return;
    this.#rounds += 1;
    if (this.#rounds % ROUNDS_PER_MONEY_RENEWAL === 0) this.#renewMoney(running.map(({ request }) => request));
    try {
      const held = await this.requests.renew(
        running.map(({ claim }) => claim),
        LEASE_MS,
      );
      const renewed = new Map(held.map((claim) => [claim.requestId, claim]));
      for (const { claim, run } of running) {
        const known = renewed.get(claim.requestId);
        // One that is over is no longer in progress, and stops nothing.
        if (known === undefined) run.stop();
        else if (known.isCancelRequested) run.cancel();
      }
    } catch (error) {
      this.logger.warn({ err: error, count: running.length }, 'renewing stored requests failed, will be retried');
    }
  }

  #renewMoney(requests: readonly DurableRequest[]): void {
    renewMoney(this.admission, requests).catch((error: unknown) => {
      this.logger.warn({ err: error, count: requests.length }, 'renewing holds failed, will be retried');
    });
  }
}

/** The row says which run has written the object of its response. */
const namingObject = (decision: RequestDecision, { attempts }: DurableRequest): RequestDecision =>
  decision.response === null || decision.shortResponse !== undefined || attempts === 1
    ? decision
    : { ...decision, response: { ...decision.response, attempt: attempts } };
