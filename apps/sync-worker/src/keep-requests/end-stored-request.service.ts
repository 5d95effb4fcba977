import { type DurableRequest, encodeRequestEnd, finalRequestStatus, renderDurableRequest } from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import type { Logger } from '@gateway/observability';
import type { RequestClaim, RequestDecision, RequestStore } from '@gateway/postgres';
import {
  type LiveResponses,
  publishRequestChange,
  publishRequestEnd,
  type RedisPair,
  type RunningStream,
} from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import type { WorkerMetrics } from '../observability/metrics.js';
import { LIVE_RESPONSES, LOGGER, REDIS, REQUEST_STORE, WORKER_METRICS } from '../tokens.js';
import { BackgroundResponses } from './background-responses.service.js';
import type { Shown } from './stored-request.js';

/** Ends durable requests before they are settled, marks them when they are, and publishes their changes. */
@Injectable()
export class EndStoredRequest {
  constructor(
    @Inject(REQUEST_STORE) private readonly requests: Pick<RequestStore, 'end' | 'markSettled'>,
    private readonly background: BackgroundResponses,
    @Inject(REDIS) private readonly redis: Pick<RedisPair, 'queues'>,
    @Inject(LIVE_RESPONSES) private readonly live: LiveResponses,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Response, settlement, end and event commit together. Returns the ended request; undefined: the claim does not hold. Rejects
   * while a store is away; may be repeated.
   */
  async end(
    request: DurableRequest,
    claim: RequestClaim,
    decision: RequestDecision,
  ): Promise<DurableRequest | undefined> {
    const { accountId } = request;
    const status = finalRequestStatus(decision.error);
    const finishedAtMs = Date.now();
    const ended = { ...request, ...decision, status, finishedAtMs, version: request.version + 1 };
    const isEnded = await this.requests.end({
      ...{ ...decision, claim, accountId, status, finishedAtMs },
      record: renderDurableRequest(ended, formatUsd),
      isOfBatch: request.ticket.isOfBatch === true,
      endedResponse: await this.background.endOf(ended),
    });
    if (!isEnded) return undefined;
    this.metrics.durableRequests.inc({ status });
    return ended;
  }

  /** Redis has settled it. Never rejects: the sweep settles again what could not be marked. */
  async settled(request: DurableRequest): Promise<void> {
    this.#sendEnd(request);
    this.publishChange(request);
    this.#hide(request);
    const { requestId } = request;
    await this.requests.markSettled(requestId).catch((error: unknown) => {
      this.logger.warn({ err: error, requestId }, 'marking a settled request failed, will be retried');
    });
  }

  /** Never rejects: bytes that are not shown now are shown with the next ones, or from the store. */
  async show(request: RunningStream, offset: number, bytes: Buffer): Promise<Shown> {
    try {
      if (await this.live.write(request, offset, bytes)) return 'shown';
      this.metrics.streamsWithoutRoom.inc();
      return 'no_room';
    } catch (error) {
      this.logger.warn({ err: error, requestId: request.requestId }, 'showing a stream failed, will be retried');
      return 'failed';
    }
  }

  /** Readers go on in the store. What remains here expires. */
  #hide(request: DurableRequest): void {
    if (request.ticket.isStream !== true) return;
    this.live.end(request).catch((error: unknown) => {
      this.logger.warn({ err: error, requestId: request.requestId }, 'removing a shown stream failed, it expires');
    });
  }

  /** Best effort: the edge whose client waits also reads the row. */
  #sendEnd(request: DurableRequest): void {
    const { requestId, ticket } = request;
    const end = ticket.awaitedBy === undefined ? undefined : encodeRequestEnd(request);
    if (ticket.awaitedBy === undefined || end === undefined) return;
    publishRequestEnd(this.redis.queues, ticket.awaitedBy, end).catch((error: unknown) => {
      this.logger.warn({ err: error, requestId }, 'sending the end of a request failed, its edge reads it');
    });
  }

  /** Best effort: readers also poll. */
  publishChange({ requestId, accountId }: Pick<DurableRequest, 'requestId' | 'accountId'>, change?: 'begun'): void {
    publishRequestChange(this.redis.queues, { requestId, accountId, isBegun: change === 'begun' }).catch(
      (error: unknown) => {
        this.logger.warn({ err: error, requestId }, 'publishing a change failed, readers poll');
      },
    );
  }
}
