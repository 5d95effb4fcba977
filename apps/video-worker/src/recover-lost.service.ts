import type { Logger } from '@gateway/observability';
import type { PollUpdate, WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { AcceptTask } from './accept-task.service.js';
import { LOGGER, WORKER_CONFIG, type WorkerConfig } from './doors.js';
import { endWithout } from './finish-task/end-of-task.js';
import { FinishTask } from './finish-task/finish-task.service.js';
import { FindLost, type Whereabouts } from './poll-task/find-lost.service.js';
import { PollTurns } from './poll-task/poll-turns.service.js';
import { ScheduleLook } from './schedule-look.service.js';
import type { TaskCursor } from './task-channels.js';
import { WORKER_METRICS, type WorkerMetrics } from './worker-metrics.js';

/** So many looks in a row have to show nothing before a task is taken not to exist. */
const LOOKS_AT_LEAST = 3;

const NEVER_KNOWN = {
  code: 'submission_unknown',
  message: 'Whether the upstream took the task was never found out. Nothing is charged.',
};
const NEVER_TAKEN = { code: 'submission_lost', message: 'The upstream did not take the task. Nothing is charged.' };

/** Looks for a task whose submission was never answered. It is never submitted again: it may be running already. */
@Injectable()
export class RecoverLost {
  constructor(
    private readonly turns: PollTurns,
    private readonly finding: FindLost,
    private readonly accepting: AcceptTask,
    private readonly finishing: FinishTask,
    private readonly next: ScheduleLook,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async recover(task: WorkerVideoTask, place: TaskCursor, stop: AbortSignal): Promise<void> {
    const { stayAwayMs } = await this.turns.take(task.vendor, place.channelId, stop);
    if (stayAwayMs > 0) return this.next.postpone(task, stayAwayMs);
    const where = await this.finding.find(task, place, stop);
    this.metrics.lostLooks.inc({ vendor: task.vendor, outcome: where.kind });
    if (where.kind === 'found') {
      this.logger.warn({ taskId: task.taskId, upstreamTaskId: where.upstreamTaskId }, 'a lost submission was found');
      await this.accepting.accept(task, { upstreamTaskId: where.upstreamTaskId, place, attempts: task.attempts });
      return;
    }
    if (Date.now() >= task.expiresAtMs) {
      await this.finishing.finish(task, (seen) => endWithout(seen, 'expired', NEVER_KNOWN, Date.now()));
      this.logger.error({ taskId: task.taskId, vendor: task.vendor }, 'a lost submission was given up');
      return;
    }
    if (this.#wasNeverTaken(task, where)) {
      await this.finishing.finish(task, (seen) => endWithout(seen, 'failed', NEVER_TAKEN, Date.now()));
      return;
    }
    await this.next.note(task, (seen) => this.#noteOf(seen, where));
  }

  /** The upstream's own list does not have it, for a while and more than once. */
  #wasNeverTaken({ missCount: doubts, askedAtMs }: WorkerVideoTask, { kind }: Whereabouts): boolean {
    const surelyListedMs = this.config.unknownAfterMs + this.config.submitTimeoutMs;
    return kind === 'absent' && doubts + 1 >= LOOKS_AT_LEAST && Date.now() - (askedAtMs ?? 0) >= surelyListedMs;
  }

  #noteOf({ missCount: doubts, expiresAtMs }: WorkerVideoTask, { kind }: Whereabouts): PollUpdate {
    const { pollFastestMs, pollSlowestMs } = this.config;
    const untilEndMs = Math.max(pollFastestMs, expiresAtMs - Date.now());
    // Where nothing is listed there is nothing to look for until its time is over.
    const waitMs = kind === 'unlisted' ? untilEndMs : Math.min(untilEndMs, pollSlowestMs, pollFastestMs * 5);
    return {
      state: null,
      startedAtMs: null,
      progress: null,
      upstream: null,
      failures: 0,
      missCount: kind === 'absent' ? doubts + 1 : 0,
      nextPollMs: waitMs,
    };
  }
}
