/** Asked for one task. */
export interface OfTask {
  readonly taskId: string;
}

/** One statement for several tasks, of which none is asked for twice: what it did, by their ids. A task that is missing was not changed. */
export type ForMany<Asked extends OfTask, Given> = (asked: readonly Asked[]) => Promise<ReadonlyMap<string, Given>>;

interface Waiting<Asked, Given> {
  readonly asked: Asked;
  readonly resolve: (given: Given | null) => void;
  readonly reject: (error: unknown) => void;
}

/** So many statements at once: one that waits for a lock holds up no other. */
const AT_ONCE = 4;
const AT_MOST = 64;

/**
 * Has what is asked task by task done for many in one statement, hence one commit: a worker that looks at hundreds of tasks a
 * second spends most of its time on the way to Postgres and back. What comes while statements run makes up the next one;
 * while none does, nobody waits. If a statement for many fails, each is asked by itself, so that one alone has the failure.
 */
export function batch<Asked extends OfTask, Given>(
  forMany: ForMany<Asked, Given>,
): (asked: Asked) => Promise<Given | null> {
  let waiting: Waiting<Asked, Given>[] = [];
  let running = 0;

  async function run(batch: readonly Waiting<Asked, Given>[]): Promise<void> {
    try {
      const given = await forMany(batch.map(({ asked }) => asked));
      for (const { asked, resolve } of batch) resolve(given.get(asked.taskId) ?? null);
    } catch (error) {
      const [only, ...more] = batch;
      if (more.length === 0) only?.reject(error);
      else await Promise.all(batch.map((one) => run([one])));
    }
  }

  function next(): void {
    while (running < AT_ONCE && waiting.length > 0) {
      const batch = firstOfEach(waiting).slice(0, AT_MOST);
      const taken = new Set(batch);
      waiting = waiting.filter((one) => !taken.has(one));
      running += 1;
      void run(batch).finally(() => {
        running -= 1;
        next();
      });
    }
  }

  return (asked) =>
    new Promise((resolve, reject) => {
      waiting.push({ asked, resolve, reject });
      // Those of the same turn of the event loop go together.
      if (waiting.length === 1) queueMicrotask(next);
    });
}

/** A task that is asked for twice has to wait for its first answer. */
const firstOfEach = <Asked extends OfTask, Given>(waiting: readonly Waiting<Asked, Given>[]) =>
  [...new Map(waiting.toReversed().map((one) => [one.asked.taskId, one])).values()].toReversed();
