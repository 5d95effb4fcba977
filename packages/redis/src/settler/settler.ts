import { setTimeout as sleep } from 'node:timers/promises';
import { SlabMap } from '@gateway/collections';
import type { UsageSettled } from '@gateway/contracts';
import { withTimeout } from '@gateway/observability';
import type { Settlement } from '../admission/settle.js';
import type { Spool } from './spool.js';

export interface SettlerOptions {
  /** Makes one settlement. Rejects if its outcome is unknown. Must be idempotent by request id. */
  readonly settle: (event: UsageSettled) => Promise<Settlement>;
  /** Stores failed settlements, so that they survive the process. */
  readonly spool?: Spool;
  readonly onError: (error: unknown, event: UsageSettled) => void;
}

export type SettledListener = (event: UsageSettled, settlement: Settlement) => void;

const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 1_000;
/** Applies even when the process's grace time is over. */
const MIN_DRAIN_MS = 2_000;

/**
 * Retries each settlement until it succeeds. A retry after an unknown outcome is safe: the second settlement is a no-op.
 * An event is lost only with the process and its spool together.
 */
export class Settler {
  readonly #open = new SlabMap<Promise<Settlement>>();
  #onSettled: SettledListener = () => undefined;

  constructor(private readonly options: SettlerOptions) {}

  /** Settlements that Redis has not confirmed. */
  get openCount(): number {
    return this.#open.size;
  }

  /** Calls `listener` once Redis has replied to a settlement, also for one that it had before (`applied` false). */
  onSettled(listener: SettledListener): void {
    this.#onSettled = listener;
  }

  /** Undefined after `waitMs`: the settlement then continues in the background. Never rejects. */
  async settle(event: UsageSettled, waitMs: number): Promise<Settlement | undefined> {
    return withTimeout(this.#start(event), waitMs, () => undefined);
  }

  settleInBackground(event: UsageSettled): void {
    this.#start(event);
  }

  /** Starts the settlements that an earlier process left in the spool; resolves to their number. */
  async resume(): Promise<number> {
    const spooled = (await this.options.spool?.readAll()) ?? [];
    for (const event of spooled) this.#start(event, true);
    return spooled.length;
  }

  /**
   * Waits up to `remainingMs` of the grace time for all settlements, even while Redis is away: the spool may not survive
   * the process. Resolves to the number still under way.
   */
  async drain(remainingMs: number): Promise<number> {
    await withTimeout(Promise.all(this.#open.values()), Math.max(MIN_DRAIN_MS, remainingMs), () => undefined);
    return this.#open.size;
  }

  #start(event: UsageSettled, isSpooled = false): Promise<Settlement> {
    const running = this.#open.get(event.requestId);
    if (running !== undefined) return running;
    const settled = this.#settleWithRetries(event, isSpooled).finally(() => this.#open.delete(event.requestId));
    this.#open.set(event.requestId, settled);
    return settled;
  }

  async #settleWithRetries(event: UsageSettled, wasSpooled: boolean): Promise<Settlement> {
    const { settle, spool, onError } = this.options;
    for (let delayMs = FIRST_DELAY_MS, isSpooled = wasSpooled; ; delayMs = Math.min(delayMs * 2, MAX_DELAY_MS)) {
      try {
        const settlement = await settle(event);
        this.#onSettled(event, settlement);
        // The money is settled: a disk that keeps the file must not repeat it. A later process settles it again, which changes nothing.
        if (isSpooled) await spool?.delete(event.requestId).catch((error: unknown) => onError(error, event));
        return settlement;
      } catch (error) {
        onError(error, event);
      }
      if (!isSpooled && spool !== undefined) {
        isSpooled = await spool.store(event).then(
          () => true,
          (error: unknown) => {
            onError(error, event);
            return false;
          },
        );
      }
      await sleep(delayMs * (0.5 + Math.random() / 2));
    }
  }
}
