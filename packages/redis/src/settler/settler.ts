import type { UsageSettled } from '@gateway/contracts';
import type { Settlement } from '../admission/settle.js';
import type { Spool } from './spool.js';

export interface SettlerOptions {
  /** Makes one settlement; rejects if it is unknown whether it was made. Must be idempotent by request id. */
  readonly settle: (event: UsageSettled) => Promise<Settlement>;
  /** Where settlements wait that must outlive this process. */
  readonly spool?: Spool;
  readonly onError: (error: unknown, event: UsageSettled) => void;
}

const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 1_000;
/** Also where nothing is left of a process's grace time. */
const DRAIN_AT_LEAST_MS = 2_000;

/**
 * Settles until it is settled: a settlement whose outcome is unknown is made again, which is safe since the second is a
 * no-op. An event handed in here is lost only with the process and its spool together.
 */
export class Settler {
  readonly #open = new Map<string, Promise<Settlement>>();

  constructor(private readonly options: SettlerOptions) {}

  /** Settlements that are not yet made. */
  get openCount(): number {
    return this.#open.size;
  }

  /** Undefined if it is not made within `waitMs`: it goes on behind. Never rejects. */
  async settle(event: UsageSettled, waitMs: number): Promise<Settlement | undefined> {
    const made = this.#start(event);
    let timer: NodeJS.Timeout | undefined;
    const outOfTime = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), waitMs);
    });
    const first = await Promise.race([made, outOfTime]);
    clearTimeout(timer);
    return first;
  }

  settleInBackground(event: UsageSettled): void {
    this.#start(event);
  }

  /** Takes up what an earlier process left in the spool. */
  async resume(): Promise<number> {
    const left = (await this.options.spool?.left()) ?? [];
    for (const event of left) this.#start(event, true);
    return left.length;
  }

  /**
   * Waits until all are made, for as long as a process that is told to go has: the spool may be gone with it, so while
   * there is time they wait for a Redis that is away. Gives how many are left (to the spool, if there is one).
   */
  async drain(remainingMs: number): Promise<number> {
    let timer: NodeJS.Timeout | undefined;
    const outOfTime = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.max(DRAIN_AT_LEAST_MS, remainingMs));
    });
    await Promise.race([Promise.all(this.#open.values()), outOfTime]);
    clearTimeout(timer);
    return this.#open.size;
  }

  #start(event: UsageSettled, isSpooled = false): Promise<Settlement> {
    const underWay = this.#open.get(event.requestId);
    if (underWay !== undefined) return underWay;
    const made = this.#untilMade(event, isSpooled).finally(() => this.#open.delete(event.requestId));
    this.#open.set(event.requestId, made);
    return made;
  }

  async #untilMade(event: UsageSettled, wasSpooled: boolean): Promise<Settlement> {
    const { settle, spool, onError } = this.options;
    for (let delayMs = FIRST_DELAY_MS, isSpooled = wasSpooled; ; delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS)) {
      try {
        const settlement = await settle(event);
        if (isSpooled) await spool?.drop(event.requestId);
        return settlement;
      } catch (error) {
        onError(error, event);
      }
      if (!isSpooled && spool !== undefined) {
        isSpooled = await spool.keep(event).then(
          () => true,
          (error: unknown) => {
            onError(error, event);
            return false;
          },
        );
      }
      await new Promise((resolve) => setTimeout(resolve, delayMs * (0.5 + Math.random() / 2)));
    }
  }
}
