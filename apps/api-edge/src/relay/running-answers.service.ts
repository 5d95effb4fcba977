import type { AdmissionStore } from '@gateway/redis';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { EDGE_CONFIG, type EdgeConfig } from '../edge-config.js';
import { ADMISSION_STORE } from '../redis-doors.js';
import type { RunningAnswer } from './running-answer.js';

const TICK_MS = 1_000;
/** A lease outlives two missed renewals. */
const RENEWALS_PER_LEASE = 3;
const HOLD_MS = 720_000;

/** All requests that this edge has in hand: one clock for their time-outs, and their leases kept alive. */
@Injectable()
export class RunningAnswers implements OnModuleInit, OnApplicationShutdown {
  readonly #answers = new Set<RunningAnswer>();
  #clock: NodeJS.Timeout | undefined;
  #ticks = 0;
  #idle: (() => void) | undefined;

  constructor(
    @Inject(ADMISSION_STORE) private readonly store: AdmissionStore,
    @Inject(EDGE_CONFIG) private readonly config: EdgeConfig,
  ) {}

  onModuleInit(): void {
    this.#clock = setInterval(() => this.#tick(), TICK_MS);
  }

  onApplicationShutdown(): void {
    clearInterval(this.#clock);
  }

  get count(): number {
    return this.#answers.size;
  }

  add(answer: RunningAnswer): void {
    this.#answers.add(answer);
  }

  remove(answer: RunningAnswer): void {
    this.#answers.delete(answer);
    if (this.#answers.size === 0) this.#idle?.();
  }

  /** Resolves when no request is left; after the grace time the rest is cut, with a word to their clients. */
  async drain(graceMs: number): Promise<void> {
    if (this.#answers.size === 0) return;
    const idle = new Promise<void>((resolve) => {
      this.#idle = resolve;
    });
    let timer: NodeJS.Timeout | undefined;
    const outOfTime = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([idle, outOfTime]);
    clearTimeout(timer);
    for (const answer of this.#answers) answer.cutForDrain();
  }

  #tick(): void {
    const now = Date.now();
    for (const answer of this.#answers) answer.tick(now);
    this.#ticks += 1;
    const renewEveryTicks = Math.floor(this.config.leaseMs / RENEWALS_PER_LEASE / TICK_MS);
    if (this.#ticks % renewEveryTicks === 0) this.#renew(now);
  }

  #renew(now: number): void {
    const { leaseMs } = this.config;
    // What is younger lives until the next turn by the lease that it was admitted with.
    const leases = [...this.#answers]
      .filter(({ startedAtMs }) => now - startedAtMs > leaseMs / RENEWALS_PER_LEASE / 2)
      .map(({ request }) => ({
        requestId: request.requestId,
        accountId: request.caller.key.accountId,
        keyId: request.caller.key.keyId,
      }));
    // A renewal that fails is tried again at the next turn.
    if (leases.length > 0) this.store.renew(leases, now + leaseMs, now + HOLD_MS).catch(() => undefined);
  }
}
