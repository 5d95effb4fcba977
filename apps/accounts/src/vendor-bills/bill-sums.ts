import type { VendorBillLine, VendorBillSums } from '@gateway/postgres';
import type { BilledRow } from './bill-forms.js';

/** The sums of a bill's rows by day and model. */
export class BillSums {
  readonly #lines = new Map<string, VendorBillLine>();
  #rows = 0n;
  #skippedRows = 0n;
  #billedNanoUsd = 0n;

  /** Days and models. */
  get size(): number {
    return this.#lines.size;
  }

  get lines(): readonly VendorBillLine[] {
    return [...this.#lines.values()];
  }

  /** A row that bills nothing. */
  skip(): void {
    this.#skippedRows += 1n;
  }

  add({ day, model, requests, costNanoUsd }: BilledRow): void {
    const key = `${day} ${model}`;
    const known = this.#lines.get(key);
    this.#lines.set(key, {
      day: new Date(day),
      model,
      requests: requests === null ? (known?.requests ?? null) : (known?.requests ?? 0n) + requests,
      costNanoUsd: (known?.costNanoUsd ?? 0n) + costNanoUsd,
    });
    this.#rows += 1n;
    this.#billedNanoUsd += costNanoUsd;
  }

  totals(): Omit<VendorBillSums, 'sha256'> {
    const days = this.lines.map(({ day }) => day).sort((one, other) => one.getTime() - other.getTime());
    return {
      rows: this.#rows,
      skippedRows: this.#skippedRows,
      billedNanoUsd: this.#billedNanoUsd,
      firstDay: days[0] ?? null,
      lastDay: days.at(-1) ?? null,
    };
  }
}
