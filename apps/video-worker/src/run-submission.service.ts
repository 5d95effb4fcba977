import type { SyncTicket } from '@gateway/contracts';
import type { ActiveSpan, Tracing } from '@gateway/observability';
import type { Requeued } from '@gateway/redis';
import type { RelayPool, RequestStream } from '@gateway/relay';
import { Inject, Injectable } from '@nestjs/common';
import { answerRepeated, answerSubmission, refuseSubmission } from './answer-submission.js';
import { RELAY_POOL, TRACING } from './doors.js';
import { type SubmissionEnd, SubmitTask } from './submit-task.service.js';
import { WORKER_METRICS, type WorkerMetrics } from './worker-metrics.js';

/** The client's side of a submission: claim the request, have its task submitted, and tell what became of it. */
@Injectable()
export class RunSubmission {
  constructor(
    @Inject(RELAY_POOL) private readonly relay: RelayPool,
    private readonly submitting: SubmitTask,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    @Inject(TRACING) private readonly tracing: Tracing,
  ) {}

  /** `stop` fires when this worker may not run any longer: a submission that has not reached its upstream ends then. */
  run(ticket: SyncTicket, stop: AbortSignal): Promise<Requeued | undefined> {
    const attributes = { 'gateway.request_id': ticket.requestId, 'gen_ai.request.model': ticket.model };
    const start = { role: 'consumer', parent: ticket.traceparent, attributes } as const;
    return this.tracing.withSpan('submit video', start, (span) => this.#run(ticket, stop, span));
  }

  async #run(ticket: SyncTicket, stop: AbortSignal, span: ActiveSpan): Promise<Requeued | undefined> {
    const claimed = await this.relay.claim(ticket);
    if (claimed === 'denied' || claimed === 'unreachable') {
      this.#count(claimed, span);
      // Denied: nobody waits for it, its edge has settled it. Unreachable: its edge is dead and its hold expires, or it is us.
      return claimed === 'unreachable' ? 'handed back' : undefined;
    }
    const queueWaitMs = Math.max(0, Date.now() - ticket.admittedAtMs);
    this.metrics.queueWaitSeconds.observe(queueWaitMs / 1_000);
    span.update({ attributes: { 'gateway.queue_wait_ms': queueWaitMs } });
    const { signal: gone } = claimed;
    const body = claimed.takeBody();
    const traceparent = span.traceparent ?? ticket.traceparent ?? null;
    const end = await this.submitting.submit({ ticket, body, traceparent, gone, stop });
    tell(claimed, end);
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

function tell(claimed: RequestStream, end: SubmissionEnd): void {
  if (end.outcome === 'accepted') answerSubmission(claimed, end.task, end.balanceNanoUsd);
  else if (end.outcome === 'repeated') answerRepeated(claimed, end.task, end.submission);
  else refuseSubmission(claimed, end.error, end.balanceNanoUsd);
}
