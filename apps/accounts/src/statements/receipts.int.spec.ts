import { type AccountId, type KeyId, newFileId, newRequestId, type RequestId, taskIdOf } from '@gateway/contracts';
import { isSettled, openTaskStore } from '@gateway/postgres';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleAdmission, settlementForAdmission } from '../../../billing/src/test-support/test-billing.js';
import { AccountInterface, until } from '../test-support/account-interface.js';
import { FindReceipt } from './find-receipt.service.js';

let accounts: AccountInterface;

beforeAll(async () => {
  accounts = await AccountInterface.open();
});

afterAll(() => accounts.close());

const receiptOf = (id: string, token: string) => accounts.call('GET', `/account/requests/${id}`, undefined, token);

/** A person with a running request. */
async function running() {
  const person = await accounts.register();
  const credit = { amount_usd: '10', reason: 'test', reference: `credit-${person.id}` };
  await accounts.call('POST', `/admin/accounts/${person.id}/credits`, credit, accounts.adminToken);
  const escrow = { accountId: person.id, missingNanoUsd: '1000000' };
  await accounts.call('POST', '/internal/escrow', escrow, accounts.internalToken);
  const request = sampleAdmission(person.id as AccountId, 1_000_000n);
  await accounts.resources.admissionStore.admit(request);
  return { person, request };
}

describe('the receipt of a request', () => {
  it('is available right after the response, because the service waits for the ledger', async () => {
    for (let times = 0; times < 5; times += 1) {
      const { person, request } = await running();
      await accounts.resources.admissionStore.settle(settlementForAdmission(request, 30_000n));
      expect(await receiptOf(request.requestId, person.token)).toMatchObject({
        status: 200,
        body: { request_id: request.requestId, status: 'settled', task_id: null, cost_usd: '0.00003' },
      });
    }
  });

  it('is shown on the admin route only to an administrator who names its account', async () => {
    const { person, request } = await running();
    await accounts.resources.admissionStore.settle(settlementForAdmission(request, 30_000n));
    const path = (accountId: string) => `/admin/accounts/${accountId}/requests/${request.requestId}`;
    const shown = await accounts.call('GET', path(person.id), undefined, accounts.adminToken);
    expect(shown).toMatchObject({ status: 200, body: { request_id: request.requestId, cost_usd: '0.00003' } });
    expect((await accounts.call('GET', path(person.id), undefined, person.token)).status).toBe(401);
    const other = await accounts.register();
    expect((await accounts.call('GET', path(other.id), undefined, accounts.adminToken)).status).toBe(404);
  });

  it('names the vendor of each fetched result to administrators alone', async () => {
    const { person, request } = await running();
    await accounts.resources.admissionStore.settle(settlementForAdmission(request, 30_000n));
    const fileId = newFileId();
    await accounts.resources.database.prisma.fetchedResult.create({
      data: {
        ...{ fileId, taskId: request.requestId, part: 'image_0', accountId: person.id, keyId: request.keyId },
        ...{ isTest: false, sourceUrl: 'https://vendor.example/a.png', sourceExpiresAt: new Date(86_400_000) },
      },
    });
    const customers = await receiptOf(request.requestId, person.token);
    expect([customers.status, JSON.stringify(customers.body).includes('vendor.example')]).toEqual([200, false]);
    const path = `/admin/accounts/${person.id}/requests/${request.requestId}`;
    const { body } = await accounts.call('GET', path, undefined, accounts.adminToken);
    expect(body.fetched_results).toEqual([
      {
        ...{ file_id: fileId, part: 'image_0', status: 'pending', reason: null, attempts: 0 },
        ...{ source_url: 'https://vendor.example/a.png', source_expires_at: '1970-01-02T00:00:00.000Z' },
      },
    ]);
  });

  it('is found when the settlement is recorded between two reads of the ledger', async () => {
    const { person, request } = await running();
    const { database, redis, keys, admissionStore } = accounts.resources;
    // The request has ended in Redis. Its settlement is recorded right after the second read of the ledger.
    await redis.del(keys.of(request.accountId).hold(request.requestId));
    await redis.set(keys.of(request.accountId).settled(request.requestId), 'completed:30000');
    let questions = 0;
    const ask = async (question: () => Promise<unknown>): Promise<unknown> => {
      const result = await question();
      questions += 1;
      if (questions === 2) {
        await redis.del(keys.of(request.accountId).settled(request.requestId));
        await admissionStore.settle(settlementForAdmission(request, 30_000n));
        await until(() => isSettled(database, request.requestId));
      }
      return result;
    };
    const settlement = new Proxy(database.prisma.settlement, {
      get: (model, method) => (query: unknown) => ask(() => Reflect.get(model, method)(query)),
    });
    const prisma = new Proxy(database.prisma, {
      get: (client, name) => (name === 'settlement' ? settlement : Reflect.get(client, name)),
    });
    const slowly = new FindReceipt({ ...database, prisma }, redis, keys);
    const reader = { accountId: person.id as AccountId, onlyTest: false };
    expect(await slowly.find(reader, request.requestId)).toMatchObject({
      state: 'settled',
      settlement: { costNanoUsd: 30_000n },
    });
    expect(questions).toBeGreaterThan(2);
  });

  it('is a 202 with the hold while the request runs, and a 404 for others', async () => {
    const { person, request } = await running();
    const pending = await receiptOf(request.requestId, person.token);
    expect([pending.status, pending.headers.get('retry-after')]).toEqual([202, '1']);
    expect(pending.body).toEqual({
      request_id: request.requestId,
      object: 'receipt',
      status: 'running',
      reason: 'The request is still running. Its maximum cost is held.',
      task_id: null,
      endpoint: 'chat.completions',
      model: 'gm-2',
      key_id: request.keyId,
      price_version: 'gm-2@2026-01-01',
      hold_usd: '0.001',
      admitted_at: '1970-01-01T00:00:01.000Z',
    });
    const other = await accounts.register();
    expect((await receiptOf(request.requestId, other.token)).status).toBe(404);
    await accounts.resources.admissionStore.settle(settlementForAdmission(request, 30_000n));
    expect((await receiptOf(request.requestId, other.token)).status).toBe(404);
  });

  it('is read by the key of the request, and by other keys of the account only with the scope', async () => {
    const { person, request } = await running();
    const read = async (settings: object) => {
      const { body } = await accounts.call('POST', '/account/keys', { name: 'k', ...settings }, person.token);
      return (await receiptOf(request.requestId, body.key)).status;
    };
    expect([await read({}), await read({ scopes: ['account:read'] })]).toEqual([404, 202]);
  });

  it('is a 202 for a request that ended while the ledger is not writable', async () => {
    const person = await accounts.register();
    const requestId = newRequestId();
    await accounts.resources.redis.set(accounts.resources.keys.of(person.id).settled(requestId), 'completed:5');
    const { status, body } = await receiptOf(requestId, person.token);
    expect([status, body]).toEqual([202, expect.objectContaining({ request_id: requestId, status: 'booking' })]);
    expect(Object.keys(body)).not.toContain('hold_usd');
  });

  it('does not exist for a request that was never admitted', async () => {
    const { token } = await accounts.register();
    for (const id of [newRequestId(), taskIdOf(newRequestId()), 'cgt-1', 'nonsense']) {
      expect(await receiptOf(id, token)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    }
  });
});

describe('the receipt of a video task', () => {
  it('is found by the id of the task too, and is a 202 until the task ends', async () => {
    const [person, other] = [await accounts.register(), await accounts.register()];
    const requestId = newRequestId() as RequestId;
    const { body: key } = await accounts.call('POST', '/account/keys', { name: 'k' }, person.token);
    await openTaskStore(accounts.resources.database).open(
      {
        taskId: taskIdOf(requestId),
        requestId,
        accountId: person.id as AccountId,
        keyId: key.id as KeyId,
        isTest: false,
        model: 'wn2.7-t2v',
        vendor: 'dashscope',
        durationSeconds: 5,
        resolution: '720p',
        aspectRatio: '16:9',
        unit: 'second_720p',
        priceVersion: 'wn2.7-t2v@2026-01-01',
        unitPrices: { second_720p: '100' },
        holdNanoUsd: '30',
        prompt: null,
        webhookUrl: null,
        idempotencyKey: null,
        idempotencyFingerprint: null,
        traceparent: null,
        createdAtMs: 1_000,
        expiresAtMs: Date.now() + 3_600_000,
      },
      60_000,
    );
    for (const id of [requestId, taskIdOf(requestId)]) {
      const { status, body } = await receiptOf(id, person.token);
      expect([status, body]).toEqual([
        202,
        expect.objectContaining({
          request_id: requestId,
          task_id: taskIdOf(requestId),
          status: 'running',
          endpoint: 'videos.generations',
          hold_usd: '0.00000003',
        }),
      ]);
      expect((await receiptOf(id, other.token)).status).toBe(404);
    }
  });
});
