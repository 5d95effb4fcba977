import { GatewayError, type KeyRecord } from '@gateway/contracts';
import type { StateAccess } from '@gateway/postgres';
import { unlessAway } from '../http/unless-away.js';

/** A key that may create responses may also read them. */
const ENDPOINT = 'responses';

/** What a key may see: its account's. A test key sees what test keys created. Throws 403 for a key without the endpoint. */
export function accessOf({ accountId, isTest, endpoints }: KeyRecord): StateAccess {
  const allowed: readonly string[] | null = endpoints;
  if (allowed === null || allowed.includes(ENDPOINT)) return { accountId, onlyTest: isTest };
  throw new GatewayError('permission_denied', 'This key may not be used on /v1/responses.');
}

export const orUnavailable = <Found>(query: Promise<Found>): Promise<Found> => unlessAway(query, unavailable);

const unavailable = (): GatewayError =>
  new GatewayError('service_unavailable', 'Stored responses are not available right now, try again shortly.', {
    retryAfterMs: 1_000,
  });
