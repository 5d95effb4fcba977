import type { ChannelControl, ChannelReport, ChannelState, Vendor } from '@gateway/contracts';
import { ChannelHealth, type ChannelUse } from './channel-health.js';
import { ChannelWindow } from './channel-window.js';
import { leftMs } from './left-ms.js';
import { Suspicions } from './suspicions.js';

export interface ChannelSettings {
  readonly id: string;
  readonly vendor: Vendor;
  readonly baseUrl: string;
  readonly credential: string;
  /** Share of the vendor's calls, relative to its other channels. 0: only calls that require this channel. */
  readonly weight: number;
}

/** An administrator ends a pause at any time. */
const PAUSED_RETRY_MS = 5_000;

/** One base URL and credential of a vendor, with its load, cooldowns and breakers as this process sees them. */
export class Channel {
  readonly suspicions = new Suspicions();
  readonly window = new ChannelWindow();
  #control: Pick<ChannelControl, 'state' | 'weight'> = { state: 'active', weight: null };
  #inFlight = 0;
  #coolsDownUntilMs = 0;
  readonly #modelCoolsDownUntilMs = new Map<string, number>();
  readonly #health: ChannelHealth;

  /** `onHealthChange` receives true once a breaker opens, and false at the next success. */
  constructor(
    readonly settings: ChannelSettings,
    onHealthChange: (isUnhealthy: boolean) => void,
  ) {
    this.#health = new ChannelHealth(onHealthChange);
  }

  get id(): string {
    return this.settings.id;
  }

  get state(): ChannelState {
    return this.#control.state;
  }

  /** The weight that an administrator has set, else the configured one. */
  get weight(): number {
    return this.#control.weight ?? this.settings.weight;
  }

  /** True if it serves calls that any channel of its pool may serve. */
  get isOpenToAll(): boolean {
    return this.#control.state === 'active' && this.weight > 0;
  }

  /** Undefined: as configured. */
  control(control: ChannelControl | undefined): void {
    this.#control = control ?? { state: 'active', weight: null };
  }

  /** Calls that have not ended. A stream counts until its last byte. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Counts one call as in flight. Returns the function that ends it; only its first call counts. */
  occupy(): () => void {
    this.#inFlight += 1;
    let isReleased = false;
    return () => {
      if (!isReleased) this.#inFlight -= 1;
      isReleased = true;
    };
  }

  /** True while a breaker rejects this account's calls for this model. */
  isBrokenFor(use: ChannelUse): boolean {
    return this.#health.isBrokenFor(use);
  }

  /**
   * Milliseconds until a throttled or rejected credential may be used again for this model; 0 if it may be now. `nowMs` of
   * cooldowns is monotonic: a clock that is set back must not close the channel until it catches up.
   */
  cooldownMs(nowMs: number, model: string): number {
    const untilMs = Math.max(this.#coolsDownUntilMs, this.#modelCoolsDownUntilMs.get(model) ?? 0);
    return leftMs(untilMs, nowMs);
  }

  /** Milliseconds until a call of this account for this model may be sent: its cooldowns and its breakers. */
  pauseMs(nowMs: number, use: ChannelUse): number {
    const pausedMs = this.state === 'paused' ? PAUSED_RETRY_MS : 0;
    return Math.max(this.cooldownMs(nowMs, use.model), this.#health.remainingMs(use), pausedMs);
  }

  /** Starts a cooldown for every model; never shortens a running one. */
  coolDown(durationMs: number, nowMs: number): void {
    this.#coolsDownUntilMs = Math.max(this.#coolsDownUntilMs, nowMs + durationMs);
  }

  /** Starts a cooldown for one model, which the vendor refuses or limits; never shortens a running one. */
  coolDownModel(model: string, durationMs: number, nowMs: number): void {
    const untilMs = this.#modelCoolsDownUntilMs.get(model) ?? 0;
    this.#modelCoolsDownUntilMs.set(model, Math.max(untilMs, nowMs + durationMs));
  }

  /** Runs one attempt, which throws ChannelUnhealthy if the channel itself failed. Undefined: a breaker rejected it. */
  attempt<Result>(use: ChannelUse, run: () => Promise<Result>): Promise<Result | undefined> {
    return this.#health.attempt(use, run);
  }

  /** Its state and its last five minutes in this process. */
  report(nowMs: number): Omit<ChannelReport, 'isTest' | 'retryTokens'> {
    const monotonicMs = performance.now();
    return {
      id: this.id,
      vendor: this.settings.vendor,
      state: this.state,
      weight: this.weight,
      configuredWeight: this.settings.weight,
      inFlight: this.#inFlight,
      isBroken: this.#health.isBroken,
      brokenAccounts: this.#health.brokenAccounts,
      cooldownMs: leftMs(this.#coolsDownUntilMs, monotonicMs),
      modelCooldowns: this.#modelCooldowns(monotonicMs),
      ...this.window.read(nowMs),
    };
  }

  /** Models that no account may call: by a cooldown, or by a breaker. */
  #modelCooldowns(nowMs: number): ChannelReport['modelCooldowns'] {
    const untilMs = new Map(this.#modelCoolsDownUntilMs);
    for (const [model, remainingMs] of this.#health.brokenModels) {
      untilMs.set(model, Math.max(untilMs.get(model) ?? 0, nowMs + remainingMs));
    }
    return [...untilMs]
      .map(([model, endMs]) => ({ model, cooldownMs: leftMs(endMs, nowMs) }))
      .filter(({ cooldownMs }) => cooldownMs > 0);
  }
}
