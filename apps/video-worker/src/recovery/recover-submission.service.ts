import type { Logger } from '@gateway/observability';
import { type PollUpdate, taskTimeMs, type WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { FinishTask } from '../completion/finish-task.service.js';
import { completionWithoutVideo } from '../completion/task-completion.js';
import type { WorkerMetrics } from '../metrics.js';
import { AcceptTask } from '../submission/accept-task.service.js';
import type { TaskChannel } from '../task/task-channels.js';
import { TaskLease } from '../task/task-lease.service.js';
import { LOGGER, WORKER_CONFIG, WORKER_METRICS, type WorkerConfig } from '../tokens.js';
import { ChannelThrottle } from '../upstream/channel-throttle.service.js';
import { FindSubmission, type LookupResult } from './find-submission.service.js';

/** A submission counts as lost only after this many lookups in a row without it. */
const MIN_ABSENCES = 3;
/** Listing tasks costs a vendor more than a poll, so lookups run less often by this factor. */
const LOOKUP_FACTOR = 5;

const NEVER_CONFIRMED = {
  code: 'submission_unknown',
  message: 'The upstream never confirmed the task. Nothing is charged.',
};
const NEVER_ACCEPTED = {
  code: 'submission_lost',
  message: 'The upstream did not accept the task. Nothing is charged.',
};

type RecoveryConfig = Pick<WorkerConfig, 'unknownAfterMs' | 'submitTimeoutMs' | 'pollFastestMs' | 'pollSlowestMs'>;

/** Recovers a submission whose response was lost. It never submits again: the task may be running. */
@Injectable()
export class RecoverSubmission {
  // Eight collaborators: five for the outcomes, and config, metrics and log, which report the outcome.
  constructor(
    private readonly throttle: ChannelThrottle,
    private readonly finding: FindSubmission,
    private readonly accepting: AcceptTask,
    private readonly finishing: FinishTask,
    private readonly lease: TaskLease,
    @Inject(WORKER_CONFIG) private readonly config: RecoveryConfig,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async recover(task: WorkerVideoTask, channel: TaskChannel, stop: AbortSignal): Promise<void> {
    const { retryAfterMs } = await this.throttle.waitForSlot(task.vendor, channel.channelId, stop);
    if (retryAfterMs > 0) return this.lease.postpone(task, retryAfterMs);
    const result = await this.finding.find(task, channel, stop);
    this.metrics.lookups.inc({ vendor: task.vendor, outcome: result.kind });
    if (result.kind === 'found') {
      const { upstreamTaskId } = result;
      this.logger.warn({ taskId: task.taskId, upstreamTaskId }, 'lost submission found');
      await this.accepting.accept(task, { upstreamTaskId, channel, attempts: task.attempts });
      return;
    }
    if (taskTimeMs(task) >= task.expiresAtMs) {
      await this.finishing.finish(task, (seen) =>
        completionWithoutVideo(seen, 'expired', NEVER_CONFIRMED, taskTimeMs(seen)),
      );
      this.logger.error({ taskId: task.taskId, vendor: task.vendor }, 'lost submission expired');
      return;
    }
    if (result.kind === 'unlisted' && this.#answeredForMs(task) <= 0) {
      await this.finishing.finish(task, (seen) =>
        completionWithoutVideo(seen, 'failed', NEVER_CONFIRMED, taskTimeMs(seen)),
      );
      this.logger.error({ taskId: task.taskId, vendor: task.vendor }, 'lost submission cannot be found');
      return;
    }
    if (this.#wasNeverAccepted(task, result)) {
      await this.finishing.finish(task, (seen) =>
        completionWithoutVideo(seen, 'failed', NEVER_ACCEPTED, taskTimeMs(seen)),
      );
      return;
    }
    await this.lease.record(task, (seen) => this.#updateFor(seen, result));
  }

  /** The upstream's list lacked the task several times, the last time long enough after the submission. */
  #wasNeverAccepted(task: WorkerVideoTask, { kind }: LookupResult): boolean {
    return kind === 'absent' && task.missCount + 1 >= MIN_ABSENCES && this.#listedForMs(task) <= 0;
  }

  /** The time within which the upstream may still list the task. */
  #listedForMs(task: WorkerVideoTask): number {
    return this.#answeredForMs(task) + this.config.unknownAfterMs;
  }

  /** The time within which the upstream may still answer: then the call has timed out. */
  #answeredForMs(task: WorkerVideoTask): number {
    return (task.upstreamCalledAtMs ?? 0) + this.config.submitTimeoutMs - taskTimeMs(task);
  }

  #updateFor(task: WorkerVideoTask, { kind }: LookupResult): PollUpdate {
    const { missCount, expiresAtMs } = task;
    const { pollFastestMs, pollSlowestMs } = this.config;
    const untilDeadlineMs = Math.max(pollFastestMs, expiresAtMs - taskTimeMs(task));
    // Without a task list nothing can be found: the money returns as soon as no response can come any more.
    const lookupMs =
      kind === 'unlisted'
        ? Math.max(pollFastestMs, this.#answeredForMs(task))
        : Math.min(pollSlowestMs, pollFastestMs * LOOKUP_FACTOR);
    const waitMs = Math.min(untilDeadlineMs, lookupMs);
    return {
      state: null,
      startedAtMs: null,
      progress: null,
      upstream: null,
      failures: 0,
      missCount: kind === 'absent' ? missCount + 1 : 0,
      nextPollMs: waitMs,
    };
  }
}
