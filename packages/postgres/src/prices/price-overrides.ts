import type { PriceOverride, UnitPrices } from '@gateway/contracts';
import type { Database } from '../database.js';

/** A price override as a statement returns it in JSON. */
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

const STORED_FIELDS = {
  id: true,
  model: true,
  from: true,
  perMillion: true,
  longPromptPerMillion: true,
  reason: true,
  createdAt: true,
} as const;

interface StoredRow {
  readonly id: bigint;
  readonly model: string;
  readonly from: Date;
  readonly perMillion: unknown;
  readonly longPromptPerMillion: unknown;
  readonly reason: string;
  readonly createdAt: Date;
}

const toStored = ({
  id,
  model,
  from,
  perMillion,
  longPromptPerMillion,
  reason,
  createdAt,
}: StoredRow): StoredPriceOverride => ({
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

/** Adds a price. Former prices stay, because receipts name them. */
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
    select: STORED_FIELDS,
  });
  return toStored(row);
}

/** All price overrides of an account, the oldest first. */
export async function listPriceOverrides(
  { prisma }: Database,
  accountId: string,
): Promise<readonly StoredPriceOverride[]> {
  const rows = await prisma.priceOverride.findMany({
    where: { accountId },
    orderBy: { id: 'asc' },
    select: STORED_FIELDS,
  });
  return rows.map(toStored);
}
