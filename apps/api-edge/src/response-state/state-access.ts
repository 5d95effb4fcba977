import { ENDPOINTS, GatewayError, type KeyRecord, STATE_FORMS, type StateForm } from '@gateway/contracts';
import { mayUseEndpoint } from '@gateway/intake';
import type { StateAccess } from '@gateway/postgres';
import { unlessAway } from '../http/unless-away.js';

/**
 * What a key may see: its account's, of its models. A test key sees what test keys created. A key that may create responses
 * may also read them: throws 403 for any other one.
 */
export function accessOf(
  key: KeyRecord,
  { endpoint }: Pick<StateForm, 'endpoint'> = STATE_FORMS.responses,
): StateAccess {
  if (mayUseEndpoint(key, endpoint)) return { accountId: key.accountId, onlyTest: key.isTest, models: key.models };
  throw new GatewayError('permission_denied', `This key may not be used on ${ENDPOINTS[endpoint].path}.`);
}

export const orUnavailable = <Found>(query: Promise<Found>): Promise<Found> => unlessAway(query, unavailable);

const unavailable = (): GatewayError =>
  new GatewayError('service_unavailable', 'Stored responses are not available right now, try again shortly.', {
    retryAfterMs: 1_000,
  });
