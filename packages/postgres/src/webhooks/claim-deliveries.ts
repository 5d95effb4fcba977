import type { AccountEventType } from '@gateway/contracts';
import type { Database } from '../database.js';

/** One attempt that this worker, and no other, is to make before its lease is over. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly lease: string;
  /** 1 for the first attempt ever. */
  readonly attempt: number;
  /** 1 for the first of this round of the schedule. */
  readonly step: number;
  readonly accountId: string;
  readonly url: string;
  readonly event: {
    readonly id: string;
    readonly type: AccountEventType;
    readonly createdAt: Date;
    readonly data: unknown;
  };
  /** From the event to this attempt, by the clock of Postgres. */
  readonly ageMs: number;
  /** The video task that the event is about; null: it is about something else. */
  readonly task: { readonly requestId: string; readonly traceparent: string | null } | null;
}

export interface ClaimLimits {
  readonly limit: number;
  /** Longer than any attempt can last. */
  readonly leaseMs: number;
  /** Attempts of one account at one host at the same time, over all workers. */
  readonly hostLimit: number;
  /** Attempts of one account at the same time. */
  readonly accountLimit: number;
}

interface Row {
  readonly id: string;
  readonly lease: string;
  readonly attempt: number;
  readonly step: number;
  readonly account_id: string;
  readonly url: string;
  readonly event_id: string;
  readonly type: AccountEventType;
  readonly data: unknown;
  readonly event_created_at: Date;
  readonly age_ms: number;
  readonly request_id: string | null;
  readonly traceparent: string | null;
}

/** Borrows deliveries that are due. What is not reported before its lease is over is lent again. */
export async function claimDeliveries(
  { prisma }: Database,
  { limit, leaseMs, hostLimit, accountLimit }: ClaimLimits,
): Promise<readonly ClaimedDelivery[]> {
  const rows = await prisma.$queryRaw<Row[]>`
    SELECT claimed.*, task.request_id, task.traceparent
    FROM claim_webhook_deliveries(${limit}::int, ${leaseMs}::int, ${hostLimit}::int, ${accountLimit}::int) AS claimed
    LEFT JOIN LATERAL (
      SELECT video_task.request_id, video_task.traceparent
      FROM account_event JOIN video_task ON video_task.id = account_event.subject
      WHERE account_event.public_id = claimed.event_id LIMIT 1) AS task ON true`;
  return rows.map((row) => ({
    id: row.id,
    lease: row.lease,
    attempt: row.attempt,
    step: row.step,
    accountId: row.account_id,
    url: row.url,
    event: { id: row.event_id, type: row.type, createdAt: row.event_created_at, data: row.data },
    ageMs: row.age_ms,
    task: row.request_id === null ? null : { requestId: row.request_id, traceparent: row.traceparent },
  }));
}
