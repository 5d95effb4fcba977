import { findModel, type ModelWithCapability, withCapability } from '@gateway/catalogue';
import { GatewayError, type SyncTicket, type VideoSubmission, videoSubmission } from '@gateway/contracts';
import type { TaskStore, WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { TASK_STORE, WORKER_CONFIG, type WorkerConfig } from '../doors.js';
import { newTask } from './new-task.js';

const SETTLED = new GatewayError('client_closed_request', 'The request was cancelled.');

interface Asked {
  readonly model: ModelWithCapability<'video'>;
  readonly submission: VideoSubmission;
}

/** `exists`: a task of the same idempotency key is there, or of the same request. */
export interface Opened extends Asked {
  readonly outcome: 'opened' | 'exists';
  readonly task: WorkerVideoTask;
}

/** Writes a task down before anything is done for it. */
@Injectable()
export class OpenTask {
  constructor(
    @Inject(TASK_STORE) private readonly tasks: TaskStore,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
  ) {}

  /** Throws a GatewayError if the request has ended, or is of a release that this worker does not know. */
  async open(
    request: { readonly ticket: SyncTicket; readonly body: Buffer; readonly traceparent: string | null },
    leaseMs: number,
  ): Promise<Opened> {
    const { ticket, traceparent } = request;
    const asked = readSubmission(ticket, request.body);
    const row = newTask(ticket, asked.submission, asked.model, traceparent, this.config.taskDeadlineSeconds);
    const opened = await this.tasks.open(row, leaseMs);
    if (opened.outcome === 'settled') throw SETTLED;
    return { ...opened, ...asked };
  }
}

/** A worker that does not know the model, or what is asked of it, is of an older release than the edge. */
function readSubmission(ticket: SyncTicket, body: Buffer): Asked {
  const model = findModel(ticket.model);
  const submission = videoSubmission.safeParse(JSON.parse(body.toString('utf8')));
  if (model?.video === undefined || !submission.success || ticket.endpoint !== 'videos.generations') {
    throw new GatewayError(
      'upstream_unavailable',
      `The model '${ticket.model}' is being rolled out, try again shortly.`,
      { retryAfterMs: 5_000 },
    );
  }
  return { model: withCapability(model, 'video'), submission: submission.data };
}
