import { Describe } from '@gateway/api-description';
import { parse } from '@gateway/json-service';
import {
  type AccountRecord,
  type AuditEntry,
  type AuditFilter,
  type Database,
  listAudit,
  namesOfPeople,
} from '@gateway/postgres';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import type { z } from 'zod';
import { AllowAdmin, AllowSession } from '../guards/access.js';
import { CallerAccount } from '../guards/caller.js';
import { decodeCursor, encodeCursor } from '../http/cursor.js';
import { DATABASE } from '../tokens.js';
import { AUDIT, adminAuditListing, auditListing, auditRecord } from './audit.description.js';

const view = (
  { id, outcome, accountId, askedAt, requestId, subject, personId, role, ...entry }: AuditEntry,
  names: ReadonlyMap<string, string>,
): z.output<typeof auditRecord> => ({
  id: id.toString(),
  at: askedAt.toISOString(),
  actor: entry.actor,
  person: personId === null ? null : { id: personId, name: names.get(personId) ?? personId, role },
  administrator: entry.administrator,
  account_id: accountId ?? outcome?.accountId ?? null,
  action: entry.action,
  subject: outcome?.subject ?? subject,
  details: entry.details,
  ip: entry.ip,
  request_id: requestId,
  status: outcome?.status ?? null,
  error_code: outcome?.errorCode ?? null,
});

type Listing = z.output<typeof auditListing>;

const filterOf = ({ action, actor, person_id: personId, from, to }: Listing): AuditFilter => ({
  action,
  actor,
  personId,
  from,
  to,
});

/** The audit log: of the caller's account, with what administrators did to it; or of all accounts. */
@Controller()
export class AuditController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  @Describe(AUDIT.own)
  @AllowSession('owner')
  @Get('account/audit')
  async own(@CallerAccount() account: AccountRecord, @Query() query: unknown) {
    const listing = parse(auditListing, query);
    return this.#page(account.id, listing, filterOf(listing));
  }

  @Describe(AUDIT.all)
  @AllowAdmin()
  @Get('admin/audit')
  async all(@Query() query: unknown) {
    const { account_id: accountId, administrator, ...listing } = parse(adminAuditListing, query);
    return this.#page(accountId ?? null, listing, { ...filterOf(listing), administrator });
  }

  async #page(accountId: string | null, { limit, cursor }: Listing, filter: AuditFilter) {
    const place = decodeCursor(cursor, /^\d{1,18}$/);
    const records = await listAudit(this.database, {
      ...filter,
      accountId,
      beforeId: place === null ? null : BigInt(place),
      limit,
    });
    const people = new Set(records.flatMap(({ personId }) => personId ?? []));
    const names = await namesOfPeople(this.database, [...people]);
    const last = records.length === limit ? records.at(-1) : undefined;
    return {
      data: records.map((record) => view(record, names)),
      next_cursor: last === undefined ? null : encodeCursor(last.id.toString()),
    };
  }
}
