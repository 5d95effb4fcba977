import { Describe } from '@gateway/api-description';
import { parse } from '@gateway/json-service';
import { type AccountRecord, type AuditEntry, type Database, listAudit } from '@gateway/postgres';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import type { z } from 'zod';
import { AllowAdmin, AllowSession } from '../guards/access.js';
import { CallerAccount } from '../guards/caller.js';
import { decodeCursor, encodeCursor } from '../http/cursor.js';
import { DATABASE } from '../tokens.js';
import { AUDIT, adminAuditListing, auditListing, auditRecord } from './audit.description.js';

const view = ({
  id,
  outcome,
  accountId,
  askedAt,
  requestId,
  subject,
  ...entry
}: AuditEntry): z.output<typeof auditRecord> => ({
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

/** The audit log: of the caller's account, with what administrators did to it; or of all accounts. */
@Controller()
export class AuditController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  @Describe(AUDIT.own)
  @AllowSession('owner')
  @Get('account/audit')
  async own(@CallerAccount() account: AccountRecord, @Query() query: unknown) {
    return this.#page(account.id, parse(auditListing, query));
  }

  @Describe(AUDIT.all)
  @AllowAdmin()
  @Get('admin/audit')
  async all(@Query() query: unknown) {
    const { account_id: accountId, ...place } = parse(adminAuditListing, query);
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
