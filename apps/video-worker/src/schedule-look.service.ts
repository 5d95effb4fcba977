import { isFinalVideoTask, renderVideoTask, type TaskId } from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import type { PollUpdate, TaskStore, WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { TASK_STORE, WORKER_CONFIG, WORKER_ID, type WorkerConfig } from './doors.js';
import { SetAlarms } from './set-alarms.service.js';
import { TellChange } from './tell-change.service.js';

/** A look that takes longer has died with its worker: asking, stopping and asking again, and the turns between them. */
const LEASE_SLACK_MS = 5_000;
const CALLS_OF_A_LOOK = 3;

/** Takes a task up for a look, and puts it down until the next: what was found goes to Postgres first, then its alarm is set. */
@Injectable()
export class ScheduleLook {
  constructor(
    @Inject(TASK_STORE) private readonly tasks: TaskStore,
    @Inject(WORKER_ID) private readonly workerId: string,
    private readonly alarms: SetAlarms,
    private readonly change: TellChange,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
  ) {}

  /** This worker alone has it then. Null: it has ended, or another worker is at it. */
  takeUp(taskId: TaskId): Promise<WorkerVideoTask | null> {
    return this.tasks.claimPoll(taskId, this.workerId, this.config.pollTimeoutMs * CALLS_OF_A_LOOK + LEASE_SLACK_MS);
  }

  /** Nothing was found out. */
  async postpone(task: WorkerVideoTask, delayMs: number): Promise<void> {
    const postponed = await this.tasks.postponePoll(task.taskId, this.workerId, delayMs);
    if (postponed !== null) await this.#setAlarm(postponed, delayMs);
  }

  /** `noteOf` may be asked again, of the task as somebody else has changed it meanwhile. */
  async note(task: WorkerVideoTask, noteOf: (task: WorkerVideoTask) => PollUpdate): Promise<void> {
    for (let seen = task; ; ) {
      const note = noteOf(seen);
      const noted = await this.tasks.notePoll(seen, note, renderVideoTask(afterNote(seen, note), formatUsd));
      if (noted !== null) {
        if (noted.state !== seen.state || noted.progress !== seen.progress) this.change.tell(noted);
        return this.#setAlarm(noted, note.nextPollMs);
      }
      const now = await this.tasks.find(task.taskId);
      if (now === null || isFinalVideoTask(now.state)) return;
      seen = now;
    }
  }

  /** The upstream cannot stop it any more, which its customer waits to hear. The task as it is then; null: it is gone. */
  async noteCancelRefused(task: WorkerVideoTask): Promise<WorkerVideoTask | null> {
    const refused = await this.tasks.noteCancelRefused(task);
    if (refused === null) return this.tasks.find(task.taskId);
    this.change.tell(refused);
    return refused;
  }

  /** A customer who wants it cancelled waits for an answer. */
  async #setAlarm({ taskId, vendor, pollNumber, cancelOutcome }: WorkerVideoTask, delayMs: number): Promise<void> {
    const soonestMs = cancelOutcome === 'pending' ? Math.min(delayMs, this.config.pollFastestMs) : delayMs;
    await this.alarms.set(vendor, [{ taskId, number: pollNumber, delayMs: soonestMs }]);
  }
}

/** A task as it will be after a note: what its event says. */
const afterNote = (task: WorkerVideoTask, note: PollUpdate): WorkerVideoTask => ({
  ...task,
  state: task.state === 'queued' && note.state === 'running' ? 'running' : task.state,
  startedAtMs: task.startedAtMs ?? note.startedAtMs,
  progress: note.progress === null ? task.progress : Math.max(note.progress, task.progress ?? 0),
  upstream: note.upstream ?? task.upstream,
});
