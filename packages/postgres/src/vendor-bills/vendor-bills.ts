import type { Database } from '../database.js';
import { isUniqueViolation } from '../database-failure.js';
import { toStorableJson } from '../storable-json.js';

/** A vendor's usage export, read to its end. Days are UTC, at midnight. */
export interface VendorBillRecord {
  readonly id: string;
  readonly vendor: string;
  readonly form: string;
  readonly name: string;
  readonly sha256: string;
  readonly rows: bigint;
  /** Rows without an amount, such as empty days. */
  readonly skippedRows: bigint;
  readonly firstDay: Date | null;
  readonly lastDay: Date | null;
  readonly billedNanoUsd: bigint;
  readonly createdBy: string;
  readonly createdAt: Date;
}

export type NewVendorBill = Pick<VendorBillRecord, 'id' | 'vendor' | 'form' | 'name' | 'createdBy'>;

/** What a bill sums for a day and a model. Null requests: it does not count them. */
export interface VendorBillLine {
  readonly day: Date;
  readonly model: string;
  readonly requests: bigint | null;
  readonly costNanoUsd: bigint;
}

/** A request of a bill, by the vendor's id. */
export interface VendorBillItem extends Omit<VendorBillLine, 'requests'> {
  readonly upstreamId: string;
}

export type VendorBillSums = Pick<
  VendorBillRecord,
  'sha256' | 'rows' | 'skippedRows' | 'firstDay' | 'lastDay' | 'billedNanoUsd'
>;

/** An upload that broke off is no bill: only its end makes it visible. */
const READ = { sha256: { not: null } } as const;
const ABANDONED_AFTER_MS = 60 * 60 * 1_000;

/** Begins to read a bill. Removes what uploads that broke off have left. */
export async function beginVendorBill({ prisma }: Database, bill: NewVendorBill): Promise<void> {
  const createdAt = { lt: new Date(Date.now() - ABANDONED_AFTER_MS) };
  await prisma.vendorBill.deleteMany({ where: { sha256: null, createdAt } });
  await prisma.vendorBill.create({ data: bill });
}

/** A repeated id of a vendor adds its cost: one request may have several rows. */
export async function addVendorBillItems(
  { prisma }: Database,
  billId: string,
  items: readonly VendorBillItem[],
): Promise<void> {
  await prisma.$executeRaw`
    INSERT INTO vendor_bill_item AS kept (bill_id, upstream_id, day, model, cost_nano_usd)
    SELECT ${billId}, "upstreamId", min(day), min(model), sum("costNanoUsd")
    FROM jsonb_to_recordset(${toStorableJson(items.map(storableItem))}::jsonb)
      AS given ("upstreamId" text, day date, model text, "costNanoUsd" bigint)
    GROUP BY "upstreamId" ORDER BY "upstreamId"
    ON CONFLICT (bill_id, upstream_id) DO UPDATE SET cost_nano_usd = kept.cost_nano_usd + excluded.cost_nano_usd`;
}

const dayOf = (day: Date): string => day.toISOString().slice(0, '2026-11-21'.length);

/** Amounts and days as JSON has them. */
const storable = ({ day, model, costNanoUsd }: Omit<VendorBillLine, 'requests'>) => ({
  day: dayOf(day),
  model,
  costNanoUsd: costNanoUsd.toString(),
});

const storableItem = ({ upstreamId, ...item }: VendorBillItem) => ({ ...storable(item), upstreamId });

const storableLine = ({ requests, ...line }: VendorBillLine) => ({
  ...storable(line),
  requests: requests?.toString() ?? null,
});

/** Ends a bill, in one statement. False: the same file is a bill already, and this one is removed. */
export async function endVendorBill(
  database: Database,
  id: string,
  lines: readonly VendorBillLine[],
  sums: VendorBillSums,
): Promise<boolean> {
  try {
    await database.prisma.$executeRaw`
      WITH ended AS (
        UPDATE vendor_bill SET sha256 = ${sums.sha256}, rows = ${sums.rows}, skipped_rows = ${sums.skippedRows},
          first_day = ${sums.firstDay && dayOf(sums.firstDay)}::date, last_day = ${sums.lastDay && dayOf(sums.lastDay)}::date, billed_nano_usd = ${sums.billedNanoUsd}
        WHERE id = ${id} RETURNING id
      )
      INSERT INTO vendor_bill_line (bill_id, day, model, requests, cost_nano_usd)
      SELECT ended.id, day, model, requests, "costNanoUsd" FROM ended
      CROSS JOIN jsonb_to_recordset(${toStorableJson(lines.map(storableLine))}::jsonb)
        AS given (day date, model text, requests bigint, "costNanoUsd" bigint)`;
    return true;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    await removeVendorBill(database, id);
    return false;
  }
}

export async function removeVendorBill({ prisma }: Database, id: string): Promise<void> {
  await prisma.vendorBill.deleteMany({ where: { id, sha256: null } });
}

export const findVendorBill = (
  { prisma }: Database,
  by: { readonly id: string } | { readonly vendor: string; readonly sha256: string },
): Promise<VendorBillRecord | null> =>
  prisma.vendorBill.findFirst({ where: 'id' in by ? { ...by, ...READ } : by }) as Promise<VendorBillRecord | null>;

/** The newest first. */
export const listVendorBills = (
  { prisma }: Database,
  { before, limit }: { readonly before: Pick<VendorBillRecord, 'createdAt' | 'id'> | null; readonly limit: number },
): Promise<readonly VendorBillRecord[]> =>
  prisma.vendorBill.findMany({
    where: {
      ...READ,
      ...(before !== null && {
        OR: [{ createdAt: { lt: before.createdAt } }, { createdAt: before.createdAt, id: { lt: before.id } }],
      }),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
  }) as Promise<readonly VendorBillRecord[]>;

export const listVendorBillLines = ({ prisma }: Database, billId: string): Promise<readonly VendorBillLine[]> =>
  prisma.vendorBillLine.findMany({
    where: { billId },
    orderBy: [{ day: 'asc' }, { model: 'asc' }],
    omit: { billId: true },
  });
