import { SETTLEMENT_OUTCOMES } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import { formatUsd } from '@gateway/money';
import { type Database, listSettlements, type SettlementRecord } from '@gateway/postgres';
import { Controller, Get, Inject, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { AllowSessionOrKey } from '../guards/access.js';
import { type AccountCaller, AuthenticatedCaller, isTestCaller, mayReadAccount } from '../guards/caller.js';
import { csvRows } from '../http/csv.js';
import { decodeCursor, encodeCursor } from '../http/cursor.js';
import { instant, page, text, usd } from '../http/fields.js';
import { DATABASE } from '../tokens.js';

const OUTCOMES = [...SETTLEMENT_OUTCOMES.filter((outcome) => outcome !== 'held'), 'cancelled'] as const;

/** In a URL that was not encoded, `+02:00` arrives as ` 02:00`. */
const moment = z
  .preprocess((given) => (typeof given === 'string' ? given.replace(' ', '+') : given), instant)
  .optional();

const listing = z
  .strictObject({
    ...page,
    format: z.enum(['json', 'csv']).default('json'),
    key_id: text(64).optional(),
    model: text(200).optional(),
    endpoint: text(64).optional(),
    outcome: z.enum(OUTCOMES, `must be one of ${OUTCOMES.join(', ')}`).optional(),
    request_id: text(64).optional(),
    min_cost_usd: usd.optional(),
    max_cost_usd: usd.optional(),
    from: moment,
    to: moment,
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
    path: ['to'],
    message: 'must be later than from',
  });

const COLUMNS = [
  'request_id',
  'outcome',
  'error_code',
  'endpoint',
  'model',
  'key_id',
  'cost_usd',
  'admitted_at',
  'first_byte_at',
  'settled_at',
  'duration_ms',
] as const;

const lineView = (settlement: SettlementRecord) => ({
  request_id: settlement.requestId,
  outcome: settlement.outcome,
  error_code: settlement.errorCode,
  endpoint: settlement.endpoint,
  model: settlement.model,
  key_id: settlement.keyId,
  cost_usd: formatUsd(settlement.costNanoUsd),
  units: settlement.units,
  admitted_at: settlement.admittedAt.toISOString(),
  first_byte_at: settlement.firstByteAt?.toISOString() ?? null,
  settled_at: settlement.settledAt.toISOString(),
  duration_ms: settlement.settledAt.getTime() - settlement.admittedAt.getTime(),
});

const placeOf = ({ settledAt, requestId }: SettlementRecord): string => `${settledAt.getTime()} ${requestId}`;

function afterPlace(cursor: string | undefined) {
  const [settledAt, requestId] = decodeCursor(cursor, /^\d{1,15} \S{1,64}$/)?.split(' ') ?? [];
  if (settledAt === undefined || requestId === undefined) return null;
  return { settledAt: new Date(Number(settledAt)), requestId };
}

/** The requests of an account that have a receipt, the newest first. */
@Controller('account/requests')
export class RequestsController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** A key without the scope `account:read` lists its own requests. The CSV form has the next cursor in a header. */
  @AllowSessionOrKey()
  @Get()
  async list(
    @AuthenticatedCaller() caller: AccountCaller,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { limit, cursor, format, ...given } = parse(listing, query);
    const after = afterPlace(cursor);
    const ownKeyId = caller.kind === 'key' && !mayReadAccount(caller) ? caller.key.keyId : given.key_id;
    const isOthers = given.key_id !== undefined && given.key_id !== ownKeyId;
    const filter = {
      keyId: ownKeyId,
      onlyTest: isTestCaller(caller),
      model: given.model,
      endpoint: given.endpoint,
      outcome: given.outcome,
      requestId: given.request_id,
      leastCostNanoUsd: given.min_cost_usd,
      mostCostNanoUsd: given.max_cost_usd,
      from: given.from,
      to: given.to,
    };
    const found = isOthers ? [] : await listSettlements(this.database, caller.account.id, filter, { after, limit });
    const last = found.length === limit ? found.at(-1) : undefined;
    return this.#show(found, last === undefined ? null : encodeCursor(placeOf(last)), format, reply);
  }

  #show(found: readonly SettlementRecord[], nextCursor: string | null, format: 'json' | 'csv', reply: FastifyReply) {
    const data = found.map(lineView);
    if (format === 'json') return { data, next_cursor: nextCursor };
    reply.type('text/csv; charset=utf-8').header('content-disposition', 'attachment; filename="requests.csv"');
    if (nextCursor !== null) reply.header('x-next-cursor', nextCursor);
    return csvRows([COLUMNS, ...data.map((line) => COLUMNS.map((column) => `${line[column] ?? ''}`))]);
  }
}
