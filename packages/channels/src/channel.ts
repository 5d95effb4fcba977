import type { Vendor } from '@gateway/contracts';
import { ChannelHealth } from './channel-health.js';

export interface ChannelSettings {
  readonly id: string;
  readonly vendor: Vendor;
  readonly baseUrl: string;
  readonly credential: string;
  readonly weight: number;
}

/** One base URL and credential, and how it is doing as this process sees it. */
export class Channel {
  #inFlight = 0;
  #restsUntilMs = 0;
  readonly #modelRestsUntilMs = new Map<string, number>();
  readonly #health: ChannelHealth;

  /** `onIll` hears that calls are turned away, and of the first that went well after that. */
  constructor(
    readonly settings: ChannelSettings,
    onIll: (isIll: boolean) => void,
  ) {
    this.#health = new ChannelHealth(onIll);
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

  /** True while a breaker lets nothing of this account through. */
  isBrokenFor(accountId: string): boolean {
    return this.#health.isBrokenFor(accountId);
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

  /** Runs one attempt, which throws ChannelIll if it failed of that. Undefined: a breaker let nothing through. */
  attempt<Result>(accountId: string, run: () => Promise<Result>): Promise<Result | undefined> {
    return this.#health.attempt(accountId, run);
  }
}
