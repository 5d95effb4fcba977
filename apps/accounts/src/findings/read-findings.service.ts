import { parseUsd } from '@gateway/money';
import {
  type Database,
  type FindingPage,
  type FindingRecord,
  listBelowCost,
  listParkedEvents,
  listRefundedCharges,
  listTasksWithoutReceipt,
  listUnbookedTaskHolds,
} from '@gateway/postgres';
import { type AdmissionStore, listUnbooked, type RedisConnection, type RedisKeys } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { AskBilling } from '../http/ask-billing.service.js';
import { ADMISSION_STORE, DATABASE, REDIS, REDIS_KEYS } from '../tokens.js';
import type { FindingKind } from './findings.description.js';

/** Longer than the sweep of expired holds needs. */
const ORPHAN_AFTER_MS = 10_000;

type Source = (page: FindingPage) => Promise<readonly FindingRecord[]>;

const partOf = <Row>(rows: readonly Row[], { offset, limit }: FindingPage): readonly Row[] =>
  rows.slice(offset, offset + limit);

/** The rows behind each number of the reconciliation. */
@Injectable()
export class ReadFindings {
  readonly #sources: Readonly<Record<FindingKind, Source>>;

  constructor(
    @Inject(DATABASE) database: Database,
    @Inject(REDIS) private readonly redis: RedisConnection,
    @Inject(REDIS_KEYS) private readonly keys: RedisKeys,
    @Inject(ADMISSION_STORE) private readonly store: AdmissionStore,
    private readonly billing: AskBilling,
  ) {
    this.#sources = {
      drift: (page) => this.#drift(page),
      orphan_holds: (page) => this.#orphanHolds(page),
      unsettled: (page) => this.#unsettled(page),
      parked: (page) => listParkedEvents(database, page),
      unbooked_task_holds: (page) => listUnbookedTaskHolds(database, page),
      tasks_without_receipt: (page) => listTasksWithoutReceipt(database, page),
      refunded_charges: (page) => listRefundedCharges(database, page),
      below_cost: (page) => listBelowCost(database, page),
    };
  }

  read(kind: FindingKind, page: FindingPage): Promise<readonly FindingRecord[]> {
    return this.#sources[kind](page);
  }

  async #drift(page: FindingPage): Promise<readonly FindingRecord[]> {
    const { drifts, checked_at: checkedAt } = await this.billing.reconciliation(false);
    return partOf(drifts, page).map(({ account_id: accountId, drift_usd: driftUsd, rounds }) => ({
      id: accountId,
      accountId,
      requestId: null,
      amountNanoUsd: parseUsd(driftUsd),
      at: new Date(checkedAt),
      about: `the same for ${rounds} rounds`,
    }));
  }

  async #orphanHolds(page: FindingPage): Promise<readonly FindingRecord[]> {
    const holds = await this.store.expiredHolds(Date.now() - ORPHAN_AFTER_MS, page.offset + page.limit);
    return partOf(holds, page).map(({ requestId, accountId, amountNanoUsd, expiresAtMs, about }) => ({
      id: requestId,
      accountId,
      requestId,
      amountNanoUsd,
      at: new Date(expiresAtMs),
      about: about.model,
    }));
  }

  async #unsettled(page: FindingPage): Promise<readonly FindingRecord[]> {
    const entries = await listUnbooked(this.redis, page.offset + page.limit, this.keys);
    return partOf(entries, page).map(({ streamId, settledAt, requestId, accountId, costNanoUsd, model }) => ({
      id: streamId,
      accountId,
      requestId,
      amountNanoUsd: costNanoUsd,
      at: settledAt,
      about: model ?? 'no usage event',
    }));
  }
}
