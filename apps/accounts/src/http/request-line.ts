import { formatUsd } from '@gateway/money';
import type { SettlementRecord } from '@gateway/postgres';
import { csvRows } from './csv.js';
import { decodeCursor, encodeCursor } from './cursor.js';

const COLUMNS = [
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
] as const;

export const requestLine = (settlement: SettlementRecord) => ({
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

export const requestsCsv = (lines: readonly ReturnType<typeof requestLine>[]): string =>
  csvRows([COLUMNS, ...lines.map((line) => COLUMNS.map((column) => `${line[column] ?? ''}`))]);

export const cursorAfter = ({ settledAt, requestId }: SettlementRecord): string =>
  encodeCursor(`${settledAt.getTime()} ${requestId}`);

/** The place of a cursor; null: the first page. */
export function afterCursor(cursor: string | undefined) {
  const [settledAt, requestId] = decodeCursor(cursor, /^\d{1,15} \S{1,64}$/)?.split(' ') ?? [];
  if (settledAt === undefined || requestId === undefined) return null;
  return { settledAt: new Date(Number(settledAt)), requestId };
}
