import type { Database } from '../database.js';
import type { ClaimedDelivery } from './claim-deliveries.js';
import type { DisabledReason } from './endpoints.js';

/** `gone`: the receiver responded with 410, which ends its endpoint. */
export type AttemptOutcome =
  | { readonly outcome: 'delivered' | 'failed' | 'gone' }
  | { readonly outcome: 'retry'; readonly retryInMs: number };

export interface AttemptReport {
  readonly durationMs: number;
  readonly status: number | null;
  /** One word for the failure; null after a success. */
  readonly error: string | null;
  readonly responseBody: string | null;
}

/** An endpoint is disabled after this many failures in a row over this time. */
export interface DisablePolicy {
  readonly afterMs: number;
  readonly afterFailures: number;
}

/** PostgreSQL refuses NUL and half a surrogate pair in a text. */
const storable = (text: string | null) => text?.replaceAll('\0', '�').toWellFormed() ?? null;

/** Reports the attempt of a claim. Returns the reason if the report disabled the endpoint, else null. */
export async function reportAttempt(
  { prisma }: Database,
  { id, lease, attempt }: Pick<ClaimedDelivery, 'id' | 'lease' | 'attempt'>,
  result: AttemptOutcome & AttemptReport,
  policy: DisablePolicy,
): Promise<DisabledReason | null> {
  const retryInMs = result.outcome === 'retry' ? result.retryInMs : null;
  const [row] = await prisma.$queryRaw<{ disabled: DisabledReason | null }[]>`
    SELECT report_webhook_attempt(${id}, ${lease}, ${attempt}::int, ${result.outcome}, ${result.durationMs}::int,
      ${result.status}::int, ${storable(result.error)}::text, ${storable(result.responseBody)}::text,
      ${retryInMs}::bigint, ${policy.afterMs}::bigint, ${policy.afterFailures}::int) AS disabled`;
  return row?.disabled ?? null;
}
