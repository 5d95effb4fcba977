import { setTimeout as sleep } from 'node:timers/promises';
import { LogThrottle } from '../logging/log-throttle.js';

export interface LoopOptions {
  /** Pause between two rounds. */
  readonly intervalMs: number;
  /** One round. A long round should stop when the signal aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Receives what a round throws, the same error at most every ten seconds. The next round runs anyway. */
  readonly onError: (error: unknown) => void;
}

/** Runs rounds of work one at a time until it is stopped. */
export class Loop {
  readonly #stop = new AbortController();
  readonly #throttle = new LogThrottle();
  #pause = new AbortController();
  #running: Promise<void> | undefined;

  constructor(private readonly options: LoopOptions) {}

  start(): void {
    this.#running ??= this.#run();
  }

  /** Ends a pause early; without effect during a round. */
  kick(): void {
    this.#pause.abort();
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
      try {
        await this.options.run(signal);
      } catch (error) {
        this.#throttle.log(String(error), () => this.options.onError(error));
      }
      if (!signal.aborted) await this.#waitForNextRound();
    }
  }

  async #waitForNextRound(): Promise<void> {
    this.#pause = new AbortController();
    // A kick rejects the sleep, which is how the pause ends early.
    await sleep(this.options.intervalMs, undefined, { signal: this.#pause.signal }).catch(() => undefined);
  }
}
