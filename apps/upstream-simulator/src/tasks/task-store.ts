import { createHash } from 'node:crypto';
import { QueryLimit } from './query-limit.js';
import type { TaskState } from './timetable.js';
import type { VideoJob } from './video-job.js';
import { VideoTask } from './video-task.js';

const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls `onChange` for each state of a task, the present one first, until it ends. Call the result after a change by
 * command, which reschedules the task.
 */
function watchTask(task: VideoTask, onChange: () => void): () => void {
  let known: TaskState | undefined;
  let timer: NodeJS.Timeout | undefined;
  const check = (): void => {
    clearTimeout(timer);
    const { state, changesAtMs } = task;
    if (changesAtMs < Infinity) {
      timer = setTimeout(check, Math.min(Math.max(1, changesAtMs - Date.now()), MAX_TIMER_MS)).unref();
    }
    if (state !== known) {
      known = state;
      onChange();
    }
  };
  check();
  return check;
}

const MAX_TASKS = 100_000;

export interface TaskStoreRules {
  /** How long a task is found after that end. */
  retentionMs(state: TaskState): number;
  /** Per credential. */
  readonly queriesPerSecond: number;
}

/** A submission; its bytes identify duplicates. */
export interface Submission<Job extends VideoJob> {
  readonly id: string;
  readonly job: Job;
  readonly body: Buffer;
  /** Called with each new state. */
  readonly onChange?: (task: VideoTask<Job>) => void;
}

interface StoredTask<Job extends VideoJob> {
  readonly task: VideoTask<Job>;
  readonly refresh: () => void;
}

/** The tasks of one vendor; drops the oldest. */
export class TaskStore<Job extends VideoJob = VideoJob> {
  readonly queries: QueryLimit;
  readonly #stored = new Map<string, StoredTask<Job>>();
  readonly #submissions = new Map<string, number>();
  readonly #waiting = new Set<() => void>();

  constructor(private readonly rules: TaskStoreRules) {
    this.queries = new QueryLimit(rules.queriesPerSecond);
  }

  start({ id, job, body, onChange }: Submission<Job>): VideoTask<Job> {
    const task = new VideoTask(id, job, Date.now(), this.#countSubmission(job.credential, body));
    const refresh = watchTask(task, () => {
      onChange?.(task);
      this.#wakeWaiting();
    });
    this.#stored.set(id, { task, refresh });
    dropOldest(this.#stored);
    return task;
  }

  /** The task, if a poll of that credential finds it. */
  find(id: string, credential: string): VideoTask<Job> | undefined {
    const task = this.get(id);
    return task !== undefined && this.#isFound(task, credential) ? task : undefined;
  }

  /** The tasks that a list shows to that credential, newest first. */
  list(credential: string): VideoTask<Job>[] {
    return this.all()
      .filter((task) => this.#isFound(task, credential) && task.job.directives.taskIsUnlisted !== true)
      .reverse();
  }

  /** The task, found or hidden. */
  get(id: string): VideoTask<Job> | undefined {
    return this.#stored.get(id)?.task;
  }

  /** Oldest first. */
  all(): VideoTask<Job>[] {
    return [...this.#stored.values()].map(({ task }) => task);
  }

  isHidden(task: VideoTask<Job>): boolean {
    return task.isHidden(this.rules.retentionMs(task.state));
  }

  /** Changes a task by command and notifies its watchers. */
  change(id: string, by: () => void): void {
    const stored = this.#stored.get(id);
    if (stored !== undefined) {
      by();
      stored.refresh();
      this.#wakeWaiting();
    }
  }

  /** Resolves when all tasks that end within `limitMs` have ended. */
  async untilEnded(limitMs: number): Promise<void> {
    const deadlineMs = Date.now() + limitMs;
    const ended = Promise.withResolvers<void>();
    const check = (): void => {
      if (this.all().every((task) => !task.isOpen || task.endsAtMs > deadlineMs)) ended.resolve();
    };
    const timer = setTimeout(ended.resolve, limitMs);
    this.#waiting.add(check);
    check();
    await ended.promise;
    this.#waiting.delete(check);
    clearTimeout(timer);
  }

  #wakeWaiting(): void {
    for (const check of this.#waiting) check();
  }

  #isFound(task: VideoTask<Job>, credential: string): boolean {
    return task.job.credential === credential && !this.isHidden(task);
  }

  #countSubmission(credential: string, body: Buffer): number {
    const key = createHash('sha1').update(credential).update('\n').update(body).digest('base64');
    const count = (this.#submissions.get(key) ?? 0) + 1;
    this.#submissions.set(key, count);
    dropOldest(this.#submissions);
    return count;
  }
}

/** A store of any vendor, without submission. */
export type AnyTaskStore = Pick<TaskStore, 'all' | 'change' | 'get' | 'isHidden' | 'queries' | 'untilEnded'>;

function dropOldest(map: Map<string, unknown>): void {
  const [oldest] = map.keys();
  if (map.size > MAX_TASKS && oldest !== undefined) map.delete(oldest);
}
