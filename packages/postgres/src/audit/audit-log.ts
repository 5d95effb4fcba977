import type { Database } from '../database.js';
import type { Prisma } from '../generated/client.js';
import { toStorableJson } from '../storable-json.js';

export const AUDIT_ACTORS = ['person', 'administrator', 'key', 'nobody'] as const;

export interface NewAuditEntry {
  readonly actor: (typeof AUDIT_ACTORS)[number];
  /** The account that the action concerns; null: unknown or none. */
  readonly accountId: string | null;
  /** The person with the role and the session at that time; null: no person. */
  readonly personId: string | null;
  readonly role: string | null;
  readonly sessionId: string | null;
  /** The name of the administrator; null: another actor, or the token without a name. */
  readonly administrator: string | null;
  readonly action: string;
  /** The id of the object, such as a key. */
  readonly subject: string | null;
  /** The request without its secrets. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly ip: string;
  readonly requestId: string;
}

export interface AuditOutcome {
  /** The HTTP status of the response. */
  readonly status: number;
  readonly errorCode: string | null;
  /** The account that the action created or turned out to concern. */
  readonly accountId: string | null;
  /** The id of the object that the action created. */
  readonly subject: string | null;
}

export interface AuditEntry extends NewAuditEntry {
  readonly id: bigint;
  readonly askedAt: Date;
  /** Null: the action is under way, or its process died. */
  readonly outcome: AuditOutcome | null;
}

/** Records an action before it is done. If it rejects, the action must not be done. */
export async function beginAudit({ prisma }: Database, entry: NewAuditEntry): Promise<bigint> {
  const [row] = await prisma.$queryRaw<{ id: bigint }[]>`
    INSERT INTO audit_entry (actor, account_id, person_id, role, session_id, administrator, action, subject, details, ip, request_id)
    VALUES (${entry.actor}, ${entry.accountId}, ${entry.personId}, ${entry.role}, ${entry.sessionId}, ${entry.administrator},
      ${entry.action}, ${entry.subject}, ${toStorableJson(entry.details)}::jsonb, ${entry.ip}, ${entry.requestId})
    RETURNING id`;
  if (row === undefined) throw new Error('audit_entry: the insert returned no row');
  return row.id;
}

export async function endAudit({ prisma }: Database, entryId: bigint, outcome: AuditOutcome): Promise<void> {
  const { status, errorCode, accountId, subject } = outcome;
  await prisma.$executeRaw`
    INSERT INTO audit_outcome (entry_id, status, error_code, account_id, subject)
    VALUES (${entryId}, ${status}, ${errorCode}, ${accountId}, ${subject}) ON CONFLICT (entry_id) DO NOTHING`;
}

/** Undefined: every value. */
export interface AuditFilter {
  /** The action, or its beginning up to a dot: `key.` is every action on keys. */
  readonly action?: string | undefined;
  readonly actor?: NewAuditEntry['actor'] | undefined;
  readonly administrator?: string | undefined;
  readonly personId?: string | undefined;
  /** The id of the object, such as a key. */
  readonly subject?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

export interface AuditPage extends AuditFilter {
  /** Null: all accounts. */
  readonly accountId: string | null;
  readonly beforeId: bigint | null;
  readonly limit: number;
}

const conditionOf = ({
  action,
  actor,
  administrator,
  personId,
  subject,
  from,
  to,
}: AuditFilter): Prisma.AuditEntryWhereInput => ({
  ...(action !== undefined && { action: action.endsWith('.') ? { startsWith: action } : action }),
  ...(actor !== undefined && { actor }),
  ...(administrator !== undefined && { administrator }),
  ...(personId !== undefined && { personId }),
  ...(subject !== undefined && { OR: [{ subject }, { outcome: { subject } }] }),
  ...((from !== undefined || to !== undefined) && {
    askedAt: { ...(from !== undefined && { gte: from }), ...(to !== undefined && { lt: to }) },
  }),
});

/** Returns entries, the newest first. */
export async function listAudit(database: Database, page: AuditPage): Promise<readonly AuditEntry[]> {
  const { accountId, beforeId, limit } = page;
  const before = beforeId === null ? {} : { lt: beforeId };
  const ids = accountId === null ? {} : { in: await newestAbout(database, { ...page, accountId }) };
  const rows = await database.prisma.auditEntry.findMany({
    where: { ...conditionOf(page), id: { ...before, ...ids } },
    orderBy: { id: 'desc' },
    take: limit,
    include: { outcome: true },
  });
  return rows as unknown as readonly AuditEntry[];
}

/** The account is in the entry or in its outcome. A page of each, read by its index, holds every row of the result. */
async function newestAbout({ prisma }: Database, page: AuditPage & { readonly accountId: string }): Promise<bigint[]> {
  const { accountId, beforeId, limit } = page;
  const before = beforeId === null ? {} : { lt: beforeId };
  const [fromEntries, fromOutcomes] = await Promise.all([
    prisma.auditEntry.findMany({
      where: { ...conditionOf(page), accountId, id: before },
      orderBy: { id: 'desc' },
      take: limit,
      select: { id: true },
    }),
    prisma.auditOutcome.findMany({
      where: { accountId, entryId: before, entry: conditionOf(page) },
      orderBy: { entryId: 'desc' },
      take: limit,
      select: { entryId: true },
    }),
  ]);
  return [...fromEntries.map(({ id }) => id), ...fromOutcomes.map(({ entryId }) => entryId)];
}

/** The names of people by their ids, for a page of entries. Someone without a name has an address. */
export async function namesOfPeople(
  { prisma }: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const people = await prisma.person.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, name: true, email: true },
  });
  return new Map(people.map(({ id, name, email }) => [id, name === '' ? email : name]));
}
