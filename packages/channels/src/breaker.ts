import { leftMs } from './left-ms.js';

/** Thrown inside an attempt if the channel itself failed. Breakers count no other error. */
export class ChannelUnhealthy extends Error {}

const FIRST_COOLDOWN_MS = 1_000;
const MAX_COOLDOWN_MS = 30_000;

interface Open {
  readonly cooldownMs: number;
  /** Until then it rejects calls. Then the next call is a trial. */
  untilMs: number;
}

/**
 * A circuit breaker: opens after too many failures. After a cooldown, trials decide: a success closes it, a failure doubles
 * the cooldown. A trial may take minutes. So no other call waits for it, and the next trial follows after one more cooldown.
 */
export class Breaker {
  /** Undefined: closed. */
  #open: Open | undefined;

  /** `mustOpen` decides after a failure. `onOpen` is called each time that it opens. */
  constructor(
    private readonly mustOpen: () => boolean,
    private readonly onOpen: () => void,
  ) {}

  /** True while it rejects calls. */
  get isOpen(): boolean {
    return this.remainingMs > 0;
  }

  /** Milliseconds until it admits a call; 0 if it does now. */
  get remainingMs(): number {
    return this.#open === undefined ? 0 : leftMs(this.#open.untilMs, performance.now());
  }

  /** Undefined: rejected, `run` was not called. */
  async execute<Result>(run: () => Promise<Result>): Promise<Result | undefined> {
    if (this.isOpen) return undefined;
    const open = this.#open;
    if (open !== undefined) open.untilMs = performance.now() + open.cooldownMs;
    try {
      const result = await run();
      // A call from before the opening says nothing about the time after it.
      if (this.#open === open) this.#open = undefined;
      return result;
    } catch (error) {
      if (this.#open === open) this.#onError(error, open);
      throw error;
    }
  }

  /** `open`: of the trial that failed; undefined: the breaker is closed. */
  #onError(error: unknown, open: Open | undefined): void {
    if (!(error instanceof ChannelUnhealthy)) {
      // The client has left, for example: the next call is a trial.
      if (open !== undefined) open.untilMs = 0;
    } else if (open !== undefined) this.#openFor(Math.min(2 * open.cooldownMs, MAX_COOLDOWN_MS));
    else if (this.mustOpen()) this.#openFor(FIRST_COOLDOWN_MS);
  }

  #openFor(cooldownMs: number): void {
    this.#open = { cooldownMs, untilMs: performance.now() + cooldownMs };
    this.onOpen();
  }
}
