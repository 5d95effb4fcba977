import { setTimeout as sleep } from 'node:timers/promises';
import { LogThrottle } from '../logging/log-throttle.js';

export interface LoopOptions {
  /** Pause between two rounds. */
  readonly intervalMs: number;
  /** The longest pause between rounds that find nothing to do. See `backOff`. */
  readonly maxIntervalMs?: number;
  /** One round. A long round should stop when the signal aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Receives what a round throws, the same error at most every ten seconds. The next round runs anyway. */
  readonly onError: (error: unknown) => void;
  /** Replaces the timer in tests. */
  readonly sleep?: (pauseMs: number, options: { readonly signal: AbortSignal }) => Promise<unknown>;
}

const sleepFor: NonNullable<LoopOptions['sleep']> = (pauseMs, options) => sleep(pauseMs, undefined, options);

/** Runs rounds of work one at a time until it is stopped. */
export class Loop {
  readonly #stop = new AbortController();
  readonly #throttle = new LogThrottle();
  #pause = new AbortController();
  #running: Promise<void> | undefined;
  #pauseMs: number;
  #foundNothing = false;

  constructor(private readonly options: LoopOptions) {
    this.#pauseMs = options.intervalMs;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Ends a pause early; without effect during a round. */
  kick(): void {
    this.#pause.abort();
  }

  /**
   * A round that found nothing to do calls it. Each such round in a row doubles the pause, up to `maxIntervalMs`. Any other round
   * brings back `intervalMs`.
   */
  backOff(): void {
    this.#foundNothing = true;
  }

  /** Resolves when the current round ends. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.kick();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.#foundNothing = false;
      try {
        await this.options.run(signal);
      } catch (error) {
        this.#throttle.log(String(error), () => this.options.onError(error));
      }
      if (!signal.aborted) await this.#waitForNextRound(this.#nextPauseMs());
    }
  }

  #nextPauseMs(): number {
    const { intervalMs, maxIntervalMs = intervalMs } = this.options;
    const pauseMs = this.#foundNothing ? this.#pauseMs : intervalMs;
    this.#pauseMs = this.#foundNothing ? Math.min(2 * pauseMs, maxIntervalMs) : intervalMs;
    return pauseMs;
  }

  async #waitForNextRound(pauseMs: number): Promise<void> {
    this.#pause = new AbortController();
    // A kick rejects the sleep, which is how the pause ends early.
    const { sleep: wait = sleepFor } = this.options;
    await wait(pauseMs, { signal: this.#pause.signal }).catch(() => undefined);
  }
}
