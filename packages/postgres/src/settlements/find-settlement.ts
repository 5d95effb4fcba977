import type { Changes, UpstreamAttempt } from '@gateway/contracts';
import type { Database } from '../database.js';
import type { Settlement } from '../generated/client.js';

/** The receipt of a request. */
export interface SettlementRecord {
  readonly requestId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly endpoint: string;
  readonly model: string;
  readonly outcome: string;
  readonly holdNanoUsd: bigint;
  readonly costNanoUsd: bigint;
  /** What the vendor bills; null if it is unknown. Customers do not see it. */
  readonly vendorCostNanoUsd: bigint | null;
  readonly priceVersion: string;
  /** Decimal USD per million of each unit. */
  readonly unitPrices: Readonly<Record<string, string>>;
  readonly units: Readonly<Record<string, number>>;
  readonly isEstimated: boolean;
  /** `stops` or `completes`; null if it is not known. */
  readonly abortContract: string | null;
  readonly idempotencyKey: string | null;
  readonly errorCode: string | null;
  /** The HTTP status of the response; null if it is not known. */
  readonly status: number | null;
  /** Null: nothing was changed. */
  readonly changes: Changes | null;
  readonly attempts: readonly UpstreamAttempt[];
  readonly admittedAt: Date;
  readonly queuedAt: Date | null;
  /** When a worker claimed it. */
  readonly startedAt: Date | null;
  readonly firstByteAt: Date | null;
  readonly settledAt: Date;
  readonly recordedAt: Date;
}

/** True if a request of any account has a receipt. */
export const isSettled = async ({ prisma }: Database, requestId: string): Promise<boolean> =>
  (await prisma.settlement.count({ where: { requestId } })) > 0;

/** Null: this account has no receipt of that request. */
export async function findSettlement(
  { prisma }: Database,
  accountId: string,
  requestId: string,
): Promise<SettlementRecord | null> {
  const row = await prisma.settlement.findFirst({ where: { requestId, accountId } });
  return row === null ? null : settlementRecord(row);
}

/** Names the types of the columns that hold JSON. */
export const settlementRecord = (row: Settlement): SettlementRecord => ({
  ...row,
  unitPrices: row.unitPrices as Record<string, string>,
  units: row.units as Record<string, number>,
  changes: row.changes as Changes | null,
  attempts: row.attempts as unknown as UpstreamAttempt[],
});
