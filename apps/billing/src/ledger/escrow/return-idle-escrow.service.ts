import type { BillingConfig } from '@gateway/config';
import { type Logger, Loop } from '@gateway/observability';
import { closeEscrowReturn, type Database, type OpenReturn, openEscrowReturns, openReturns } from '@gateway/postgres';
import type { AdmissionStore } from '@gateway/redis';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { BillingMetrics } from '../../observability/billing-metrics.js';
import { ADMISSION_STORE, BILLING_CONFIG, DATABASE, LOGGER, METRICS } from '../../tokens.js';

const LONGEST_PAUSE_MS = 30_000;
const SHORTEST_PAUSE_MS = 1_000;
const LOOKS_PER_IDLE_TIME = 4;
/** Younger returns are being finished by whoever opened them. */
const ABANDONED_AFTER_MS = 2_000;
const BATCH = 500;

/**
 * Gives escrow that an account does not use back to its customer, so that a lost Redis costs no more than what was used
 * lately. Any number of processes may: the ledger opens a return once, Redis takes it out once, the ledger books it once.
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
      intervalMs: Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, escrowIdleMs / LOOKS_PER_IDLE_TIME)),
      run: async (signal) => {
        await this.finishAbandoned(ABANDONED_AFTER_MS);
        while (!signal.aborted && (await this.returnIdle(escrowIdleMs)) === BATCH);
      },
      onError: (error) => logger.warn({ err: error }, 'cannot give unused escrow back'),
    });
  }

  onApplicationBootstrap(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** One batch of the accounts that have not used their escrow for so long; gives how many were looked at. */
  async returnIdle(idleMs: number): Promise<number> {
    const opened = await openEscrowReturns(this.database, { idleMs, limit: BATCH });
    for (const one of opened) await this.#finish(one);
    return opened.length;
  }

  /** Returns whose opener died, or did not reach Redis. */
  async finishAbandoned(olderThanMs: number): Promise<void> {
    for (const one of await openReturns(this.database, { olderThanMs, limit: BATCH })) await this.#finish(one);
  }

  /** What is on its way back to this account is in the ledger then. False: Redis lives in another epoch than a return. */
  async finish(accountId: string): Promise<boolean> {
    const open = await openReturns(this.database, { accountId });
    const finished = await Promise.all(open.map((one) => this.#finish(one)));
    return !finished.includes(false);
  }

  async #finish(open: OpenReturn): Promise<boolean> {
    const { accountId, epoch } = open;
    const takenNanoUsd = await this.store.takeBack(open);
    if (takenNanoUsd === null) return false;
    const closed = await closeEscrowReturn(this.database, open, takenNanoUsd);
    if (closed === null) return true;
    this.metrics.returns.inc({ outcome: takenNanoUsd > 0n ? 'returned' : 'nothing' });
    this.metrics.returnedNanoUsd.inc(Number(takenNanoUsd));
    await this.store.setReserve({
      accountId,
      epoch: epoch.toString(),
      reserveVersion: closed.customerVersion,
      reserveNanoUsd: closed.customerNanoUsd,
    });
    return true;
  }
}
