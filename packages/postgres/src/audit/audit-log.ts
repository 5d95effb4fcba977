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

export interface AuditRecord extends NewAuditEntry {
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
export async function listAudit({ prisma }: Database, page: AuditPage): Promise<readonly AuditRecord[]> {
  const { accountId, beforeId, limit } = page;
  const rows = await prisma.auditEntry.findMany({
    where: {
      ...(beforeId !== null && { id: { lt: beforeId } }),
      ...(accountId !== null && { OR: [{ accountId }, { outcome: { accountId } }] }),
    },
    orderBy: { id: 'desc' },
    take: limit,
    include: { outcome: true },
  });
  return rows as unknown as readonly AuditRecord[];
}
