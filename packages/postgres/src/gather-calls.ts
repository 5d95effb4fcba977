import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable, isSilence, StatementNotSent } from './database-failure.js';

/** Enough to make the cost of a statement small beside that of its rows. */
const MAX_CALLS = 100;

interface WaitingCall<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface GatherOptions<Item> {
  /**
   * Calls of one group run together and in turn, those of another one beside them. A statement that waits for a lock of an account
   * must have its account as its group; else one account holds up the others.
   */
  readonly groupOf?: (item: Item) => string;
  /** The statements of a group begin at least so far apart. Default: 0. */
  readonly spacingMs?: number;
}

/** Runs a statement for many items. The results are in the order of the items. */
type RunTogether<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

/**
 * Makes one statement of calls that come together: a call that comes alone runs at once, and those that come during a statement,
 * or soon after it has begun, are the next one. A statement that PostgreSQL refuses is repeated for each item, so that one item cannot fail the
 * others. Then each call must bear to run twice. While PostgreSQL is silent, the calls that wait fail with the statement before them: in
 * turn, they would wait for many time-outs.
 */
export function gatherCalls<Item, Result>(
  run: RunTogether<Item, Result>,
  { groupOf = () => '', spacingMs = 0 }: GatherOptions<Item> = {},
): (item: Item) => Promise<Result> {
  /** The groups that run. */
  const groups = new Map<string, WaitingCall<Item, Result>[]>();

  const runGroup = async (name: string, waiting: WaitingCall<Item, Result>[]): Promise<void> => {
    while (waiting.length > 0) {
      const nextAtMs = performance.now() + spacingMs;
      const failure = await settleCalls(run, waiting.splice(0, MAX_CALLS));
      if (isSilence(failure)) for (const { reject } of waiting.splice(0)) reject(new StatementNotSent(failure));
      const leftMs = nextAtMs - performance.now();
      if (leftMs > 0 && waiting.length < MAX_CALLS) await sleep(leftMs);
    }
    groups.delete(name);
  };

  return (item) =>
    new Promise((resolve, reject) => {
      const name = groupOf(item);
      const call = { item, resolve, reject };
      const group = groups.get(name);
      if (group !== undefined) {
        group.push(call);
        return;
      }
      const opened = [call];
      groups.set(name, opened);
      // Calls of the same turn of the event loop belong together.
      queueMicrotask(() => void runGroup(name, opened));
    });
}

/** Resolves to the error that all calls have got, if there is one. */
async function settleCalls<Item, Result>(
  run: RunTogether<Item, Result>,
  calls: readonly WaitingCall<Item, Result>[],
): Promise<unknown> {
  try {
    const results = await run(calls.map(({ item }) => item));
    for (const [place, { resolve }] of calls.entries()) resolve(results[place] as Result);
    return undefined;
  } catch (error) {
    if (calls.length > 1 && !isDatabaseUnavailable(error)) {
      await Promise.all(calls.map((call) => settleCalls(run, [call])));
      return undefined;
    }
    for (const { reject } of calls) reject(error);
    return error;
  }
}
