import type { AccountEventType } from '@gateway/contracts';
import type { Database } from '../database.js';

/** An attempt that this worker alone makes before its lease ends. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly lease: string;
  /** Starts at 1. */
  readonly attempt: number;
  /** Attempts since the schedule started; starts at 1. */
  readonly step: number;
  readonly accountId: string;
  readonly url: string;
  readonly event: {
    readonly id: string;
    readonly type: AccountEventType;
    readonly createdAt: Date;
    readonly data: unknown;
  };
  /** Time from the event to this attempt, by the clock of PostgreSQL. */
  readonly ageMs: number;
  /** The video task of the event; null: the event has another subject. */
  readonly task: { readonly requestId: string; readonly traceparent: string | null } | null;
}

export interface ClaimLimits {
  readonly limit: number;
  /** Must exceed the longest attempt. */
  readonly leaseMs: number;
  /** Maximum of concurrent attempts of one account to one host, over all workers. */
  readonly hostLimit: number;
  /** Maximum of concurrent attempts of one account. */
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

/** Leases due deliveries. A delivery without a report before its lease ends is leased again. */
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
