import type { Database } from '../database.js';
import { storableJson } from '../storable-json.js';

export interface NewAuditEntry {
  readonly actor: 'person' | 'administrator' | 'nobody';
  /** Whose things it is about; null: not known, or of nobody. */
  readonly accountId: string | null;
  readonly action: string;
  /** What it is done to, such as the id of a key. */
  readonly subject: string | null;
  /** What was asked, without secrets. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly ip: string;
  readonly requestId: string;
}

export interface AuditOutcome {
  /** The HTTP status that was answered. */
  readonly status: number;
  readonly errorCode: string | null;
  /** The account that was made by it, or that turned out to be meant. */
  readonly accountId: string | null;
  /** What was made by it. */
  readonly subject: string | null;
}

export interface AuditEntry extends NewAuditEntry {
  readonly id: bigint;
  readonly askedAt: Date;
  /** Null: under way, or its process died. */
  readonly outcome: AuditOutcome | null;
}

/** Writes down what is about to be done. Rejects if it cannot be written: then it must not be done. */
export async function beginAudit({ prisma }: Database, entry: NewAuditEntry): Promise<bigint> {
  const [row] = await prisma.$queryRaw<{ id: bigint }[]>`
    INSERT INTO audit_entry (actor, account_id, action, subject, details, ip, request_id)
    VALUES (${entry.actor}, ${entry.accountId}, ${entry.action}, ${entry.subject}, ${storableJson(entry.details)}::jsonb,
      ${entry.ip}, ${entry.requestId})
    RETURNING id`;
  if (row === undefined) throw new Error('an audit entry was not written');
  return row.id;
}

export async function endAudit({ prisma }: Database, entryId: bigint, outcome: AuditOutcome): Promise<void> {
  const { status, errorCode, accountId, subject } = outcome;
  await prisma.$executeRaw`
    INSERT INTO audit_outcome (entry_id, status, error_code, account_id, subject)
    VALUES (${entryId}, ${status}, ${errorCode}, ${accountId}, ${subject}) ON CONFLICT (entry_id) DO NOTHING`;
}

export interface AuditPage {
  /** Null: of everybody. */
  readonly accountId: string | null;
  readonly beforeId: bigint | null;
  readonly limit: number;
}

/** The newest first. */
export async function listAudit(database: Database, page: AuditPage): Promise<readonly AuditEntry[]> {
  const { accountId, beforeId, limit } = page;
  const before = beforeId === null ? {} : { lt: beforeId };
  const ids = accountId === null ? {} : { in: await newestAbout(database, { ...page, accountId }) };
  const rows = await database.prisma.auditEntry.findMany({
    where: { id: { ...before, ...ids } },
    orderBy: { id: 'desc' },
    take: limit,
    include: { outcome: true },
  });
  return rows as unknown as readonly AuditEntry[];
}

/** An entry names its account, or its outcome does: a page of each, by an index each, has all that a page can be of. */
async function newestAbout(
  { prisma }: Database,
  { accountId, beforeId, limit }: AuditPage & { readonly accountId: string },
): Promise<bigint[]> {
  const before = beforeId === null ? {} : { lt: beforeId };
  const [named, meant] = await Promise.all([
    prisma.auditEntry.findMany({
      where: { accountId, id: before },
      orderBy: { id: 'desc' },
      take: limit,
      select: { id: true },
    }),
    prisma.auditOutcome.findMany({
      where: { accountId, entryId: before },
      orderBy: { entryId: 'desc' },
      take: limit,
      select: { entryId: true },
    }),
  ]);
  return [...named.map(({ id }) => id), ...meant.map(({ entryId }) => entryId)];
}
