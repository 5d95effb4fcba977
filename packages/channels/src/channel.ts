import type { Vendor } from '@gateway/contracts';
import {
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  type IBackoff,
  isBrokenCircuitError,
} from 'cockatiel';

export interface ChannelSettings {
  readonly id: string;
  readonly vendor: Vendor;
  readonly baseUrl: string;
  readonly credential: string;
  readonly weight: number;
}

/** Thrown inside an attempt to say that the channel itself is ill: only this counts for its breaker. */
export class ChannelIll extends Error {}

const FAILURES_TO_OPEN = 5;
const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 30_000;
/** The breaker reads a clock of its own: a call that came a moment early would be turned away. */
const CLOCK_SLACK_MS = 5;

/** One base URL and credential, and how it is doing as this process sees it. */
export class Channel {
  #inFlight = 0;
  #restsUntilMs = 0;
  #brokenUntilMs = 0;
  readonly #modelRestsUntilMs = new Map<string, number>();
  readonly #breaker = circuitBreaker(
    handleWhen((error) => error instanceof ChannelIll),
    {
      breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN),
      halfOpenAfter: { next: () => this.#breakFor(FIRST_REST_MS) },
    },
  );

  constructor(
    readonly settings: ChannelSettings,
    onBreaker: (isOpen: boolean) => void,
  ) {
    this.#breaker.onStateChange((state) => onBreaker(state === CircuitState.Open));
  }

  get id(): string {
    return this.settings.id;
  }

  /** Calls that have not ended: a stream counts until its last byte. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Counts one call in. Gives what counts it out, once. */
  occupy(): () => void {
    this.#inFlight += 1;
    let isOver = false;
    return () => {
      if (!isOver) this.#inFlight -= 1;
      isOver = true;
    };
  }

  /**
   * True while the breaker lets nothing through. Once its rest is over a call has to be offered to it: the breaker stays open
   * until it is asked.
   */
  get isBroken(): boolean {
    if (this.#breaker.state === CircuitState.Isolated) return true;
    return this.#breaker.state === CircuitState.Open && Date.now() < this.#brokenUntilMs;
  }

  /** Milliseconds that a throttled or refused credential still has to wait, for this model. */
  restMs(nowMs: number, model: string): number {
    const untilMs = Math.max(this.#restsUntilMs, this.#modelRestsUntilMs.get(model) ?? 0);
    return Math.max(0, untilMs - nowMs);
  }

  rest(forMs: number, nowMs: number): void {
    this.#restsUntilMs = Math.max(this.#restsUntilMs, nowMs + forMs);
  }

  /** For one model only: this credential may not use it, which says nothing of the others. */
  restForModel(model: string, forMs: number, nowMs: number): void {
    this.#modelRestsUntilMs.set(model, nowMs + forMs);
  }

  /** Runs one attempt under the breaker. Undefined: the breaker let nothing through. */
  async attempt<Result>(run: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await this.#breaker.execute(run);
    } catch (error) {
      if (isBrokenCircuitError(error)) return undefined;
      throw error;
    }
  }

  /** Asked for by the breaker as it opens; twice as long each time that a trial call fails. */
  #breakFor(durationMs: number): IBackoff<unknown> {
    this.#brokenUntilMs = Date.now() + durationMs + CLOCK_SLACK_MS;
    return { duration: durationMs, next: () => this.#breakFor(Math.min(2 * durationMs, LONGEST_REST_MS)) };
  }
}
