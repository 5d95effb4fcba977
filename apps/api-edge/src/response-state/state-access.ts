import { GatewayError, type KeyRecord } from '@gateway/contracts';
import type { StateAccess } from '@gateway/postgres';

/** A key that may create responses may also read them. */
const ENDPOINT = 'responses';

/** What a key may see: its account's. A test key sees what test keys created. Throws 403 for a key without the endpoint. */
export function accessOf({ accountId, isTest, endpoints }: KeyRecord): StateAccess {
  const allowed: readonly string[] | null = endpoints;
  if (allowed === null || allowed.includes(ENDPOINT)) return { accountId, onlyTest: isTest };
  throw new GatewayError('permission_denied', 'This key may not be used on /v1/responses.');
}

/** A failed query is safe to retry. Its reason names internal addresses, so it must not reach the client. */
export async function orUnavailable<Found>(query: Promise<Found>): Promise<Found> {
  try {
    return await query;
  } catch {
    throw new GatewayError('service_unavailable', 'Stored responses are not available right now, try again shortly.', {
      retryAfterMs: 1_000,
    });
  }
}
