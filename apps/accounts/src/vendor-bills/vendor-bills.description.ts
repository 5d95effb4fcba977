import type { RouteDescription } from '@gateway/api-description';
import { VENDORS } from '@gateway/contracts';
import { BILL_ITEM_STATES } from '@gateway/postgres';
import { z } from 'zod';
import { jsonOrEvents, pageOf, time, usdText } from '../http/answers.js';
import { oneLine, page } from '../http/fields.js';

export const newBill = z.strictObject({ vendor: z.enum(VENDORS), name: oneLine(200).default('usage export') });
export const billListing = z.strictObject(page);
export const itemListing = z.strictObject({ ...page, state: z.enum(BILL_ITEM_STATES).default('unmatched') });

const count = z.int();
const day = z.string().meta({ format: 'date' });

const sums = { billed_usd: usdText, recorded_usd: usdText, difference_usd: usdText };

export const billRecord = z
  .object({
    id: z.string(),
    vendor: z.string(),
    form: z.string(),
    name: z.string(),
    sha256: z.string(),
    rows: count,
    skipped_rows: count,
    first_day: day.nullable(),
    last_day: day.nullable(),
    billed_usd: usdText,
    created_by: z.string(),
    created_at: time,
  })
  .meta({ id: 'VendorBill' });

const billLine = z.object({
  day,
  model: z.string(),
  ...sums,
  billed_requests: count.nullable(),
  recorded_requests: count,
  uncosted_requests: count,
});

const comparedBill = billRecord.extend({
  recorded_usd: usdText,
  difference_usd: usdText,
  unexplained_usd: usdText.meta({ description: 'The differences of all lines, each without its sign.' }),
  lines: z.array(billLine),
});

const billItem = z.object({
  upstream_id: z.string(),
  day,
  model: z.string(),
  billed_usd: usdText,
  recorded_usd: usdText.nullable(),
  request_id: z.string().nullable(),
  account_id: z.string().nullable(),
});

export type BillView = z.output<typeof billRecord>;
export type ComparedBillView = z.output<typeof comparedBill>;
export type BillItemView = z.output<typeof billItem>;

export const VENDOR_BILLS = {
  create: {
    id: 'vendor_bills.create',
    summary: "Upload a vendor's usage export",
    description:
      'CSV of OpenAI or Anthropic (usage or costs), or with the columns `day`, `model` and `cost_usd`, and optionally `upstream_id` and `requests`. The same file twice is one bill.',
    query: newBill,
    body: { content: { 'text/csv': z.string() } },
    answers: {
      201: billRecord,
      200: { description: 'The file was uploaded before', content: { 'application/json': billRecord } },
    },
    examples: {
      plain: {
        query: { vendor: 'gemini' },
        body: 'day,model,cost_usd,upstream_id\n2026-05-01,gm-3.5-flash-lite,0.002,resp-17\n',
      },
    },
  },
  list: {
    id: 'vendor_bills.list',
    summary: "List the vendors' bills",
    query: billListing,
    answers: { 200: jsonOrEvents('FollowedVendorBills', pageOf(billRecord)) },
    examples: { newest: { query: { limit: '1' } } },
  },
  show: {
    id: 'vendor_bills.get',
    summary: 'Compare a bill with the receipts',
    description: 'By UTC day and model, with what is unexplained.',
    answers: { 200: comparedBill },
    examples: { one: { path: { id: '{billId}' } } },
  },
  items: {
    id: 'vendor_bills.items',
    summary: 'List the requests of a bill by what the receipts say of them',
    query: itemListing,
    answers: { 200: pageOf(billItem) },
    examples: { unmatched: { path: { id: '{billId}' }, query: { state: 'unmatched' } } },
  },
} satisfies Record<string, RouteDescription>;
