import { ENDPOINTS, GatewayError, type KeyRecord, STATE_FORMS, type StateForm } from '@gateway/contracts';
import { mayUseEndpoint } from '@gateway/intake';
import { withTimeout } from '@gateway/observability';
import type { StateAccess } from '@gateway/postgres';
import { unlessAway } from '../http/unless-away.js';

const SHORT_STATEMENT_MS = 5_000;

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

/** As `orUnavailable`, for a statement that carries no contents: a dead machine refuses no connection, and the driver alone would wait longer. */
export const soonOrUnavailable = <Found>(query: Promise<Found>): Promise<Found> =>
  orUnavailable(
    withTimeout(query, SHORT_STATEMENT_MS, () => {
      throw unavailable();
    }),
  );

const unavailable = (): GatewayError =>
  new GatewayError('service_unavailable', 'Stored responses are not available right now, try again shortly.', {
    retryAfterMs: 1_000,
  });
