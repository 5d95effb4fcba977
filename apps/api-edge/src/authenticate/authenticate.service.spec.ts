import { GatewayError, type KeyRecord, newApiKey, signBatchGrant } from '@gateway/contracts';
import { TokenBuckets } from '@gateway/serving';
import { describe, expect, it } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { keyOf } from '../test-support/task-reader-in-memory.js';
import { Authenticate } from './authenticate.service.js';
import { KeyLookup } from './key-lookup.service.js';

type Found = KeyRecord | null | undefined | Error;

const resolve = async <Value>(value: Value | Error): Promise<Value> => {
  if (value instanceof Error) throw value;
  return value;
};

/** Authentication by a cache (`undefined`: not cached) and a table that reply as given. */
function authentication({ cached, stored = null }: { cached?: Found; stored?: KeyRecord | null | Error }) {
  const writes: unknown[] = [];
  const cache = {
    get: () => resolve(cached),
    set: (key: KeyRecord) => resolve(cached instanceof Error ? cached : writes.push(key)),
    setAbsent: () => resolve(cached instanceof Error ? cached : writes.push(null)),
  };
  const reader = { findKeyBySha256: () => resolve(stored) };
  const unknownKeys = new TokenBuckets({ capacity: 10, perSecond: 1 });
  const authenticate = new Authenticate(new KeyLookup(cache as never, reader as never, unknownKeys), {
    batchSecrets: [BATCH_SECRET],
  });
  const apiKey = newApiKey();
  const run = (headers: object = { authorization: `Bearer ${apiKey}` }, ip = '203.0.113.7') =>
    authenticate.authenticate({ headers, ip } as FastifyRequest);
  return { apiKey, run, writes };
}

const key = keyOf();
const BATCH_SECRET = 'b'.repeat(32);
const batch = {
  batchId: 'batch_1',
  keySha256: key.keySha256,
  budgetNanoUsd: null,
  spentNanoUsd: '0',
  budgetEndsAtMs: 0,
  expiresAtMs: Date.now() + 60_000,
};
const ofBatch = (secret: string, grant = batch) => ({ authorization: signBatchGrant(secret, grant) });
const away = new GatewayError('service_unavailable', 'Keys cannot be read right now.');

describe('Authenticate', () => {
  it.each(['x-api-key', 'x-goog-api-key', 'api-key', 'x-portkey-api-key'])(
    'accepts a key in Authorization and in %s',
    async (header) => {
      const { apiKey, run } = authentication({ stored: key });
      expect(await run()).toEqual({ key });
      expect(await run({ [header]: apiKey })).toEqual({ key });
    },
  );

  it('accepts a line of a batch for the key that created it, from any address', async () => {
    const { run } = authentication({ stored: { ...key, allowedIps: ['198.51.100.1'] } });
    expect(await run(ofBatch(BATCH_SECRET))).toMatchObject({ key: { keyId: key.keyId }, batch });
  });

  it.each([
    ['of a revoked key', ofBatch(BATCH_SECRET), { ...key, isRevoked: true }],
    ['of an expired key', ofBatch(BATCH_SECRET), { ...key, expiresAtMs: 1 }],
    ['of a suspended account', ofBatch(BATCH_SECRET), { ...key, isAccountSuspended: true }],
    ['of a key that is gone', ofBatch(BATCH_SECRET), null],
  ])('refuses a credential of a batch %s for good', async (_what, headers, stored) => {
    const refused = { code: 'invalid_api_key', details: {} };
    await expect(authentication({ stored }).run(headers)).rejects.toMatchObject(refused);
  });

  it.each([
    ['that another secret signed', ofBatch('x'.repeat(32))],
    ['that is old', ofBatch(BATCH_SECRET, { ...batch, expiresAtMs: 1 })],
  ])('asks for a credential of a batch %s once more', async (_what, headers) => {
    const refused = { code: 'invalid_api_key', details: { retryAfterMs: 5_000 } };
    await expect(authentication({ stored: key }).run(headers)).rejects.toMatchObject(refused);
  });

  it.each([
    ['no credential', {}],
    ['another scheme', { authorization: 'Basic abc' }],
    ['a malformed key', { authorization: 'Bearer nonsense' }],
  ])('rejects %s before any query', async (_what, headers) => {
    const { run } = authentication({ cached: new Error('unexpected query'), stored: new Error('unexpected query') });
    await expect(run(headers)).rejects.toMatchObject({ code: 'invalid_api_key' });
  });

  it.each([
    ['unknown', null, 'invalid_api_key'],
    ['revoked', keyOf({ isRevoked: true }), 'invalid_api_key'],
    ['expired', keyOf({ expiresAtMs: 1 }), 'invalid_api_key'],
    ['of a suspended account', keyOf({ isAccountSuspended: true }), 'permission_denied'],
    ['of another address', keyOf({ allowedIps: ['198.51.100.0/24'] }), 'permission_denied'],
  ] as const)('rejects a key that is %s', async (_what, stored, code) => {
    await expect(authentication({ stored }).run()).rejects.toMatchObject({ code });
  });

  it('accepts a key from an allowed address', async () => {
    const allowed = keyOf({ allowedIps: ['203.0.113.0/24'] });
    expect(await authentication({ stored: allowed }).run()).toEqual({ key: allowed });
  });

  it('works without Redis', async () => {
    const { run } = authentication({ cached: new Error('Redis is away'), stored: key });
    expect(await run()).toEqual({ key });
  });

  it('works without Postgres for a key that Redis has cached', async () => {
    expect(await authentication({ cached: key, stored: away }).run()).toEqual({ key });
  });

  it('is unavailable, not a 401, without Redis and Postgres', async () => {
    const { run } = authentication({ cached: new Error('Redis is away'), stored: away });
    await expect(run()).rejects.toBe(away);
  });

  it('caches what Postgres returns, also that there is no such key', async () => {
    const known = authentication({ stored: key });
    await known.run();
    const unknown = authentication({ stored: null });
    await expect(unknown.run()).rejects.toMatchObject({ code: 'invalid_api_key' });
    expect([known.writes, unknown.writes]).toEqual([[key], [null]]);
  });
});
