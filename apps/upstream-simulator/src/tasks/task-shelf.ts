import { createHash } from 'node:crypto';
import { followTask } from './follow-task.js';
import { QueryLimit } from './query-limit.js';
import type { TaskState } from './timetable.js';
import type { VideoOrder } from './video-order.js';
import { VideoTask } from './video-task.js';

const TASKS_AT_MOST = 100_000;

export interface ShelfRules {
  /** How long a task is found after an end of that kind. */
  keptMs(state: TaskState): number;
  /** Of one credential. */
  readonly queriesPerSecond: number;
}

/** A call that is taken on: its bytes tell whether there was one like it. */
export interface Submission<Order extends VideoOrder> {
  readonly id: string;
  readonly order: Order;
  readonly body: Buffer;
  /** Told of every state that the task comes to. */
  readonly onChange?: (task: VideoTask<Order>) => void;
}

interface Kept<Order extends VideoOrder> {
  readonly task: VideoTask<Order>;
  readonly lookAgain: () => void;
}

/** The tasks of one vendor; the oldest are forgotten first. */
export class TaskShelf<Order extends VideoOrder = VideoOrder> {
  readonly queries: QueryLimit;
  readonly #kept = new Map<string, Kept<Order>>();
  readonly #submissions = new Map<string, number>();
  readonly #waiting = new Set<() => void>();

  constructor(private readonly rules: ShelfRules) {
    this.queries = new QueryLimit(rules.queriesPerSecond);
  }

  start({ id, order, body, onChange }: Submission<Order>): VideoTask<Order> {
    const task = new VideoTask(id, order, Date.now(), this.#countSubmission(order.credential, body));
    const lookAgain = followTask(task, () => {
      onChange?.(task);
      this.#wakeWaiting();
    });
    this.#kept.set(id, { task, lookAgain });
    dropOldest(this.#kept);
    return task;
  }

  /** The task as a query of that credential finds it. */
  find(id: string, credential: string): VideoTask<Order> | undefined {
    const task = this.get(id);
    return task !== undefined && this.#isFound(task, credential) ? task : undefined;
  }

  /** What a list for that credential holds, newest first. */
  list(credential: string): VideoTask<Order>[] {
    return this.all()
      .filter((task) => this.#isFound(task, credential) && task.order.directives.taskIsUnlisted !== true)
      .reverse();
  }

  /** The task, whoever asks and whether or not the vendor would find it. */
  get(id: string): VideoTask<Order> | undefined {
    return this.#kept.get(id)?.task;
  }

  /** Oldest first. */
  all(): VideoTask<Order>[] {
    return [...this.#kept.values()].map(({ task }) => task);
  }

  isGone(task: VideoTask<Order>): boolean {
    return task.isGone(this.rules.keptMs(task.state));
  }

  /** Changes a task by hand, so that whoever follows it learns of it. */
  change(id: string, by: () => void): void {
    const kept = this.#kept.get(id);
    if (kept !== undefined) {
      by();
      kept.lookAgain();
      this.#wakeWaiting();
    }
  }

  /** Resolves once every task has ended that left alone ends within `limitMs`. */
  async untilEnded(limitMs: number): Promise<void> {
    const deadlineMs = Date.now() + limitMs;
    const ended = Promise.withResolvers<void>();
    const look = (): void => {
      if (this.all().every((task) => !task.isOpen || task.endsAtMs > deadlineMs)) {
        ended.resolve();
      }
    };
    const timer = setTimeout(ended.resolve, limitMs);
    this.#waiting.add(look);
    look();
    await ended.promise;
    this.#waiting.delete(look);
    clearTimeout(timer);
  }

  #wakeWaiting(): void {
    for (const look of this.#waiting) {
      look();
    }
  }

  #isFound(task: VideoTask<Order>, credential: string): boolean {
    return task.order.credential === credential && !this.isGone(task);
  }

  #countSubmission(credential: string, body: Buffer): number {
    const key = createHash('sha1').update(credential).update('\n').update(body).digest('base64');
    const count = (this.#submissions.get(key) ?? 0) + 1;
    this.#submissions.set(key, count);
    dropOldest(this.#submissions);
    return count;
  }
}

/** A shelf whose vendor does not matter: it takes no orders. */
export type AnyTaskShelf = Pick<TaskShelf, 'all' | 'change' | 'get' | 'isGone' | 'queries' | 'untilEnded'>;

function dropOldest(map: Map<string, unknown>): void {
  const [oldest] = map.keys();
  if (map.size > TASKS_AT_MOST && oldest !== undefined) {
    map.delete(oldest);
  }
}
