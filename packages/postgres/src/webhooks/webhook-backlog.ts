import type { Database } from '../database.js';

export interface WebhookBacklog {
  /** Deliveries that have not ended. */
  readonly pending: number;
  /** Due deliveries without an attempt. */
  readonly unattempted: number;
  /** Age of the oldest pending delivery, and how long the oldest due one without an attempt has waited. */
  readonly oldestMs: number;
  readonly oldestUnattemptedMs: number;
}

/** Counts pending deliveries, for the gauges. */
export async function webhookBacklog({ prisma }: Database): Promise<WebhookBacklog> {
  const [row] = await prisma.$queryRaw<WebhookBacklog[]>`
    SELECT count(*)::int AS pending, (count(*) FILTER (WHERE attempts = 0 AND next_attempt_at <= now()))::int AS unattempted,
      coalesce(extract(epoch FROM now() - min(created_at)) * 1000, 0)::float8 AS "oldestMs",
      coalesce(extract(epoch FROM now() - min(next_attempt_at)
        FILTER (WHERE attempts = 0 AND next_attempt_at <= now())) * 1000, 0)::float8 AS "oldestUnattemptedMs"
    FROM webhook_delivery WHERE state = 'pending'`;
  if (row === undefined) throw new Error('webhook backlog: the query returned no row');
  return row;
}
