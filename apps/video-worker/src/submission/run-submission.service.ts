import type { ClaimedRequest, SyncTicket } from '@gateway/contracts';
import type { ActiveSpan, Tracing } from '@gateway/observability';
import type { Requeued } from '@gateway/redis';
import type { RelayPool } from '@gateway/relay';
import { Inject, Injectable } from '@nestjs/common';
import type { WorkerMetrics } from '../metrics.js';
import { RELAY_POOL, SUBMISSION_ROOM, TRACING, WORKER_METRICS } from '../tokens.js';
import { respondAccepted, respondFailed, respondRepeated } from './submission-response.js';
import type { SubmissionRoom } from './submission-room.js';
import { type SubmissionEnd, SubmitTask } from './submit-task.service.js';

/** Claims a request, submits its task and sends the response to the client. */
@Injectable()
export class RunSubmission {
  constructor(
    @Inject(RELAY_POOL) private readonly relay: RelayPool,
    private readonly submitting: SubmitTask,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    @Inject(TRACING) private readonly tracing: Tracing,
    @Inject(SUBMISSION_ROOM) private readonly room: SubmissionRoom,
  ) {}

  /** `stop` aborts at shutdown. It ends a submission only before the upstream call. `onClaimed`: the edge waits for it. */
  run(ticket: SyncTicket, stop: AbortSignal, onClaimed: () => void): Promise<Requeued | undefined> {
    const attributes = { 'gateway.request_id': ticket.requestId, 'gen_ai.request.model': ticket.model };
    const start = { role: 'consumer', parent: ticket.traceparent, attributes } as const;
    return this.tracing.withSpan('submit video', start, (span) => this.#inRoom(ticket, { stop, onClaimed }, span));
  }

  /** The edge keeps the body until the claim, so what waits for room takes no memory here. */
  async #inRoom(
    ticket: SyncTicket,
    signals: { readonly stop: AbortSignal; readonly onClaimed: () => void },
    span: ActiveSpan,
  ): Promise<Requeued | undefined> {
    const leave = await this.room.enter(ticket.bodyBytes, signals.stop);
    if (leave === undefined) return 'requeue';
    try {
      return await this.#run(ticket, signals, span);
    } finally {
      leave();
    }
  }

  async #run(
    ticket: SyncTicket,
    { stop, onClaimed }: { readonly stop: AbortSignal; readonly onClaimed: () => void },
    span: ActiveSpan,
  ): Promise<Requeued | undefined> {
    const claimed = await this.relay.claim(ticket);
    if (claimed === 'denied' || claimed === 'unreachable') {
      this.#count(claimed, span);
      // Denied: the edge has settled the request. Unreachable: the edge has died, or only this worker cannot reach it.
      return claimed === 'unreachable' ? 'requeue' : undefined;
    }
    onClaimed();
    const queueWaitMs = Math.max(0, Date.now() - ticket.admittedAtMs);
    this.metrics.queueWaitSeconds.observe(queueWaitMs / 1_000);
    span.update({ attributes: { 'gateway.queue_wait_ms': queueWaitMs } });
    const { signal: clientSignal } = claimed;
    const body = claimed.takeBody();
    const traceparent = span.traceparent ?? ticket.traceparent ?? null;
    const end = await this.submitting.submit({ ticket, body, traceparent, clientSignal, stop });
    respond(claimed, end);
    this.#count(end.outcome, span);
    if ('error' in end) span.update({ errorType: end.error.code });
    else
      span.update({ attributes: { 'gateway.task_id': end.task.taskId, 'gateway.channel': end.task.channelId ?? '' } });
    return undefined;
  }

  #count(outcome: SubmissionEnd['outcome'] | 'denied' | 'unreachable', span: ActiveSpan): void {
    this.metrics.tickets.inc({ outcome });
    span.update({ attributes: { 'gateway.outcome': outcome } });
  }
}

function respond(client: ClaimedRequest, end: SubmissionEnd): void {
  if (end.outcome === 'accepted') respondAccepted(client, end.task, end.balanceNanoUsd);
  else if (end.outcome === 'repeated') respondRepeated(client, end.task, end.facts);
  else respondFailed(client, end.error, end.balanceNanoUsd);
}
