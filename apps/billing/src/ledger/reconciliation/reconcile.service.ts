import { Loop } from '@gateway/observability';
import { activeEpoch, countParkedEvents, type Database, mirrorEscrow } from '@gateway/postgres';
import type { AdmissionStore, UsageStream } from '@gateway/redis';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ADMISSION_STORE, DATABASE, USAGE_LENGTHS } from '../../tokens.js';
import { AdoptTaskHolds } from './adopt-task-holds.service.js';
import { CachedLedgerTotals } from './cached-ledger-totals.js';
import { DriftHistory } from './drift-history.js';
import { type Observation, observeDrift } from './observe-drift.js';
import type { Reconciliation } from './reconciliation.js';
import { ReconciliationReporter } from './reconciliation-reporter.service.js';
import { scanAccounts } from './scan-accounts.js';

const EVERY_MS = 5_000;
/** The sweeper has had its chance. */
const ORPHAN_AFTER_MS = 5_000;
const COUNT_LIMIT = 1_000;
/** Its event is booked in a moment; if it was not for so long, while none waits, it is lost. */
const HOLD_IS_LOST_MS = 60_000;

const absolute = (amount: bigint): bigint => (amount < 0n ? -amount : amount);

/**
 * Compares the ledger with Redis all the time; zero is the only good value. The rule of repair: the ledger's escrow
 * becomes what Redis really holds, against the customer's free balance, so that what a customer owns never changes. A
 * round costs what it may, however many accounts there are: it looks at some of them, and at those that differed.
 */
@Injectable()
export class Reconcile implements OnApplicationBootstrap {
  readonly #loop: Loop;
  readonly #history = new DriftHistory();
  readonly #scanner;
  readonly #sums;
  /** By a round, not by whoever looks at what rounds have found. */
  #comparedAtMs = Date.now();
  #last: Reconciliation | null = null;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ADMISSION_STORE) private readonly store: AdmissionStore,
    @Inject(USAGE_LENGTHS) private readonly usage: UsageStream,
    private readonly reporter: ReconciliationReporter,
    private readonly adoptTaskHolds: AdoptTaskHolds,
  ) {
    this.#scanner = scanAccounts(database, store);
    this.#sums = new CachedLedgerTotals(database);
    this.#loop = new Loop({
      intervalMs: EVERY_MS,
      run: async () => {
        await this.#compare(Date.now(), { isRound: true, sums: 'when it may' });
      },
      onError: (error) => this.reporter.reportFailure(error),
    });
  }

  onApplicationBootstrap(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** The last round's result; null before the first. */
  get last(): Reconciliation | null {
    return this.#last;
  }

  /** How long ago a round has compared; before the first one, how long there has been none. */
  ageMs(nowMs: number): number {
    return nowMs - this.#comparedAtMs;
  }

  /** Null if Redis began another life and the ledger is on its way there: there is nothing to compare yet. */
  round(nowMs: number): Promise<Reconciliation | null> {
    return this.#compare(nowMs, { isRound: true, sums: 'now' });
  }

  /** What the rounds have found, with what is quickly read read anew. */
  inspect(nowMs: number): Promise<Reconciliation | null> {
    return this.#compare(nowMs, { isRound: false, sums: 'now' });
  }

  async #compare(
    nowMs: number,
    { isRound, ...when }: { readonly isRound: boolean; readonly sums: Parameters<CachedLedgerTotals['read']>[0] },
  ): Promise<Reconciliation | null> {
    const epoch = await this.#sharedEpoch();
    if (epoch === null) return null;
    const observed = isRound ? await this.#observe() : new Map<string, Observation>();
    if ((await this.#sharedEpoch()) !== epoch) return null;
    this.#history.record(new Map([...observed].map(([accountId, { driftNanoUsd }]) => [accountId, driftNanoUsd])));
    const drifts = this.#history.lasting;
    const [orphans, unsettledEvents, dead, parked, sums] = await Promise.all([
      this.store.expiredHolds(nowMs - ORPHAN_AFTER_MS, COUNT_LIMIT),
      this.usage.length(),
      this.usage.deadLength(),
      countParkedEvents(this.database),
      this.#sums.read(when.sums),
    ]);
    this.#last = {
      checkedAt: new Date(nowMs),
      epoch,
      orphanHolds: orphans.length,
      unsettledEvents,
      parkedEvents: dead + parked,
      ledgerImbalanceNanoUsd: sums.imbalanceNanoUsd,
      escrowNanoUsd: sums.escrowNanoUsd,
      taskHolds: sums.taskHolds,
      driftNanoUsd: drifts.reduce((sum, { driftNanoUsd }) => sum + absolute(driftNanoUsd), 0n),
      drifts,
    };
    this.reporter.report(this.#last);
    if (isRound) {
      this.#comparedAtMs = nowMs;
      await this.#repair(observed, BigInt(epoch));
      if (unsettledEvents === 0 && sums.taskHolds.unbookedHolds > 0) await this.adoptTaskHolds.adopt(HOLD_IS_LOST_MS);
    }
    return this.#last;
  }

  async #observe(): Promise<ReadonlyMap<string, Observation>> {
    const accountIds = new Set([...(await this.#scanner.next()), ...this.#history.accountIds]);
    return observeDrift(this.database, this.store, accountIds);
  }

  async #sharedEpoch(): Promise<string | null> {
    const [inRedis, inLedger] = await Promise.all([this.store.currentEpoch(), activeEpoch(this.database)]);
    return inRedis === inLedger?.toString() ? inRedis : null;
  }

  async #repair(observed: ReadonlyMap<string, Observation>, epoch: bigint): Promise<void> {
    for (const { accountId } of this.#history.toRepair) {
      const seen = observed.get(accountId);
      if (seen === undefined) continue;
      const { escrowNanoUsd, driftNanoUsd } = seen;
      const heldByRedisNanoUsd = escrowNanoUsd - driftNanoUsd;
      if (!(await mirrorEscrow(this.database, { accountId, escrowNanoUsd, heldByRedisNanoUsd, epoch }))) continue;
      this.reporter.reportRepair({ accountId, driftNanoUsd });
    }
  }
}
