import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import {
  type DurableRequest,
  isFinalRequestStatus,
  isGatewayError,
  type KeyRecord,
  type RequestEnding,
  renderDurableRequest,
} from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import { Inject, Injectable } from '@nestjs/common';
import { TaskChanges } from '../../follow-tasks/task-changes.service.js';
import { beginHeartbeat } from '../../http/begin-heartbeat.js';
import { KeptRequests } from '../../keep-requests/kept-requests.service.js';
import { EDGE_CONFIG, type EdgeConfig } from '../../tokens.js';

export const hasEnded = ({ status }: DurableRequest): boolean => isFinalRequestStatus(status);

/** A wait that began before its request was queued. */
export interface ExpectedEnd {
  /** With the end, if the worker has sent it. */
  readonly woken: Promise<RequestEnding | undefined>;
  readonly giveUp: () => void;
}

/** Resolves also if the signal aborts first. */
async function wokenOr(signal: AbortSignal, { woken, giveUp }: ExpectedEnd): Promise<RequestEnding | undefined> {
  signal.addEventListener('abort', giveUp);
  if (signal.aborted) giveUp();
  const end = await woken;
  signal.removeEventListener('abort', giveUp);
  return end;
}

/** The request as its customer sees it. */
export const requestRecord = (request: DurableRequest) => renderDurableRequest(request, formatUsd);

/** The response to a cancellation waits this long for its outcome. */
const CANCEL_WAIT_MS = 10_000;

/** Waits for changes of kept requests. A published change wakes it; it reads the change from PostgreSQL. */
@Injectable()
export class FollowRequest {
  constructor(
    private readonly requests: KeptRequests,
    private readonly changes: TaskChanges,
    @Inject(EDGE_CONFIG) private readonly config: EdgeConfig,
  ) {}

  /** Wakes when the request may have ended. Call it before a worker can have it: then it needs no read before. */
  expectEnd({ requestId }: Pick<DurableRequest, 'requestId'>): ExpectedEnd {
    const waiting = new AbortController();
    return { woken: this.changes.nextEnd(requestId, waiting), giveUp: () => waiting.abort() };
  }

  /** The outcome of a cancellation that was asked for, or the last known state after ten seconds. The cancellation continues. */
  untilCancelled(key: KeyRecord, asked: DurableRequest, signal: AbortSignal): Promise<DurableRequest> {
    return this.untilEnded(key, asked, AbortSignal.any([signal, AbortSignal.timeout(CANCEL_WAIT_MS)]));
  }

  /** Returns the request once it has ended, or its last known state when the signal aborts. `expected`: begun before it was queued. */
  async untilEnded(
    key: KeyRecord,
    seen: DurableRequest,
    signal: AbortSignal,
    expected?: ExpectedEnd,
  ): Promise<DurableRequest> {
    let [request, waiting] = [seen, expected];
    while (!hasEnded(request) && !signal.aborted) {
      if (waiting === undefined) {
        waiting = this.expectEnd(request);
        request = await this.read(key, request);
        if (hasEnded(request)) waiting.giveUp();
      }
      const end = await wokenOr(signal, waiting);
      request = end?.(request) ?? request;
      waiting = undefined;
    }
    return request;
  }

  /**
   * Writes an event for each status that it sees, from the version after `seenVersion` on, until the request has ended or the
   * signal aborts. A client that missed some gets the newest one.
   */
  async writeEvents(
    key: KeyRecord,
    request: DurableRequest,
    { response, signal, seenVersion }: { response: ServerResponse; signal: AbortSignal; seenVersion: number },
  ): Promise<void> {
    const heartbeat = beginHeartbeat(response, this.config.responseLimits.heartbeatMs);
    try {
      let [current, seen] = [request, seenVersion];
      while (!signal.aborted) {
        const change = this.changes.next(current.requestId, signal);
        current = await this.read(key, current);
        if (current.version > seen && !response.write(eventOf(current))) await once(response, 'drain', { signal });
        seen = Math.max(seen, current.version);
        if (hasEnded(current)) return;
        await change;
      }
    } finally {
      clearInterval(heartbeat);
    }
  }

  /** True if a change was published; false if the signal aborted first. */
  async nextChange({ requestId }: DurableRequest, signal: AbortSignal): Promise<boolean> {
    await this.changes.next(requestId, signal);
    return !signal.aborted;
  }

  /** A database that is briefly away must not end a wait. */
  async read(key: KeyRecord, seen: DurableRequest): Promise<DurableRequest> {
    try {
      return await this.requests.find(key, seen.requestId);
    } catch (error) {
      if (isGatewayError(error) && error.code === 'service_unavailable') return seen;
      throw error;
    }
  }
}

const eventOf = (request: DurableRequest): string =>
  `id: ${request.version}\nevent: request.${request.status}\ndata: ${JSON.stringify(requestRecord(request))}\n\n`;
