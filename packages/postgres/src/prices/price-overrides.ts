import type { PriceOverride, UnitPrices } from '@gateway/contracts';
import type { Database } from '../database.js';

/** As a statement gives it back in JSON. */
export interface OverrideRow {
  readonly id: string;
  readonly model: string;
  readonly fromMs: number;
  readonly perMillion: UnitPrices | null;
  readonly longPromptPerMillion: UnitPrices | null;
}

export const readOverride = ({ longPromptPerMillion, ...row }: OverrideRow): PriceOverride => ({
  ...row,
  ...(longPromptPerMillion !== null && { longPromptPerMillion }),
});

export interface NewPriceOverride extends Omit<PriceOverride, 'id'> {
  readonly accountId: string;
  readonly reason: string;
}

export interface StoredPriceOverride extends PriceOverride {
  readonly reason: string;
  readonly createdAt: Date;
}

const KEPT = {
  id: true,
  model: true,
  from: true,
  perMillion: true,
  longPromptPerMillion: true,
  reason: true,
  createdAt: true,
} as const;

interface KeptRow {
  readonly id: bigint;
  readonly model: string;
  readonly from: Date;
  readonly perMillion: unknown;
  readonly longPromptPerMillion: unknown;
  readonly reason: string;
  readonly createdAt: Date;
}

const kept = ({
  id,
  model,
  from,
  perMillion,
  longPromptPerMillion,
  reason,
  createdAt,
}: KeptRow): StoredPriceOverride => ({
  ...readOverride({
    id: id.toString(),
    model,
    fromMs: from.getTime(),
    perMillion: perMillion as UnitPrices | null,
    longPromptPerMillion: longPromptPerMillion as UnitPrices | null,
  }),
  reason,
  createdAt,
});

/** Adds a price; what was there before stays, for the receipts that name it. */
export async function addPriceOverride({ prisma }: Database, added: NewPriceOverride): Promise<StoredPriceOverride> {
  const { accountId, model, fromMs, perMillion, longPromptPerMillion, reason } = added;
  const row = await prisma.priceOverride.create({
    data: {
      accountId,
      model,
      from: new Date(fromMs),
      ...(perMillion !== null && { perMillion }),
      ...(longPromptPerMillion !== undefined && { longPromptPerMillion }),
      reason,
    },
    select: KEPT,
  });
  return kept(row);
}

/** All of an account, in the order in which they were made. */
export async function listPriceOverrides(
  { prisma }: Database,
  accountId: string,
): Promise<readonly StoredPriceOverride[]> {
  const rows = await prisma.priceOverride.findMany({ where: { accountId }, orderBy: { id: 'asc' }, select: KEPT });
  return rows.map(kept);
}
