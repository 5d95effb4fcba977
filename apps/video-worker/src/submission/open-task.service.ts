import { type ModelWithCapability, modelOfPrice, withCapability } from '@gateway/catalogue';
import { GatewayError, type SyncTicket, type VideoSubmission, videoSubmission } from '@gateway/contracts';
import type { TaskStore, WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { TASK_STORE, WORKER_CONFIG, type WorkerConfig } from '../tokens.js';
import { newTask } from './new-task.js';

const ALREADY_SETTLED = new GatewayError('client_closed_request', 'The request was cancelled.');

interface ParsedSubmission {
  readonly model: ModelWithCapability<'video'>;
  readonly submission: VideoSubmission;
}

/** `exists`: the idempotency key or the request already has a task. */
export interface OpenedTask extends ParsedSubmission {
  readonly outcome: 'opened' | 'exists';
  readonly task: WorkerVideoTask;
}

/** Stores a task before any side effect. */
@Injectable()
export class OpenTask {
  constructor(
    @Inject(TASK_STORE) private readonly tasks: TaskStore,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
  ) {}

  /** Throws a GatewayError if the request has been settled, or if a newer edge sent it. */
  async open(
    request: { readonly ticket: SyncTicket; readonly body: Buffer; readonly traceparent: string | null },
    leaseMs: number,
  ): Promise<OpenedTask> {
    const { ticket, traceparent } = request;
    const parsed = parseSubmission(ticket, request.body);
    const row = newTask(ticket, parsed.submission, parsed.model, traceparent, this.config.taskDeadlineSeconds);
    const opened = await this.tasks.open(row, leaseMs);
    if (opened.outcome === 'settled') throw ALREADY_SETTLED;
    return { ...opened, ...parsed };
  }
}

/** During a roll-out a newer edge may send a model or fields that this worker does not know. */
function parseSubmission(ticket: SyncTicket, body: Buffer): ParsedSubmission {
  const model = modelOfPrice(ticket.model, ticket.price.version);
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
