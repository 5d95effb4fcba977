import type { Database } from '../database.js';
import type { ClaimedDelivery } from './claim-deliveries.js';
import type { DisabledReason } from './endpoints.js';

/** `gone`: the address wants nothing any more. */
export type AttemptOutcome =
  | { readonly outcome: 'delivered' | 'failed' | 'gone' }
  | { readonly outcome: 'retry'; readonly retryInMs: number };

export interface AttemptReport {
  readonly durationMs: number;
  readonly status: number | null;
  /** One word for what went wrong; null of a success. */
  readonly error: string | null;
  readonly responseBody: string | null;
}

/** When an endpoint is given up: after so many failures in a row over so long a time. */
export interface DisablePolicy {
  readonly afterMs: number;
  readonly afterFailures: number;
}

/** Postgres keeps no NUL in a text, and half a character is none. */
const storable = (text: string | null) => text?.replaceAll('\0', '�').toWellFormed() ?? null;

/** Ends what a claim began. Gives the reason if the delivery's endpoint was disabled by it, else null. */
export async function reportAttempt(
  { prisma }: Database,
  { id, lease, attempt }: Pick<ClaimedDelivery, 'id' | 'lease' | 'attempt'>,
  result: AttemptOutcome & AttemptReport,
  rule: DisablePolicy,
): Promise<DisabledReason | null> {
  const retryInMs = result.outcome === 'retry' ? result.retryInMs : null;
  const [row] = await prisma.$queryRaw<{ disabled: DisabledReason | null }[]>`
    SELECT report_webhook_attempt(${id}, ${lease}, ${attempt}::int, ${result.outcome}, ${result.durationMs}::int,
      ${result.status}::int, ${storable(result.error)}::text, ${storable(result.responseBody)}::text,
      ${retryInMs}::bigint, ${rule.afterMs}::bigint, ${rule.afterFailures}::int) AS disabled`;
  return row?.disabled ?? null;
}
