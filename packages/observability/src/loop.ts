import { LogThrottle } from './log-throttle.js';

export interface LoopOptions {
  /** Pause between two rounds. */
  readonly intervalMs: number;
  /** One round. It should look at the signal if it can last. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Hears what a round throws, the same at most every ten seconds; the next round comes all the same. */
  readonly onError: (error: unknown) => void;
}

/** Work that is done again and again, one round at a time, until it is stopped. */
export class Loop {
  readonly #stop = new AbortController();
  readonly #seldom = new LogThrottle();
  #wake: () => void = () => undefined;
  #running: Promise<void> | undefined;

  constructor(private readonly options: LoopOptions) {}

  start(): void {
    this.#running ??= this.#run();
  }

  /** Ends the pause before the next round. */
  kick(): void {
    this.#wake();
  }

  /** Resolves when the round under way is over. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await this.options.run(signal);
      } catch (error) {
        this.#seldom.log(String(error), () => this.options.onError(error));
      }
      if (!signal.aborted) await this.#pause();
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.options.intervalMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
