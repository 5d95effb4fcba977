import type { BillingConfig } from '@gateway/config';
import { attemptEach, type Logger, Loop } from '@gateway/observability';
import { closeEscrowReturn, type Database, type OpenReturn, openEscrowReturns, openReturns } from '@gateway/postgres';
import type { AdmissionStore } from '@gateway/redis';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { BillingMetrics } from '../observability/billing-metrics.js';
import { ADMISSION_STORE, BILLING_CONFIG, DATABASE, LOGGER, METRICS } from '../tokens.js';

const MAX_INTERVAL_MS = 30_000;
const MIN_INTERVAL_MS = 1_000;
const ROUNDS_PER_IDLE_TIME = 4;
/** Younger returns are still finished by the process that opened them. */
const ABANDONED_AFTER_MS = 2_000;
const BATCH = 500;

/**
 * Returns unused escrow to its customer, so that a Redis that loses its data costs little. Several processes may run it:
 * the ledger opens each return once, Redis pays it once, and the ledger closes it once.
 */
@Injectable()
export class ReturnIdleEscrow implements OnApplicationBootstrap {
  readonly #loop: Loop;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ADMISSION_STORE) private readonly store: AdmissionStore,
    @Inject(METRICS) private readonly metrics: BillingMetrics,
    @Inject(LOGGER) logger: Logger,
    @Inject(BILLING_CONFIG) { escrowIdleMs }: Pick<BillingConfig, 'escrowIdleMs'>,
  ) {
    this.#loop = new Loop({
      intervalMs: Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, escrowIdleMs / ROUNDS_PER_IDLE_TIME)),
      run: async (signal) => {
        await this.finishAbandoned(ABANDONED_AFTER_MS);
        while (!signal.aborted && (await this.returnIdle(escrowIdleMs)) === BATCH);
      },
      onError: (error) => logger.warn({ err: error }, 'idle escrow return failed'),
    });
  }

  onApplicationBootstrap(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Returns one batch of escrow that was idle for `idleMs`; resolves to the number of returns that it opened. */
  async returnIdle(idleMs: number): Promise<number> {
    const opened = await openEscrowReturns(this.database, { idleMs, limit: BATCH });
    await attemptEach(opened, (openReturn) => this.#finish(openReturn));
    return opened.length;
  }

  /** Finishes returns whose process died or could not reach Redis. */
  async finishAbandoned(olderThanMs: number): Promise<void> {
    const abandoned = await openReturns(this.database, { olderThanMs, limit: BATCH });
    await attemptEach(abandoned, (open) => this.#finish(open));
  }

  /** Finishes the account's open returns. False: Redis is in another epoch than one of them. */
  async finish(accountId: string): Promise<boolean> {
    const open = await openReturns(this.database, { accountId });
    const finished = await Promise.all(open.map((openReturn) => this.#finish(openReturn)));
    return !finished.includes(false);
  }

  async #finish(open: OpenReturn): Promise<boolean> {
    const { accountId, epoch } = open;
    const returnedNanoUsd = await this.store.takeBack(open);
    if (returnedNanoUsd === null) return false;
    const closed = await closeEscrowReturn(this.database, open, returnedNanoUsd);
    if (closed === null) return true;
    this.metrics.returns.inc({ outcome: returnedNanoUsd > 0n ? 'returned' : 'nothing' });
    this.metrics.returnedNanoUsd.inc(Number(returnedNanoUsd));
    await this.store.setReserve({
      accountId,
      epoch: epoch.toString(),
      reserveVersion: closed.customerVersion,
      reserveNanoUsd: closed.customerNanoUsd,
    });
    return true;
  }
}
