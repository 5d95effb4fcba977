import { SHARD_COUNT, shardOf } from '@gateway/contracts';
import { Loop } from '@gateway/observability';
import { activeEpochs, countParkedEvents, type Database, mirrorEscrow } from '@gateway/postgres';
import { type AdmissionStore, totalOf } from '@gateway/redis';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ADMISSION_STORE, DATABASE } from '../tokens.js';
import { AdoptTaskHolds } from './adopt-task-holds.service.js';
import { CachedLedgerTotals } from './cached-ledger-totals.js';
import { DriftHistory } from './drift-history.js';
import { type Observation, observeDrift } from './observe-drift.js';
import type { ReconciliationResult } from './reconciliation.js';
import { ReconciliationReporter } from './reconciliation-reporter.service.js';
import { scanAccounts } from './scan-accounts.js';

const EVERY_MS = 5_000;
/** While nothing differs and a round reaches every account. */
const MAX_INTERVAL_MS = 20_000;
/** Longer than the sweep of expired holds needs. */
const ORPHAN_AFTER_MS = 15_000;
/** A `held` event that is missing for this long, with an empty stream, is lost. */
const HOLD_IS_LOST_MS = 60_000;

const absolute = (amount: bigint): bigint => (amount < 0n ? -amount : amount);

/** The epochs by shard. */
type Epochs = ReadonlyMap<number, bigint>;

/** What has not changed. */
const stillIn = (before: Epochs, after: Epochs): Epochs =>
  new Map([...before].filter(([shard, epoch]) => after.get(shard) === epoch));

const findsNothing = ({ orphanHolds, unsettledEvents, parkedEvents, taskHolds }: ReconciliationResult): boolean =>
  orphanHolds + unsettledEvents + parkedEvents + taskHolds.unbookedHolds === 0;

function newestOf(epochs: Epochs): string {
  let newest = 0n;
  for (const epoch of epochs.values()) if (epoch > newest) newest = epoch;
  return newest.toString();
}

/**
 * Compares the ledger with Redis in rounds. A repair sets the ledger's escrow to what Redis holds. The difference goes to
 * or from the customer's free balance, so the sum never changes. A round compares a batch of accounts and those that
 * differed before, so its duration does not depend on the number of accounts.
 */
@Injectable()
export class Reconcile implements OnApplicationBootstrap {
  readonly #loop: Loop;
  readonly #history = new DriftHistory();
  readonly #scanner;
  readonly #totals;
  /** Only rounds set it: a manual inspection must not silence the alert for rounds that hang. */
  #lastRoundAtMs = Date.now();
  #last: ReconciliationResult | null = null;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ADMISSION_STORE) private readonly store: AdmissionStore,
    private readonly reporter: ReconciliationReporter,
    private readonly adoptTaskHolds: AdoptTaskHolds,
  ) {
    this.#scanner = scanAccounts(database, store);
    this.#totals = new CachedLedgerTotals(database);
    this.#loop = new Loop({
      intervalMs: EVERY_MS,
      maxIntervalMs: MAX_INTERVAL_MS,
      run: async () => {
        const result = await this.#compare(Date.now(), { isRound: true, totals: 'cached' });
        if (result !== null && this.#scanner.isAtStart && this.#history.isEmpty && findsNothing(result))
          this.#loop.backOff();
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

  /** The last result; null before the first one. */
  get last(): ReconciliationResult | null {
    return this.#last;
  }

  /** The time since the last round; before the first one, since the start. */
  ageMs(nowMs: number): number {
    return nowMs - this.#lastRoundAtMs;
  }

  /** Compares and repairs. Null: the ledger and Redis share the epoch of no shard, so there is nothing to compare. */
  round(nowMs: number): Promise<ReconciliationResult | null> {
    return this.#compare(nowMs, { isRound: true, totals: 'fresh' });
  }

  /** Reads fresh totals, and the drifts of the last rounds. It repairs nothing and does not change `ageMs`. */
  inspect(nowMs: number): Promise<ReconciliationResult | null> {
    return this.#compare(nowMs, { isRound: false, totals: 'fresh' });
  }

  async #compare(
    nowMs: number,
    { isRound, ...options }: { readonly isRound: boolean; readonly totals: Parameters<CachedLedgerTotals['read']>[0] },
  ): Promise<ReconciliationResult | null> {
    const before = await this.#sharedEpochs();
    if (before.size === 0) return null;
    const all = isRound ? await this.#observe(before) : new Map<string, Observation>();
    const epochs = stillIn(before, await this.#sharedEpochs());
    if (epochs.size === 0) return null;
    const observed = new Map([...all].filter(([accountId]) => epochs.has(shardOf(accountId))));
    this.#history.record(new Map([...observed].map(([accountId, { driftNanoUsd }]) => [accountId, driftNanoUsd])));
    const drifts = this.#history.lasting;
    const [shards, parked, totals] = await Promise.all([
      this.store.readShards(nowMs - ORPHAN_AFTER_MS),
      countParkedEvents(this.database),
      this.#totals.read(options.totals),
    ]);
    const { expiredHolds, unbookedEvents, deadEvents } = totalOf(shards);
    this.#last = {
      checkedAt: new Date(nowMs),
      epoch: newestOf(epochs),
      orphanHolds: expiredHolds,
      unsettledEvents: unbookedEvents,
      parkedEvents: deadEvents + parked,
      ledgerImbalanceNanoUsd: totals.imbalanceNanoUsd,
      escrowNanoUsd: totals.escrowNanoUsd,
      taskHolds: totals.taskHolds,
      driftNanoUsd: drifts.reduce((sum, { driftNanoUsd }) => sum + absolute(driftNanoUsd), 0n),
      drifts,
    };
    this.reporter.report(this.#last);
    if (isRound) {
      this.#lastRoundAtMs = nowMs;
      await this.#repair(observed, epochs);
      // A shard that does not reply may have the event of a hold.
      const isBooked = unbookedEvents === 0 && shards.length === SHARD_COUNT;
      if (isBooked && totals.taskHolds.unbookedHolds > 0) await this.adoptTaskHolds.adopt(HOLD_IS_LOST_MS);
    }
    return this.#last;
  }

  async #observe(epochs: Epochs): Promise<ReadonlyMap<string, Observation>> {
    const accountIds = new Set([...(await this.#scanner.next()), ...this.#history.accountIds]);
    const comparable = [...accountIds].filter((accountId) => epochs.has(shardOf(accountId)));
    return observeDrift(this.database, this.store, comparable);
  }

  /** The shards in which the ledger follows Redis. */
  async #sharedEpochs(): Promise<Epochs> {
    const [inRedis, inLedger] = await Promise.all([this.store.currentEpochs(), activeEpochs(this.database)]);
    return new Map([...inLedger].filter(([shard, epoch]) => inRedis[shard] === epoch.toString()));
  }

  async #repair(observed: ReadonlyMap<string, Observation>, epochs: Epochs): Promise<void> {
    for (const { accountId } of this.#history.toRepair) {
      const observation = observed.get(accountId);
      const epoch = epochs.get(shardOf(accountId));
      if (observation === undefined || epoch === undefined) continue;
      const { escrowNanoUsd, driftNanoUsd } = observation;
      const heldByRedisNanoUsd = escrowNanoUsd - driftNanoUsd;
      if (!(await mirrorEscrow(this.database, { accountId, escrowNanoUsd, heldByRedisNanoUsd, epoch }))) continue;
      this.reporter.reportRepair({ accountId, driftNanoUsd });
    }
  }
}
