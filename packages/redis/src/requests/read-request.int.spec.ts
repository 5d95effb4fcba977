import { newAccountId, newKeyId, newRequestId } from '@gateway/contracts';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AdmissionStore } from '../admission/admission-store.js';
import { TestRedis } from '../test-support/test-redis.js';
import { readRequest } from './read-request.js';

let test: TestRedis;

beforeAll(async () => {
  test = await TestRedis.open();
});

afterAll(() => test.close());

it('readRequest returns unknown, then running, then settled', async () => {
  const store = new AdmissionStore(test.redis, { keys: test.keys });
  const [requestId, accountId, keyId] = [newRequestId(), newAccountId(), newKeyId()];
  const read = () => readRequest(test.redis, test.keys, { accountId, requestId });
  await store.beginEpoch('1');
  expect(await read()).toEqual({ state: 'unknown' });

  const about = {
    endpoint: 'chat.completions',
    model: 'gm-2',
    priceVersion: 'gm-2@2026-01-01',
    admittedAtMs: 1,
  } as const;
  const unlimited = { requestsPerMinute: 0, concurrency: 0 };
  const limits = { accountLimits: unlimited, keyLimits: unlimited };
  const hold = { holdNanoUsd: 0n, holdMs: 60_000 };
  await store.admit({ requestId, accountId, keyId, ...limits, ...hold, about });
  expect(await read()).toMatchObject({ state: 'running', hold: { accountId, about } });

  await store.settle({
    schemaVersion: 1,
    requestId,
    accountId,
    keyId,
    endpoint: about.endpoint,
    model: about.model,
    outcome: 'failed',
    holdNanoUsd: '0',
    costNanoUsd: '0',
    priceVersion: about.priceVersion,
    unitPrices: {},
    units: {},
    isEstimated: false,
    attempts: [],
    admittedAtMs: 1,
    settledAtMs: 2,
  });
  expect(await read()).toEqual({ state: 'settled' });
});
