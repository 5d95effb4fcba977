import { findModel, modelAt } from '@gateway/catalogue';
import type { RecordedLine, VendorBillLine } from '@gateway/postgres';

/** A day and a model of a bill beside our receipts. */
export interface ComparedLine {
  /** A UTC day such as `2026-11-21`. */
  readonly day: string;
  readonly model: string;
  readonly billedNanoUsd: bigint;
  readonly recordedNanoUsd: bigint;
  readonly billedRequests: bigint | null;
  readonly recordedRequests: bigint;
  /** Requests whose vendor's cost is unknown: they may explain a difference. */
  readonly uncostedRequests: bigint;
}

const dayOf = (day: Date): string => day.toISOString().slice(0, '2026-11-21'.length);

/** A model that retired has its successor's name on the bill. */
const billedModel = ({ day, model }: RecordedLine): string => modelAt(model, day.getTime())?.servedBy ?? model;

const NOTHING = {
  billedNanoUsd: 0n,
  recordedNanoUsd: 0n,
  billedRequests: null,
  recordedRequests: 0n,
  uncostedRequests: 0n,
} as const;

/** Joins a vendor's bill and our receipts by day and model. Receipts of other vendors are left out. */
export function compareBill(
  vendor: string,
  billed: readonly VendorBillLine[],
  recorded: readonly RecordedLine[],
): readonly ComparedLine[] {
  const lines = new Map<string, ComparedLine>();
  const change = (day: string, model: string, more: (line: ComparedLine) => Partial<ComparedLine>) => {
    const line = lines.get(`${day} ${model}`) ?? { day, model, ...NOTHING };
    lines.set(`${day} ${model}`, { ...line, ...more(line) });
  };
  for (const { day, model, costNanoUsd, requests } of billed) {
    change(dayOf(day), model, () => ({ billedNanoUsd: costNanoUsd, billedRequests: requests }));
  }
  for (const one of recorded) {
    const model = billedModel(one);
    if (findModel(model)?.vendor !== vendor) continue;
    change(dayOf(one.day), model, (line) => ({
      recordedNanoUsd: line.recordedNanoUsd + one.vendorCostNanoUsd,
      recordedRequests: line.recordedRequests + one.requests,
      uncostedRequests: line.uncostedRequests + one.uncostedRequests,
    }));
  }
  return [...lines.values()].sort((one, other) => (`${one.day} ${one.model}` < `${other.day} ${other.model}` ? -1 : 1));
}
