import { formatUsd } from '@gateway/money';
import type { ComparedItem, VendorBillRecord } from '@gateway/postgres';
import type { ComparedLine } from './compare-bill.js';
import type { BillItemView, BillView, ComparedBillView } from './vendor-bills.description.js';

const dayView = (day: Date): string => day.toISOString().slice(0, '2026-11-21'.length);

export const billView = (bill: VendorBillRecord): BillView => ({
  id: bill.id,
  vendor: bill.vendor,
  form: bill.form,
  name: bill.name,
  sha256: bill.sha256,
  rows: Number(bill.rows),
  skipped_rows: Number(bill.skippedRows),
  first_day: bill.firstDay === null ? null : dayView(bill.firstDay),
  last_day: bill.lastDay === null ? null : dayView(bill.lastDay),
  billed_usd: formatUsd(bill.billedNanoUsd),
  created_by: bill.createdBy,
  created_at: bill.createdAt.toISOString(),
});

const differenceOf = ({ billedNanoUsd, recordedNanoUsd }: ComparedLine): bigint => billedNanoUsd - recordedNanoUsd;

const lineView = (line: ComparedLine) => ({
  day: line.day,
  model: line.model,
  billed_usd: formatUsd(line.billedNanoUsd),
  recorded_usd: formatUsd(line.recordedNanoUsd),
  difference_usd: formatUsd(differenceOf(line)),
  billed_requests: line.billedRequests === null ? null : Number(line.billedRequests),
  recorded_requests: Number(line.recordedRequests),
  uncosted_requests: Number(line.uncostedRequests),
});

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

export function comparedBillView(bill: VendorBillRecord, lines: readonly ComparedLine[]): ComparedBillView {
  const differences = lines.map(differenceOf);
  return {
    ...billView(bill),
    recorded_usd: formatUsd(sum(lines.map(({ recordedNanoUsd }) => recordedNanoUsd))),
    difference_usd: formatUsd(sum(differences)),
    unexplained_usd: formatUsd(sum(differences.map((one) => (one < 0n ? -one : one)))),
    lines: lines.map(lineView),
  };
}

export const itemView = (item: ComparedItem): BillItemView => ({
  upstream_id: item.upstreamId,
  day: dayView(item.day),
  model: item.model,
  billed_usd: formatUsd(item.billedNanoUsd),
  recorded_usd: item.recordedNanoUsd === null ? null : formatUsd(item.recordedNanoUsd),
  request_id: item.requestId,
  account_id: item.accountId,
});
