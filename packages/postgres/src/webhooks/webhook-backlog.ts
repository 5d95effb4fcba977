import type { Database } from '../database.js';

export interface WebhookBacklog {
  /** Deliveries that have not ended. */
  readonly pending: number;
  /** Those of them that are due and that nobody has tried yet. */
  readonly unattempted: number;
  /** How old the oldest of them all is, and for how long the oldest untried one has been due. */
  readonly oldestMs: number;
  readonly oldestUnattemptedMs: number;
}

/** What is still to be sent, for the gauges. */
export async function webhookBacklog({ prisma }: Database): Promise<WebhookBacklog> {
  const [row] = await prisma.$queryRaw<WebhookBacklog[]>`
    SELECT count(*)::int AS pending, (count(*) FILTER (WHERE attempts = 0 AND next_attempt_at <= now()))::int AS untried,
      coalesce(extract(epoch FROM now() - min(created_at)) * 1000, 0)::float8 AS "oldestMs",
      coalesce(extract(epoch FROM now() - min(next_attempt_at)
        FILTER (WHERE attempts = 0 AND next_attempt_at <= now())) * 1000, 0)::float8 AS "oldestUntriedMs"
    FROM webhook_delivery WHERE state = 'pending'`;
  if (row === undefined) throw new Error('the count of deliveries gave no row');
  return row;
}
