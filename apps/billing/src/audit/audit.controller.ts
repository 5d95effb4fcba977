import { type AuditEntry, type Database, listAudit } from '@gateway/postgres';
import { Controller, Get, Headers, Inject, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DATABASE } from '../billing-doors.js';
import { decodeCursor, encodeCursor } from '../cursor.js';
import { page, text } from '../fields.js';
import { parse } from '../parse.js';
import { Sessions } from '../sessions.service.js';
import { Tokens } from '../tokens.service.js';

const listing = z.strictObject(page);
const adminListing = z.strictObject({ ...page, account_id: text(64).optional() });

const view = ({ id, outcome, accountId, askedAt, requestId, subject, ...entry }: AuditEntry) => ({
  id: id.toString(),
  at: askedAt.toISOString(),
  actor: entry.actor,
  account_id: accountId ?? outcome?.accountId ?? null,
  action: entry.action,
  subject: outcome?.subject ?? subject,
  details: entry.details,
  ip: entry.ip,
  request_id: requestId,
  status: outcome?.status ?? null,
  error_code: outcome?.errorCode ?? null,
});

/** Who did what: of one's own account, administrators' doings included, or of all. */
@Controller()
export class AuditController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly sessions: Sessions,
    private readonly tokens: Tokens,
  ) {}

  @Get('account/audit')
  async own(@Req() request: FastifyRequest, @Query() query: unknown) {
    const { id } = await this.sessions.accountOf(request);
    return this.#page(id, parse(listing, query));
  }

  @Get('admin/audit')
  async all(@Headers('authorization') authorization: string | undefined, @Query() query: unknown) {
    this.tokens.requireAdmin(authorization);
    const { account_id: accountId, ...place } = parse(adminListing, query);
    return this.#page(accountId ?? null, place);
  }

  async #page(accountId: string | null, { limit, cursor }: { limit: number; cursor?: string | undefined }) {
    const place = decodeCursor(cursor, /^\d{1,18}$/);
    const records = await listAudit(this.database, {
      accountId,
      beforeId: place === null ? null : BigInt(place),
      limit,
    });
    const last = records.length === limit ? records.at(-1) : undefined;
    return { data: records.map(view), next_cursor: last === undefined ? null : encodeCursor(last.id.toString()) };
  }
}
