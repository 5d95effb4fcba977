import {
  CircuitState,
  circuitBreaker,
  handleWhen,
  type IBackoff,
  type IBreaker,
  isBrokenCircuitError,
} from 'cockatiel';

/** Thrown inside an attempt if the channel itself failed. Breakers count no other error. */
export class ChannelUnhealthy extends Error {}

const FIRST_COOLDOWN_MS = 1_000;
const MAX_COOLDOWN_MS = 30_000;
/** cockatiel reads the clock separately and would reject a trial call that is a moment early. */
const CLOCK_SLACK_MS = 5;

/** A circuit breaker: opens after too many failures, then lets one trial call decide. */
export class Breaker {
  #openUntilMs = 0;
  readonly #policy;

  /** `failures` decides when to open. `onOpen` is called each time that it opens. */
  constructor(failures: IBreaker, onOpen: () => void) {
    this.#policy = circuitBreaker(
      handleWhen((error) => error instanceof ChannelUnhealthy),
      { breaker: failures, halfOpenAfter: { next: () => this.#openFor(FIRST_COOLDOWN_MS) } },
    );
    this.#policy.onBreak(onOpen);
  }

  /** True while it rejects calls. False once the cooldown is over, although cockatiel stays open until the next call. */
  get isOpen(): boolean {
    return this.remainingMs > 0;
  }

  /** Milliseconds until it admits a trial call; 0 if it admits calls now. */
  get remainingMs(): number {
    return this.#policy.state === CircuitState.Open ? Math.max(0, this.#openUntilMs - Date.now()) : 0;
  }

  /** Undefined: rejected, `run` was not called. */
  async execute<Result>(run: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await this.#policy.execute(run);
    } catch (error) {
      if (isBrokenCircuitError(error)) return undefined;
      throw error;
    }
  }

  /** cockatiel calls this as it opens; each failed trial doubles the cooldown. */
  #openFor(durationMs: number): IBackoff<unknown> {
    this.#openUntilMs = Date.now() + durationMs + CLOCK_SLACK_MS;
    return { duration: durationMs, next: () => this.#openFor(Math.min(2 * durationMs, MAX_COOLDOWN_MS)) };
  }
}
