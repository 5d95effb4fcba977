import {
  CircuitState,
  circuitBreaker,
  handleWhen,
  type IBackoff,
  type IBreaker,
  isBrokenCircuitError,
} from 'cockatiel';

/** Thrown inside an attempt to say that the channel itself is ill: only this counts for a breaker. */
export class ChannelIll extends Error {}

const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 30_000;
/** The library reads a clock of its own: a call that came a moment early would be turned away. */
const CLOCK_SLACK_MS = 5;

/** Lets nothing through for a while after too many failures, then one trial call that decides. */
export class Breaker {
  #brokenUntilMs = 0;
  readonly #policy;

  /** `failures` says when they are too many; `onOpen` hears of each time that it opens. */
  constructor(failures: IBreaker, onOpen: () => void) {
    this.#policy = circuitBreaker(
      handleWhen((error) => error instanceof ChannelIll),
      { breaker: failures, halfOpenAfter: { next: () => this.#breakFor(FIRST_REST_MS) } },
    );
    this.#policy.onBreak(onOpen);
  }

  /**
   * True while it lets nothing through. Once its rest is over a call has to be offered to it: it stays open until it is
   * asked.
   */
  get isOpen(): boolean {
    return this.#policy.state === CircuitState.Open && Date.now() < this.#brokenUntilMs;
  }

  /** Undefined: it let nothing through. */
  async execute<Result>(run: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await this.#policy.execute(run);
    } catch (error) {
      if (isBrokenCircuitError(error)) return undefined;
      throw error;
    }
  }

  /** Asked for as it opens; twice as long each time that a trial call fails. */
  #breakFor(durationMs: number): IBackoff<unknown> {
    this.#brokenUntilMs = Date.now() + durationMs + CLOCK_SLACK_MS;
    return { duration: durationMs, next: () => this.#breakFor(Math.min(2 * durationMs, LONGEST_REST_MS)) };
  }
}
