import type { AccountId, DurableRequest, KeyId } from '@gateway/contracts';
import { type AdmissionStore, HOLD_MS, LEASE_MS } from '@gateway/redis';

/** Keeps the holds and the places of requests that wait or run without an edge. */
export async function renewMoney(
  admission: Pick<AdmissionStore, 'renew'>,
  requests: readonly DurableRequest[],
): Promise<void> {
  const running = requests.map(({ requestId, accountId, ticket }) => ({
    requestId,
    accountId: accountId as AccountId,
    keyId: ticket.keyId as KeyId,
  }));
  await admission.renew(running, LEASE_MS, HOLD_MS);
}
