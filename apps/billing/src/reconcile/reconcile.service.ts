import { Loop } from '@gateway/observability';
import {
  activeEpoch,
  adoptLostTaskHolds,
  checkTaskHolds,
  countParkedEvents,
  type Database,
  mirrorEscrow,
  sumLedger,
  type TaskHoldCheck,
} from '@gateway/postgres';
import type { AdmissionStore, UsageStream } from '@gateway/redis';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ADMISSION_STORE, DATABASE, USAGE_LENGTHS } from '../billing-doors.js';
import { type BillingMetrics, METRICS } from '../billing-metrics.js';
import { LOGGER, type Logger } from '../observability-door.js';
import { type Drift, DriftHistory } from './drift-history.js';
import { type Observation, observeDrift } from './observe-drift.js';

export interface Reconciliation {
  readonly checkedAt: Date;
  readonly epoch: string;
  readonly orphanHolds: number;
  readonly unsettledEvents: number;
  /** Events that nobody can read or book. */
  readonly parkedEvents: number;
  readonly ledgerImbalanceNanoUsd: bigint;
  /** What all customers together have in escrow. */
  readonly escrowNanoUsd: bigint;
  readonly taskHolds: TaskHoldCheck;
  readonly driftNanoUsd: bigint;
  readonly drifts: readonly Drift[];
}

const EVERY_MS = 5_000;
/** The sweeper has had its chance. */
const ORPHAN_AFTER_MS = 5_000;
const COUNT_LIMIT = 1_000;
/** An event is booked in a moment; one that was not for so long, while none waits, is lost. */
const HOLD_IS_LATE_MS = 10_000;
const HOLD_IS_LOST_MS = 60_000;

const absolute = (amount: bigint): bigint => (amount < 0n ? -amount : amount);

/**
 * Compares the ledger with Redis all the time; zero is the only good value. The rule of repair: the ledger's escrow
 * becomes what Redis really holds, against the customer's free balance, so that what a customer owns never changes.
 */
@Injectable()
export class Reconcile implements OnApplicationBootstrap {
  readonly #loop: Loop;
  readonly #history = new DriftHistory();
  readonly #startedAtMs = Date.now();
  #last: Reconciliation | null = null;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ADMISSION_STORE) private readonly store: AdmissionStore,
    @Inject(USAGE_LENGTHS) private readonly usage: UsageStream,
    @Inject(METRICS) private readonly metrics: BillingMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#loop = new Loop({
      everyMs: EVERY_MS,
      round: async () => {
        await this.round(Date.now());
      },
      onError: (error) => this.logger.warn({ err: error }, 'cannot reconcile'),
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

  /** How old the last result is; before the first one, how long there has been none. */
  ageMs(nowMs: number): number {
    return nowMs - (this.#last?.checkedAt.getTime() ?? this.#startedAtMs);
  }

  /** Null if Redis began another life and the ledger is on its way there: there is nothing to compare yet. */
  round(nowMs: number): Promise<Reconciliation | null> {
    return this.#compare(nowMs, true);
  }

  /** As a round, but no difference is taken to have lasted, or repaired, because somebody looked more often. */
  look(nowMs: number): Promise<Reconciliation | null> {
    return this.#compare(nowMs, false);
  }

  async #compare(nowMs: number, isRound: boolean): Promise<Reconciliation | null> {
    const epoch = await this.#sharedEpoch();
    if (epoch === null) return null;
    const observed = await observeDrift(this.database, this.store);
    if ((await this.#sharedEpoch()) !== epoch) return null;
    if (isRound)
      this.#history.note(new Map([...observed].map(([accountId, { driftNanoUsd }]) => [accountId, driftNanoUsd])));
    const drifts = this.#history.counted;
    const [orphans, unsettledEvents, dead, parked, sums, taskHolds] = await Promise.all([
      this.store.expiredHolds(nowMs - ORPHAN_AFTER_MS, COUNT_LIMIT),
      this.usage.length(),
      this.usage.deadLength(),
      countParkedEvents(this.database),
      sumLedger(this.database),
      checkTaskHolds(this.database, HOLD_IS_LATE_MS),
    ]);
    this.#last = {
      checkedAt: new Date(nowMs),
      epoch,
      orphanHolds: orphans.length,
      unsettledEvents,
      parkedEvents: dead + parked,
      ledgerImbalanceNanoUsd: sums.imbalanceNanoUsd,
      escrowNanoUsd: sums.escrowNanoUsd,
      taskHolds,
      driftNanoUsd: drifts.reduce((sum, { driftNanoUsd }) => sum + absolute(driftNanoUsd), 0n),
      drifts,
    };
    this.#publish(this.#last);
    if (isRound) {
      await this.#repair(observed, BigInt(epoch));
      if (unsettledEvents === 0 && taskHolds.unbookedHolds > 0) await this.adoptTaskHolds(HOLD_IS_LOST_MS);
    }
    return this.#last;
  }

  async #sharedEpoch(): Promise<string | null> {
    const [inRedis, inLedger] = await Promise.all([this.store.currentEpoch(), activeEpoch(this.database)]);
    return inRedis === inLedger?.toString() ? inRedis : null;
  }

  /** Takes what lost holds of open tasks may cost from the customers, who have it back from the lost Redis. */
  async adoptTaskHolds(olderThanMs: number): Promise<void> {
    const adopted = await adoptLostTaskHolds(this.database, olderThanMs);
    if (adopted === 0) return;
    this.metrics.adoptedTaskHolds.inc(adopted);
    this.logger.warn({ adopted }, 'holds of tasks were lost with a Redis: they are taken from the customers');
  }

  #publish(result: Reconciliation): void {
    this.metrics.taskHoldDriftNanoUsd.set(Number(result.taskHolds.driftNanoUsd));
    this.metrics.unbookedTaskHolds.set(result.taskHolds.unbookedHolds);
    this.metrics.tasksWithoutReceipt.set(result.taskHolds.endedWithoutReceipt);
    this.metrics.orphanHolds.set(result.orphanHolds);
    this.metrics.unsettledEvents.set(result.unsettledEvents);
    this.metrics.parkedEvents.set(result.parkedEvents);
    this.metrics.driftNanoUsd.set(Number(result.driftNanoUsd));
    this.metrics.escrowNanoUsd.set(Number(result.escrowNanoUsd));
    this.metrics.ledgerImbalanceNanoUsd.set(Number(result.ledgerImbalanceNanoUsd));
    for (const { accountId, driftNanoUsd, rounds } of result.drifts) {
      this.logger.error({ accountId, driftNanoUsd: driftNanoUsd.toString(), rounds }, 'Redis and ledger have drifted');
    }
  }

  async #repair(observed: ReadonlyMap<string, Observation>, epoch: bigint): Promise<void> {
    for (const { accountId } of this.#history.toRepair) {
      const seen = observed.get(accountId);
      if (seen === undefined) continue;
      const { escrowNanoUsd, driftNanoUsd } = seen;
      const heldByRedisNanoUsd = escrowNanoUsd - driftNanoUsd;
      if (!(await mirrorEscrow(this.database, { accountId, escrowNanoUsd, heldByRedisNanoUsd, epoch }))) continue;
      this.metrics.repairs.inc();
      this.logger.error({ accountId, driftNanoUsd: driftNanoUsd.toString() }, 'made the escrow what Redis holds');
    }
  }
}
