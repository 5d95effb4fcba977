import { UNITS } from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import type { SettlementRecord } from '@gateway/postgres';
import { z } from 'zod';
import { time, timeOrNull, usdText } from './answers.js';
import { decodePlace, encodePlace } from './cursor.js';

/** Units with a column of their own in the CSV file: spreadsheets add them up. */
const TOKENS = UNITS.filter((unit) => unit.endsWith('_token'));

/** The columns of the CSV file. */
export const REQUEST_COLUMNS = [
  'request_id',
  'outcome',
  'http_status',
  'error_code',
  'endpoint',
  'model',
  'key_id',
  'idempotency_key',
  'cost_usd',
  'admitted_at',
  'first_byte_at',
  'settled_at',
  'duration_ms',
  ...TOKENS,
  'other_units',
] as const;

/** A request in a list, as its customer sees it. */
export const requestRecord = z
  .object({
    request_id: z.string(),
    outcome: z.string(),
    http_status: z.int().nullable(),
    error_code: z.string().nullable(),
    endpoint: z.string(),
    model: z.string(),
    key_id: z.string(),
    idempotency_key: z.string().nullable(),
    cost_usd: usdText,
    units: z.record(z.string(), z.number()),
    admitted_at: time,
    first_byte_at: timeOrNull,
    settled_at: time,
    duration_ms: z.number(),
  })
  .meta({ id: 'PaidRequest' });

export const requestLine = (settlement: SettlementRecord): z.output<typeof requestRecord> => ({
  request_id: settlement.requestId,
  outcome: settlement.outcome,
  http_status: settlement.status,
  error_code: settlement.errorCode,
  endpoint: settlement.endpoint,
  model: settlement.model,
  key_id: settlement.keyId,
  idempotency_key: settlement.idempotencyKey,
  cost_usd: formatUsd(settlement.costNanoUsd),
  units: settlement.units,
  admitted_at: settlement.admittedAt.toISOString(),
  first_byte_at: settlement.firstByteAt?.toISOString() ?? null,
  settled_at: settlement.settledAt.toISOString(),
  duration_ms: settlement.settledAt.getTime() - settlement.admittedAt.getTime(),
});

/** A request in the CSV file: its tokens in columns, its other units as JSON. */
export function requestCells({ units, ...line }: z.output<typeof requestRecord>) {
  const others = Object.entries(units).filter(([unit]) => !(TOKENS as readonly string[]).includes(unit));
  return { ...units, ...line, other_units: others.length === 0 ? '' : JSON.stringify(Object.fromEntries(others)) };
}

export const cursorAfter = ({ settledAt, requestId }: SettlementRecord): string =>
  encodePlace({ atMs: settledAt.getTime(), id: requestId });

/** The place of a cursor; null: the first page. */
export function afterCursor(cursor: string | undefined) {
  const place = decodePlace(cursor, /\S{1,64}/);
  return place === null ? null : { settledAt: new Date(place.atMs), requestId: place.id };
}
