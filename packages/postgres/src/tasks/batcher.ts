import { isDatabaseUnavailable } from '../database-failure.js';

interface TaskRequest {
  readonly taskId: string;
}

/** Runs one statement for requests of different tasks. A task without a result was not changed. */
export type ServeBatch<Request extends TaskRequest, Result> = (
  requests: readonly Request[],
) => Promise<ReadonlyMap<string, Result>>;

interface Waiting<Request, Result> {
  readonly request: Request;
  readonly resolve: (result: Result | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Several statements run at once, so that one that waits for a row lock does not delay all others. */
const MAX_RUNNING = 4;
const MAX_BATCH = 64;

/**
 * Collects requests for single tasks into statements for many, because a worker makes hundreds a second. Requests that
 * arrive while `MAX_RUNNING` statements run share the next one. If PostgreSQL refuses a statement, each of its requests runs
 * alone, so that only the faulty one fails.
 */
export function batch<Request extends TaskRequest, Result>(
  serveBatch: ServeBatch<Request, Result>,
): (request: Request) => Promise<Result | null> {
  let queue: Waiting<Request, Result>[] = [];
  let running = 0;

  async function run(waiting: readonly Waiting<Request, Result>[]): Promise<void> {
    try {
      const results = await serveBatch(waiting.map(({ request }) => request));
      for (const { request, resolve } of waiting) resolve(results.get(request.taskId) ?? null);
    } catch (error) {
      if (waiting.length > 1 && !isDatabaseUnavailable(error)) await Promise.all(waiting.map((one) => run([one])));
      else for (const { reject } of waiting) reject(error);
    }
  }

  function startStatements(): void {
    while (running < MAX_RUNNING && queue.length > 0) {
      const next = firstOfEachTask(queue).slice(0, MAX_BATCH);
      const started = new Set(next);
      queue = queue.filter((one) => !started.has(one));
      running += 1;
      void run(next).finally(() => {
        running -= 1;
        startStatements();
      });
    }
  }

  return (request) =>
    new Promise((resolve, reject) => {
      queue.push({ request, resolve, reject });
      // Requests of the same tick share a statement.
      if (queue.length === 1) queueMicrotask(startStatements);
    });
}

/** A second request for a task waits until the first one has its result. */
const firstOfEachTask = <Request extends TaskRequest, Result>(queue: readonly Waiting<Request, Result>[]) =>
  [...new Map(queue.toReversed().map((one) => [one.request.taskId, one])).values()].toReversed();
