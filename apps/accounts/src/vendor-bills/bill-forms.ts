import { findModel, modelOfUpstream, vendorCostOf } from '@gateway/catalogue';
import type { UnitCounts, Vendor } from '@gateway/contracts';

/** A row of an export by the names of its columns. */
export type CsvRow = Readonly<Record<string, string>>;

/** What a row bills. Null requests: it does not count them. */
export interface BilledRow {
  /** A UTC day such as `2026-11-21`. */
  readonly day: string;
  /** The public id, or the vendor's name of a model that the catalogue does not have. */
  readonly model: string;
  readonly upstreamId: string | null;
  readonly requests: bigint | null;
  readonly costNanoUsd: bigint;
}

/** A form of export. `read` returns null for a row that bills nothing, and throws a RangeError for one that it cannot read. */
export interface BillForm {
  readonly id: string;
  /** Undefined: any vendor. */
  readonly vendor?: Vendor;
  /** Its columns; an export may have more. */
  readonly columns: readonly string[];
  read(row: CsvRow): BilledRow | null;
}

const NANO_DIGITS = 9;
/** Exports write a zero of thirty decimals as `0E-30`, and a millionth as `1E-6`. */
const DECIMAL = /^(-?)(\d{1,40})(?:\.(\d{1,80}))?(?:[eE]([+-]?\d{1,4}))?$/;
/** A larger amount does not fit into the ledger. */
const MAX_WHOLE_DIGITS = 10;

/** Nano-USD from decimal USD of any precision, with or without an exponent, rounded half up. Throws a RangeError. */
export function nanoUsdOf(text: string): bigint {
  const match = DECIMAL.exec(text.trim());
  if (match === null) throw new RangeError(`expected an amount in USD, got '${text}'`);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/^0+/, '');
  const wholeDigits = digits.length - fraction.length + Number(exponent);
  if (digits === '') return 0n;
  if (wholeDigits > MAX_WHOLE_DIGITS) throw new RangeError(`expected an amount in USD, got '${text}'`);
  const kept = wholeDigits + NANO_DIGITS;
  if (kept < 0) return 0n;
  const padded = digits.padEnd(kept + 1, '0');
  const rounded = BigInt(padded.slice(0, kept) || '0') + (Number(padded[kept]) >= 5 ? 1n : 0n);
  return sign === '-' ? -rounded : rounded;
}

function countOf(text: string | undefined): number {
  const count = Number((text ?? '').replaceAll(',', '') || '0');
  if (Number.isFinite(count) && count >= 0) return Math.round(count);
  throw new RangeError(`expected a count, got '${text}'`);
}

const ISO_DAY = /^\d{4}-\d{2}-\d{2}/;

/** No vendor has billed before, and a number such as 20261121 would be a day of 1970. */
const FIRST_DAY_MS = Date.UTC(2020, 0, 1);
const LAST_DAY_MS = Date.UTC(2100, 0, 1);

/** The UTC day of a date, an ISO 8601 time or Unix seconds. Throws a RangeError. */
function dayOf(text: string): string {
  const day = ISO_DAY.exec(text)?.[0];
  // A time without a zone is UTC in every export.
  const timeMs =
    day === undefined ? Number(text) * 1_000 : Date.parse(text.length === day.length ? text : withZone(text));
  const isDay = timeMs >= FIRST_DAY_MS && timeMs < LAST_DAY_MS && (day === undefined || isOfCalendar(day));
  if (!isDay) throw new RangeError(`expected a day such as 2026-11-21, got '${text}'`);
  return new Date(timeMs).toISOString().slice(0, '2026-11-21'.length);
}

/** `Date.parse` reads 2026-02-30 as a day of March. */
const isOfCalendar = (day: string): boolean => new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);

const withZone = (text: string): string => (/(Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text.replace(' ', 'T')}Z`);

/** A vendor may add the day of a release, such as `gpt-5.4-mini-2026-03-17`, or show `Claude Haiku 4.5`. */
function modelNamed(name: string): string {
  const given = name.trim();
  const undated = given.toLowerCase().replace(/[ -]\d{4}-\d{2}-\d{2}$/, '');
  const names = [given, given.toLowerCase(), undated, undated.replaceAll(/[ .]/g, '-')];
  const found = names.map((each) => modelOfUpstream(each) ?? findModel(each)).find((model) => model !== undefined);
  return found?.id ?? given;
}

/** What both vendors bill of the usual prices for requests of their own batch interfaces. */
const BATCH_DIVISOR = 2n;

/** The cost of counted units by the catalogue, for exports without amounts. A model without prices has none. */
function costOfUnits(model: string, day: string, units: UnitCounts, isBatch: boolean): bigint {
  const known = findModel(model);
  const inputTokensTotal = 0;
  const cost = known === undefined ? undefined : vendorCostOf(known, { units, inputTokensTotal }, Date.parse(day));
  if (cost === undefined) throw new RangeError(`the model '${model}' has no price in the catalogue`);
  return isBatch ? (cost + BATCH_DIVISOR - 1n) / BATCH_DIVISOR : cost;
}

const OPENAI_COSTS: BillForm = {
  id: 'openai-costs',
  vendor: 'openai',
  columns: ['start_time', 'amount_value', 'line_item'],
  read(row) {
    if (!row.amount_value) return null;
    const currency = row.amount_currency || 'usd';
    if (currency.toLowerCase() !== 'usd') throw new RangeError(`expected an amount in USD, got one in '${currency}'`);
    const day = dayOf(row.start_time_iso || row.start_time || '');
    const [model = ''] = (row.line_item ?? '').split(',');
    return {
      day,
      model: model === '' ? 'not grouped' : modelNamed(model),
      upstreamId: null,
      requests: null,
      costNanoUsd: nanoUsdOf(row.amount_value),
    };
  },
};

const OPENAI_USAGE: BillForm = {
  id: 'openai-usage',
  vendor: 'openai',
  columns: ['start_time', 'model', 'input_tokens', 'output_tokens', 'num_model_requests'],
  read(row) {
    if (!row.model) return null;
    const day = dayOf(row.start_time_iso || row.start_time || '');
    const model = modelNamed(row.model);
    const cached = countOf(row.input_cached_tokens);
    const units = {
      input_token: Math.max(0, countOf(row.input_tokens) - cached),
      cached_input_token: cached,
      output_token: countOf(row.output_tokens),
    };
    const requests = BigInt(countOf(row.num_model_requests));
    const isBatch = row.batch?.toLowerCase() === 'true';
    return { day, model, upstreamId: null, requests, costNanoUsd: costOfUnits(model, day, units, isBatch) };
  },
};

const ANTHROPIC_COSTS: BillForm = {
  id: 'anthropic-costs',
  vendor: 'anthropic',
  columns: ['usage_date_utc', 'model', 'cost_usd'],
  read(row) {
    if (!row.cost_usd) return null;
    return {
      day: dayOf(row.usage_date_utc ?? ''),
      model: row.model ? modelNamed(row.model) : 'not grouped',
      upstreamId: null,
      requests: null,
      costNanoUsd: nanoUsdOf(row.cost_usd),
    };
  },
};

const ANTHROPIC_USAGE: BillForm = {
  id: 'anthropic-usage',
  vendor: 'anthropic',
  columns: ['usage_date_utc', 'model_version', 'usage_input_tokens_no_cache', 'usage_output_tokens'],
  read(row) {
    if (!row.model_version) return null;
    const day = dayOf(row.usage_date_utc ?? '');
    const model = modelNamed(row.model_version);
    const units = {
      input_token: countOf(row.usage_input_tokens_no_cache),
      cached_input_token: countOf(row.usage_input_tokens_cache_read),
      cache_write_token: countOf(row.usage_input_tokens_cache_write_5m),
      cache_write_1h_token: countOf(row.usage_input_tokens_cache_write_1h),
      output_token: countOf(row.usage_output_tokens),
      web_search: countOf(row.web_search_count),
    };
    const costNanoUsd = costOfUnits(model, day, units, row.usage_type?.toLowerCase() === 'batch');
    return { day, model, upstreamId: null, requests: null, costNanoUsd };
  },
};

const PLAIN: BillForm = {
  id: 'plain',
  columns: ['day', 'model', 'cost_usd'],
  read(row) {
    const upstreamId = row.upstream_id || null;
    if (!row.model?.trim()) throw new RangeError('expected a model, got none');
    return {
      day: dayOf(row.day ?? ''),
      model: modelNamed(row.model),
      upstreamId,
      requests: row.requests ? BigInt(countOf(row.requests)) : upstreamId === null ? null : 1n,
      costNanoUsd: nanoUsdOf(row.cost_usd ?? ''),
    };
  },
};

/** The known forms. An export has the first one whose columns it has. */
export const BILL_FORMS: readonly BillForm[] = [OPENAI_COSTS, OPENAI_USAGE, ANTHROPIC_USAGE, ANTHROPIC_COSTS, PLAIN];

export const formOf = (columns: readonly string[]): BillForm | undefined =>
  BILL_FORMS.find((form) => form.columns.every((column) => columns.includes(column)));
