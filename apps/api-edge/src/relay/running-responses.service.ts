import { SlabMap } from '@gateway/collections';
import { withTimeout } from '@gateway/observability';
import { type AdmissionStore, HOLD_MS } from '@gateway/redis';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ADMISSION_STORE, EDGE_CONFIG, type EdgeConfig } from '../tokens.js';
import type { RunningResponse } from './running-response.js';

const TICK_MS = 1_000;
/** A lease survives two missed renewals. */
const RENEWALS_PER_LEASE = 3;

/** All running requests of this edge: one timer checks their time-outs and renews their leases. */
@Injectable()
export class RunningResponses implements OnModuleInit, OnApplicationShutdown {
  readonly #responses = new SlabMap<RunningResponse>();
  #timer: NodeJS.Timeout | undefined;
  #ticks = 0;
  #onIdle: (() => void) | undefined;

  constructor(
    @Inject(ADMISSION_STORE) private readonly store: AdmissionStore,
    @Inject(EDGE_CONFIG) private readonly config: EdgeConfig,
  ) {}

  onModuleInit(): void {
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  get count(): number {
    return this.#responses.size;
  }

  add(response: RunningResponse): void {
    this.#responses.set(response.request.requestId, response);
  }

  remove(response: RunningResponse): void {
    this.#responses.delete(response.request.requestId);
    if (this.#responses.size === 0) this.#onIdle?.();
  }

  /** Resolves when no request runs. After the grace time it refuses the remaining ones. */
  async drain(graceMs: number): Promise<void> {
    if (this.#responses.size === 0) return;
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    await withTimeout(idle, graceMs, () => undefined);
    for (const response of this.#responses.values()) response.abortForDrain();
  }

  #tick(): void {
    const now = Date.now();
    for (const response of this.#responses.values()) response.tick(now);
    this.#ticks += 1;
    const renewEveryTicks = Math.floor(this.config.leaseMs / RENEWALS_PER_LEASE / TICK_MS);
    if (this.#ticks % renewEveryTicks === 0) this.#renew(now);
  }

  #renew(now: number): void {
    const { leaseMs } = this.config;
    // A younger request still has the lease of its admission at the next renewal.
    const leases = [...this.#responses.values()]
      .filter(({ startedAtMs }) => now - startedAtMs > leaseMs / RENEWALS_PER_LEASE / 2)
      .map(({ request }) => ({
        requestId: request.requestId,
        accountId: request.caller.key.accountId,
        keyId: request.caller.key.keyId,
      }));
    // The next renewal retries a failed one.
    if (leases.length > 0) this.store.renew(leases, leaseMs, HOLD_MS).catch(() => undefined);
  }
}
