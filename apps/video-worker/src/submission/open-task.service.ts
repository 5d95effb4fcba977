import { type ModelWithCapability, modelOfPrice, withCapability } from '@gateway/catalogue';
import { GatewayError, type SyncTicket, type Vendor } from '@gateway/contracts';
import { withTimeout } from '@gateway/observability';
import type { TaskStore, WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { TASK_STORE, WORKER_CONFIG, type WorkerConfig } from '../tokens.js';
import { ReceiveSubmission } from './in-thread/receive-submission.service.js';
import { newTask } from './new-task.js';
import type { ReceivedSubmission, SubmissionFacts } from './received-submission.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const BILLS_MODERATED: ReadonlySet<Vendor> = new Set(['xai']);
/** For each account. The most expensive one costs the operator $3.75 if the vendor does not report what it bills. */
const MAX_MODERATED_A_DAY = 10;

/** A dead machine refuses no connection, and a client waits. A task that is stored late is recovered as one that reached no vendor. */
const STORED_WITHIN_MS = 5_000;

export const DATABASE_UNAVAILABLE = new GatewayError(
  'service_unavailable',
  'Tasks cannot be stored right now, try again shortly.',
  { retryAfterMs: 1_000 },
);
const ALREADY_SETTLED = new GatewayError('client_closed_request', 'The request was cancelled.');

interface SubmissionRequest {
  readonly ticket: SyncTicket;
  readonly body: Buffer;
  readonly traceparent: string | null;
}

/** `exists`: the idempotency key or the request already has a task. */
export interface OpenedTask {
  readonly outcome: 'opened' | 'exists';
  readonly task: WorkerVideoTask;
  readonly model: ModelWithCapability<'video'>;
  /** Close it once the upstream has it. */
  readonly submission: ReceivedSubmission;
}

/** Stores a task before any side effect. */
@Injectable()
export class OpenTask {
  constructor(
    @Inject(TASK_STORE) private readonly tasks: TaskStore,
    private readonly receiving: ReceiveSubmission,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
  ) {}

  /** Throws a GatewayError if the request has been settled, or if a newer edge sent it. A long body is empty afterwards. */
  async open(request: SubmissionRequest, leaseMs: number): Promise<OpenedTask> {
    const { ticket } = request;
    const model = modelOf(ticket);
    const submission = await this.receiving.receive(request.body);
    if (submission === undefined) throw beingRolledOut(ticket);
    try {
      return { ...(await this.#store(request, submission.facts, model, leaseMs)), model, submission };
    } catch (error) {
      submission.close();
      throw error;
    }
  }

  async #store(
    { ticket, traceparent }: SubmissionRequest,
    facts: SubmissionFacts,
    model: ModelWithCapability<'video'>,
    leaseMs: number,
  ): Promise<Pick<OpenedTask, 'outcome' | 'task'>> {
    await this.#checkModeration(ticket, model);
    const row = newTask(ticket, facts, model, traceparent, this.config.taskDeadlineSeconds);
    const opened = await soon(this.tasks.open(row, leaseMs));
    if (opened.outcome === 'settled') throw ALREADY_SETTLED;
    return opened;
  }

  /** Such a vendor bills videos that it keeps back, and does not always say so in the record. */
  async #checkModeration({ accountId, isTest }: SyncTicket, { vendor }: ModelWithCapability<'video'>): Promise<void> {
    if (!BILLS_MODERATED.has(vendor) || isTest === true) return;
    const nowMs = Date.now();
    const sinceMs = startOfDayMs(nowMs);
    if ((await soon(this.tasks.countModerated({ accountId, vendor, sinceMs }))) < MAX_MODERATED_A_DAY) return;
    throw new GatewayError(
      'rate_limit_exceeded',
      `Moderation kept back ${MAX_MODERATED_A_DAY} videos of this account today. Change the prompts, and try again tomorrow (UTC).`,
      { retryAfterMs: sinceMs + DAY_MS - nowMs },
    );
  }
}

const soon = <Found>(query: Promise<Found>): Promise<Found> =>
  withTimeout(query, STORED_WITHIN_MS, () => {
    throw DATABASE_UNAVAILABLE;
  });

/** Today's tasks, by the clock that days of limits follow. */
const startOfDayMs = (nowMs: number): number => nowMs - (nowMs % DAY_MS);

/** During a roll-out a newer edge may send a model or fields that this worker does not know. */
const beingRolledOut = ({ model }: SyncTicket): GatewayError =>
  new GatewayError('upstream_unavailable', `The model '${model}' is being rolled out, try again shortly.`, {
    retryAfterMs: 5_000,
  });

function modelOf(ticket: SyncTicket): ModelWithCapability<'video'> {
  const model = modelOfPrice(ticket.model, ticket.price.version);
  if (model?.video === undefined || ticket.endpoint !== 'videos.generations') throw beingRolledOut(ticket);
  return withCapability(model, 'video');
}
