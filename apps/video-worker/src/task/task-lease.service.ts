import { isFinalVideoTask, renderVideoTask, type TaskId } from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import { type PollUpdate, type TaskStore, taskAfterPoll, type WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { TASK_STORE, WORKER_CONFIG, WORKER_ID, type WorkerConfig } from '../tokens.js';
import { PollJobs } from './poll-jobs.service.js';
import { TaskChangePublisher } from './task-change-publisher.service.js';

/** One poll makes at most three upstream calls: status, cancel, status again. */
const CALLS_PER_POLL = 3;
/** Covers the waits for the channel throttle between the calls. */
const LEASE_SLACK_MS = 5_000;

/** Claims a task for one poll and releases it until the next. It writes PostgreSQL first, then schedules the poll job. */
@Injectable()
export class TaskLease {
  constructor(
    @Inject(TASK_STORE) private readonly tasks: TaskStore,
    @Inject(WORKER_ID) private readonly workerId: string,
    private readonly jobs: PollJobs,
    private readonly changes: TaskChangePublisher,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
  ) {}

  /** Null: the task has ended, or another worker holds it. */
  claim(taskId: TaskId): Promise<WorkerVideoTask | null> {
    return this.tasks.claimPoll(taskId, this.workerId, this.config.pollTimeoutMs * CALLS_PER_POLL + LEASE_SLACK_MS);
  }

  /** Releases the task without a change. */
  async postpone(task: WorkerVideoTask, delayMs: number): Promise<void> {
    const postponed = await this.tasks.postponePoll(task.taskId, this.workerId, delayMs);
    if (postponed !== null) await this.#schedule(postponed, delayMs);
  }

  /** Stores what a poll found and releases the task. Calls `updateFor` again if the task has changed meanwhile. */
  async record(task: WorkerVideoTask, updateFor: (task: WorkerVideoTask) => PollUpdate): Promise<void> {
    for (let seen = task; ; ) {
      const update = updateFor(seen);
      const stored = await this.tasks.recordPoll(seen, update, renderVideoTask(taskAfterPoll(seen, update), formatUsd));
      if (stored !== null) {
        if (stored.state !== seen.state || stored.progress !== seen.progress) this.changes.publish(stored);
        return this.#schedule(stored, update.nextPollMs);
      }
      const current = await this.tasks.find(task.taskId);
      if (current === null || isFinalVideoTask(current.state)) return;
      seen = current;
    }
  }

  /** Stores that the upstream refused to cancel. Returns the current task, or null if it no longer exists. */
  async recordCancelRefused(task: WorkerVideoTask): Promise<WorkerVideoTask | null> {
    const refused = await this.tasks.recordCancelRefused(task);
    if (refused === null) return this.tasks.find(task.taskId);
    this.changes.publish(refused);
    return refused;
  }

  async #schedule({ taskId, vendor, pollNumber, cancelOutcome }: WorkerVideoTask, delayMs: number): Promise<void> {
    // A customer waits for the outcome of a cancellation.
    const soonestMs = cancelOutcome === 'pending' ? Math.min(delayMs, this.config.pollFastestMs) : delayMs;
    await this.jobs.schedule(vendor, [{ taskId, number: pollNumber, delayMs: soonestMs }]);
  }
}
