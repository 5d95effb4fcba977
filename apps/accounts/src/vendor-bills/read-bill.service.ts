import type { Readable } from 'node:stream';
import {
  addVendorBillItems,
  beginVendorBill,
  type Database,
  endVendorBill,
  type NewVendorBill,
  removeVendorBill,
  type VendorBillItem,
} from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '../tokens.js';
import { type BilledRow, type BillForm, type CsvRow, formOf } from './bill-forms.js';
import { BillSums } from './bill-sums.js';
import { CsvRows, unreadable } from './csv-rows.js';

/** Days and models: bounds the memory of an upload. */
const MAX_LINES = 50_000;
const ITEMS_AT_ONCE = 1_000;

/** Reads a vendor's export row by row, however long it is. The same file of a vendor is one bill. */
@Injectable()
export class ReadBill {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Returns the file's SHA-256, and whether it is new. Throws `invalid_request` for a file that is no known export of the
   * vendor: then nothing of it stays.
   */
  async read(
    csv: Readable,
    bill: Omit<NewVendorBill, 'form'>,
  ): Promise<{ readonly sha256: string; readonly isNew: boolean }> {
    const rows = new CsvRows(csv);
    try {
      const sums = await this.#readRows(rows, bill);
      const { sha256 } = rows;
      const isNew = await endVendorBill(this.database, bill.id, sums.lines, { sha256, ...sums.totals() });
      return { sha256, isNew };
    } catch (error) {
      await removeVendorBill(this.database, bill.id);
      throw error;
    }
  }

  async #readRows(rows: CsvRows, bill: Omit<NewVendorBill, 'form'>): Promise<BillSums> {
    const sums = new BillSums();
    let form: BillForm | undefined;
    let items: VendorBillItem[] = [];
    let number = 1;
    for await (const row of rows.read()) {
      number += 1;
      form ??= await this.#begin(row, bill);
      const billed = billedBy(form, row, number);
      if (billed === null) sums.skip();
      else sums.add(billed);
      if (sums.size > MAX_LINES) throw unreadable(`must have at most ${MAX_LINES} days and models`);
      if (billed === null || billed.upstreamId === null) continue;
      items.push({ ...billed, upstreamId: billed.upstreamId, day: new Date(billed.day) });
      if (items.length < ITEMS_AT_ONCE) continue;
      await addVendorBillItems(this.database, bill.id, items);
      items = [];
    }
    if (form === undefined) throw unreadable('must have a row below the names of the columns');
    if (items.length > 0) await addVendorBillItems(this.database, bill.id, items);
    return sums;
  }

  async #begin(row: CsvRow, bill: Omit<NewVendorBill, 'form'>): Promise<BillForm> {
    const form = formOf(Object.keys(row));
    if (form === undefined) {
      throw unreadable(
        'must be a usage or cost export of OpenAI or Anthropic, or have the columns day, model and cost_usd',
      );
    }
    if (form.vendor !== undefined && form.vendor !== bill.vendor) {
      throw unreadable(`is an export of ${form.vendor}, but vendor is ${bill.vendor}`);
    }
    await beginVendorBill(this.database, { ...bill, form: form.id });
    return form;
  }
}

/** Names the line of the file that cannot be read. The first line has the names of the columns. */
function billedBy(form: BillForm, row: CsvRow, number: number): BilledRow | null {
  try {
    return form.read(row);
  } catch (error) {
    if (error instanceof RangeError) throw unreadable(`line ${number}: ${error.message}`);
    throw error;
  }
}
