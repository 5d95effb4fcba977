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
import { Controller, Get, Inject, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { AllowAdmin, AllowSession } from '../guards/access.js';
import { CallerAccount } from '../guards/caller.js';
import { decodeCursor, encodeCursor, readPage } from '../http/cursor.js';
import { Followable } from '../http/follow-answers.interceptor.js';
import { sendList } from '../http/send-list.js';
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

const COLUMNS = [
  'id',
  'at',
  'actor',
  'person',
  'action',
  'subject',
  'ip',
  'request_id',
  'status',
  'error_code',
] as const;

interface Page {
  readonly limit: number;
  readonly cursor: string | undefined;
}

type Listing = z.output<typeof auditListing>;

const filterOf = ({ action, actor, person_id: personId, subject, from, to }: Omit<Listing, 'format'>): AuditFilter => ({
  action,
  actor,
  personId,
  subject,
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
  async own(
    @CallerAccount() account: AccountRecord,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const listing = parse(auditListing, query);
    return sendList(reply, listing, {
      filename: 'audit.csv',
      columns: COLUMNS,
      cells: (entry: z.output<typeof auditRecord>) => ({ ...entry, person: entry.person?.name ?? entry.administrator }),
      read: (limit, cursor) => this.#page(account.id, { limit, cursor }, filterOf(listing)),
    });
  }

  @Describe(AUDIT.all)
  @AllowAdmin()
  @Followable()
  @Get('admin/audit')
  async all(@Query() query: unknown) {
    const { account_id: accountId, administrator, limit, cursor, ...listing } = parse(adminAuditListing, query);
    return this.#page(accountId ?? null, { limit, cursor }, { ...filterOf(listing), administrator });
  }

  async #page(accountId: string | null, { limit, cursor }: Page, filter: AuditFilter) {
    const place = decodeCursor(cursor, /^\d{1,18}$/);
    const beforeId = place === null ? null : BigInt(place);
    const { rows, next_cursor } = await readPage(
      limit,
      (count) => listAudit(this.database, { ...filter, accountId, beforeId, limit: count }),
      ({ id }) => encodeCursor(id.toString()),
    );
    const people = new Set(rows.flatMap(({ personId }) => personId ?? []));
    const names = await namesOfPeople(this.database, [...people]);
    return { data: rows.map((record) => view(record, names)), next_cursor };
  }
}
