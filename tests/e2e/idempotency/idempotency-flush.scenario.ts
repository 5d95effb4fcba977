import { eventually, nanoOf, startTestStack } from '@gateway/testing';
import { afterAll, expect, it } from '@jest/globals';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';
import { DEFAULT_MODEL } from '../text/chat-fields.js';
import { IdempotentRequests, newKey, requestIdOf, withKey } from './idempotency-requests.js';

const stack = await startTestStack();
afterAll(() => stack.stop());
const customer = await stack.createCustomer({ creditUsd: '10' });
const requests = new IdempotentRequests(stack, customer);

const body = { model: DEFAULT_MODEL, messages: [{ role: 'user', content: 'Once' }], max_completion_tokens: 100 };
const balance = async (): Promise<bigint> => nanoOf((await customer.balance()).balance_usd);

it('a second charge of one key, after Redis has lost its data, is given back', async () => {
  const headers = withKey(newKey());
  const first = await requests.send({ body, headers });
  expect(first.status).toBe(200);
  await waitUntilSettled(stack, [customer]);
  const afterFirst = await balance();

  await stack.system.redis.flush();
  // Refused until the balances are rebuilt.
  const second = await eventually(
    async () => {
      const response = await requests.send({ body, headers });
      expect(response.status).toBe(200);
      return response;
    },
    { withinMs: 60_000 },
  );
  expect(second.headers['idempotent-replayed']).toBeUndefined();
  const other = await requests.send({ body, headers: withKey(newKey()) });
  expect(other.status).toBe(200);
  const [firstId, secondId, otherId] = [first, second, other].map(requestIdOf);

  await eventually(
    async () => {
      const events = await stack.accounts.events(customer.token);
      const refunds = events.filter(({ type }) => type === 'charge.refunded');
      expect(refunds).toMatchObject([{ data: { request_id: secondId, first_request_id: firstId } }]);
    },
    { withinMs: 60_000 },
  );
  const settlement = await stack.ledger.settlement(customer.accountId, String(otherId));
  expect(await balance()).toBe(afterFirst - (settlement?.chargedNanoUsd ?? 0n));
  expect(settlement?.chargedNanoUsd).toBeGreaterThan(0n);
  await expectConsistentLedger(stack, [customer]);
});
