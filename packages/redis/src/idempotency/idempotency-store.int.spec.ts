import { randomBytes } from 'node:crypto';
import { newAccountId, newRequestId } from '@gateway/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AdmissionStore } from '../admission/admission-store.js';
import { sampleRequest, sampleSettlement } from '../test-support/samples.js';
import { TestRedis } from '../test-support/test-redis.js';
import type { NewIdempotencyClaim, StoredResponse } from './idempotency-claim.js';
import { resultClaimOwner } from './idempotency-claim.js';
import { IdempotencyStore } from './idempotency-store.js';

const LEASE_MS = 30_000;
const WORK = { endpoint: 'chat.completions', model: 'gm-2.5-pro' } as const;
const DAY_MS = 24 * 60 * 60_000;

const response = (body = Buffer.from('{}')): StoredResponse => ({
  status: 200,
  contentType: 'application/json',
  body,
});

describe('IdempotencyStore', () => {
  let test: TestRedis;
  let store: IdempotencyStore;
  let admission: AdmissionStore;
  let nowMs: number;
  let request: ReturnType<typeof sampleRequest>;
  let first: NewIdempotencyClaim;

  const again = (more: Partial<NewIdempotencyClaim> = {}): NewIdempotencyClaim => ({
    ...first,
    requestId: newRequestId(),
    ...more,
  });
  const record = () => test.keys.of(first.accountId).idempotency('live', first.accountId, first.keySha256);

  beforeEach(async () => {
    test = await TestRedis.open();
    nowMs = 1_000_000;
    store = new IdempotencyStore(test.redis, {
      keys: test.keys,
      nowMs: () => nowMs,
      shareBytes: 100_000,
      spilledShareBytes: 500_000,
    });
    admission = new AdmissionStore(test.redis, { keys: test.keys, nowMs: () => nowMs });
    await admission.beginEpoch('e1');
    request = sampleRequest({ holdNanoUsd: 0n });
    const { requestId, accountId } = request;
    first = { requestId, accountId, isTest: false, keySha256: 'a'.repeat(64), fingerprint: 'f', work: WORK };
  });

  afterEach(() => test.close());

  const claimAndAdmit = async () => {
    expect(await store.claim(first)).toEqual({ outcome: 'began' });
    expect(await admission.admit(request)).toMatchObject({ outcome: 'admitted' });
  };
  const settled = (costNanoUsd: bigint) => admission.settle(sampleSettlement(request, costNanoUsd));

  it('grants one of 50 concurrent claims', async () => {
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => store.claim(again())));
    expect(outcomes.filter(({ outcome }) => outcome === 'began')).toHaveLength(1);
    expect(outcomes.filter(({ outcome }) => outcome === 'in_progress')).toHaveLength(49);
  });

  it('grants a claim again to its request, whose first reply may be lost, until it has ended', async () => {
    expect(await store.claim(first)).toEqual({ outcome: 'began' });
    nowMs += 20_000;
    expect(await store.claim(first)).toEqual({ outcome: 'began' });
    nowMs += 20_000;
    expect(await store.claim(again())).toMatchObject({ outcome: 'in_progress' });
    expect(await store.claim({ ...first, fingerprint: 'other' })).toMatchObject({ outcome: 'conflict' });
    await store.complete(first, response());
    expect(await store.claim(first)).toMatchObject({ outcome: 'answered' });
  });

  it.each([
    ['a short body', Buffer.from([0, 255, 10, 128])],
    ['an empty body', Buffer.alloc(0)],
    ['a long text', Buffer.from('{"text":"once"}'.repeat(1_000))],
    ['long audio that gzip does not shorten', randomBytes(50_000)],
  ])('replays %s byte for byte for a day', async (_what, body) => {
    await store.claim(first);
    expect(await store.complete(first, response(body))).toBe('kept');
    expect(await store.claim(again())).toEqual({
      outcome: 'answered',
      requestId: first.requestId,
      balanceNanoUsd: null,
      answer: { status: 200, contentType: 'application/json', body },
    });
    const leftMs = await test.redis.pttl(record());
    expect(leftMs).toBeGreaterThan(DAY_MS - 60_000);
    expect(leftMs).toBeLessThanOrEqual(DAY_MS);
    const stored = await test.redis.hstrlen(record(), 'body');
    if (body.length === 15_000) expect(stored).toBeLessThan(1_000);
    else expect(stored).toBe(body.length);
  });

  it('replays what was changed in the request', async () => {
    const changes = { 'x-gateway-filled': 'temperature=1' };
    await store.claim(first);
    await store.linkResult(first);
    await store.complete(first, { ...response(), changes });
    const owner = { accountId: first.accountId, isTest: false, requestId: first.requestId };
    expect(await store.claim(again())).toMatchObject({ outcome: 'answered', answer: { changes } });
    expect(await store.readResult(owner)).toMatchObject({ outcome: 'answered', answer: { changes } });
  });

  it('finds the response of a request by its own id, and only for its account', async () => {
    const owner = { accountId: first.accountId, isTest: false, requestId: first.requestId };
    const stranger = { ...owner, accountId: newAccountId() };
    const claim = { ...resultClaimOwner(owner), fingerprint: 'result', work: WORK };
    expect(await store.readResult(owner)).toMatchObject({ outcome: 'none' });
    await admission.admit(request);
    expect(await store.readResult(owner)).toMatchObject({ outcome: 'running' });
    expect(await store.readResult(stranger)).toMatchObject({ outcome: 'none' });
    await store.claim(claim);
    await settled(5n);
    // The edge stores the response after its settlement.
    expect(await store.readResult(owner)).toMatchObject({ outcome: 'running' });
    await store.complete(claim, response(Buffer.from('left')));
    const answer = { status: 200, contentType: 'application/json', body: Buffer.from('left') };
    expect(await store.readResult(owner)).toMatchObject({
      outcome: 'answered',
      requestId: owner.requestId,
      answer,
      work: WORK,
    });
    expect(await store.readResult(stranger)).toMatchObject({ outcome: 'none' });
    expect(await store.readResult({ ...owner, isTest: true })).toMatchObject({ outcome: 'none' });
  });

  it('finds the response of an idempotency key by the id of its request, for a day', async () => {
    const owner = { accountId: first.accountId, isTest: false, requestId: first.requestId };
    await claimAndAdmit();
    await store.linkResult(first);
    expect(await store.readResult(owner)).toMatchObject({ outcome: 'running' });
    await settled(5n);
    await store.complete(first, response(Buffer.from('keyed')));
    expect(await store.readResult(owner)).toMatchObject({
      outcome: 'answered',
      answer: { body: Buffer.from('keyed') },
      work: WORK,
    });
    const { keySha256 } = resultClaimOwner(owner);
    const leftMs = await test.redis.pttl(test.keys.of(owner.accountId).idempotency('live', owner.accountId, keySha256));
    expect(leftMs).toBeGreaterThan(DAY_MS - 60_000);
  });

  it('finds the response of an idempotency key by the id of its request, also if its client has read it', async () => {
    const owner = { accountId: first.accountId, isTest: false, requestId: first.requestId };
    await claimAndAdmit();
    await settled(5n);
    await store.complete(first, response(Buffer.from('read')));
    expect(await store.readResult(owner)).toMatchObject({ outcome: 'answered', answer: { body: Buffer.from('read') } });
    expect(await store.readResult({ ...owner, accountId: newAccountId() })).toMatchObject({ outcome: 'none' });
  });

  it('does not know what was asked if a former release has claimed it', async () => {
    const owner = { accountId: first.accountId, isTest: false, requestId: first.requestId };
    await claimAndAdmit();
    await test.redis.hdel(record(), 'endpoint', 'model');
    await settled(5n);
    await store.complete(first, response());
    expect(await store.readResult(owner)).toMatchObject({ outcome: 'answered', work: undefined });
  });

  it('finds no response that broke off, or whose edge died', async () => {
    const owner = { accountId: first.accountId, isTest: false, requestId: first.requestId };
    const claim = { ...resultClaimOwner(owner), fingerprint: 'result', work: WORK };
    await admission.admit(request);
    await store.claim(claim);
    await settled(5n);
    nowMs += 30_001;
    expect(await store.readResult(owner)).toMatchObject({ outcome: 'none' });
    await store.release(claim);
    expect(await store.readResult(owner)).toMatchObject({ outcome: 'none' });
  });

  it('returns the balance with each outcome but a successful claim', async () => {
    const { accountId } = first;
    const amounts = { amountNanoUsd: 60n, reserveNanoUsd: 2n ** 62n, reserveVersion: 1n };
    await admission.grant({ accountId, sequence: 1n, epoch: 'e1', ...amounts });
    request = { ...request, holdNanoUsd: 20n };
    await claimAndAdmit();
    const balanceNanoUsd = 2n ** 62n + 60n;
    expect(await store.claim(again())).toEqual({ outcome: 'in_progress', balanceNanoUsd, freeInMs: null });
    expect(await store.claim(again({ fingerprint: 'g' }))).toEqual({ outcome: 'conflict', balanceNanoUsd });
    await settled(5n);
    await store.complete(first, response());
    const left = balanceNanoUsd - 5n;
    expect(await store.claim(again())).toMatchObject({ outcome: 'answered', balanceNanoUsd: left });
  });

  it('separates accounts, keys, and test mode', async () => {
    await store.claim(first);
    for (const more of [{ accountId: sampleRequest().accountId }, { keySha256: 'b'.repeat(64) }, { isTest: true }]) {
      expect(await store.claim(again(more))).toEqual({ outcome: 'began' });
    }
  });

  it('reports a conflict for another fingerprint, running or completed', async () => {
    await store.claim(first);
    const other = again({ fingerprint: 'g' });
    expect(await store.claim(other)).toMatchObject({ outcome: 'conflict' });
    await store.complete(first, response());
    expect(await store.claim(other)).toMatchObject({ outcome: 'conflict' });
  });

  describe('a lease', () => {
    it('protects the claim while it is renewed', async () => {
      await claimAndAdmit();
      for (let renewals = 0; renewals < 5; renewals += 1) {
        nowMs += LEASE_MS - 1;
        expect(await store.claim(again())).toMatchObject({ outcome: 'in_progress' });
        expect(await store.renew(first)).toBe(true);
      }
    });

    it('passes to the next claim after expiry if nothing was charged', async () => {
      await claimAndAdmit();
      await settled(0n);
      nowMs += LEASE_MS;
      const second = again({ fingerprint: 'g' });
      expect(await store.claim(second)).toEqual({ outcome: 'began' });
      expect(await store.renew(first)).toBe(false);
      expect(await store.complete(first, response())).toBe('lost');
      expect(await store.release(first)).toBe(false);
      expect(await store.complete(second, response())).toBe('kept');
    });

    it('passes to the next claim after expiry if the request was never admitted', async () => {
      await store.claim(first);
      nowMs += LEASE_MS;
      expect(await store.claim(again())).toEqual({ outcome: 'began' });
    });

    it('stays in progress after expiry while the request has a hold', async () => {
      await claimAndAdmit();
      nowMs += LEASE_MS;
      expect(await store.claim(again())).toMatchObject({ outcome: 'in_progress' });
      await settled(0n);
      expect(await store.claim(again())).toEqual({ outcome: 'began' });
    });

    it('says how long a request without an edge may still run, then reports it as abandoned', async () => {
      await claimAndAdmit();
      nowMs += 20_000;
      await admission.renew([request], 60_000, 720_000);
      nowMs += LEASE_MS;
      expect(await store.claim(again())).toMatchObject({ outcome: 'in_progress', freeInMs: 90_000 });
      nowMs += 89_999;
      expect(await store.claim(again())).toMatchObject({ outcome: 'in_progress', freeInMs: 1 });
      nowMs += 1;
      const abandoned = { outcome: 'abandoned', requestId: first.requestId };
      expect(await store.claim(again())).toMatchObject(abandoned);
      expect(await store.claim(again({ fingerprint: 'g' }))).toMatchObject({ outcome: 'conflict' });
      expect(await admission.openHold(first.accountId, first.requestId)).toMatchObject({ requestId: first.requestId });
      await settled(0n);
      expect(await admission.openHold(first.accountId, first.requestId)).toBeUndefined();
      expect(await store.claim(again())).toEqual({ outcome: 'began' });
    });

    it('is not abandoned while a worker without an edge renews its hold', async () => {
      await claimAndAdmit();
      for (let minutes = 0; minutes < 10; minutes += 1) {
        nowMs += 60_000;
        await admission.renew([request], 60_000, 720_000);
        expect(await store.claim(again())).toMatchObject({ outcome: 'in_progress', freeInMs: 120_000 });
      }
    });

    it('never passes on after a charge, even if the edge is gone', async () => {
      await claimAndAdmit();
      await settled(5n);
      nowMs += LEASE_MS;
      const charged = { outcome: 'charged', requestId: first.requestId };
      expect(await store.claim(again())).toMatchObject(charged);
      await test.redis.del(test.keys.of(first.accountId).settled(first.requestId));
      expect(await store.claim(again())).toMatchObject(charged);
      expect(await store.claim(again({ fingerprint: 'g' }))).toMatchObject({ outcome: 'conflict' });
      expect(await store.complete(first, response())).toBe('lost');
    });
  });

  describe('release', () => {
    it('deletes the record if the request was never admitted', async () => {
      await store.claim(first);
      expect(await store.release(first)).toBe(true);
      expect(await test.redis.exists(record())).toBe(0);
      expect(await store.release(first)).toBe(false);
    });

    it('deletes the record if nothing was charged', async () => {
      await claimAndAdmit();
      await settled(0n);
      await store.release(first);
      expect(await test.redis.exists(record())).toBe(0);
    });

    it('marks the record as charged', async () => {
      await claimAndAdmit();
      await settled(5n);
      expect(await store.release(first)).toBe(true);
      expect(await store.claim(again())).toMatchObject({ outcome: 'charged', requestId: first.requestId });
    });

    it('deletes the record if the request became a task, whose table stores the key', async () => {
      await claimAndAdmit();
      await admission.settle(sampleSettlement(request, 5n, { outcome: 'held' }));
      await store.release(first);
      expect(await test.redis.exists(record())).toBe(0);
    });

    it.each([
      ['free', 0n, 'began'],
      ['charged', 5n, 'charged'],
    ])('before the settlement waits for it, and the record is then %s', async (_title, costNanoUsd, outcome) => {
      await claimAndAdmit();
      await store.release(first);
      expect(await store.claim(again())).toMatchObject({ outcome: 'in_progress' });
      await settled(costNanoUsd);
      expect(await store.claim(again())).toMatchObject({ outcome });
    });

    it.each(['', 'aborted'])('treats the tombstone %j of an older release as a charge', async (tombstone) => {
      await store.claim(first);
      await test.redis.set(test.keys.of(first.accountId).settled(first.requestId), tombstone);
      await store.release(first);
      expect(await store.claim(again())).toMatchObject({ outcome: 'charged' });
    });

    it('is for the owner only', async () => {
      await store.claim(first);
      expect(await store.release(again())).toBe(false);
      expect(await store.claim(again())).toMatchObject({ outcome: 'in_progress' });
    });
  });

  describe('complete', () => {
    it('stores the first response only', async () => {
      await store.claim(first);
      expect(await store.complete(again(), response())).toBe('lost');
      expect(await store.complete(first, response(Buffer.from('first')))).toBe('kept');
      expect(await store.complete(first, response(Buffer.from('second')))).toBe('lost');
      expect(await store.release(first)).toBe(false);
      expect(await store.renew(first)).toBe(false);
      expect(await store.claim(again())).toMatchObject({ answer: { body: Buffer.from('first') } });
    });

    it('stores that a response without a body completed', async () => {
      await store.claim(first);
      expect(await store.complete(first, { ...response(), body: undefined })).toBe('not_kept');
      expect(await store.claim(again())).toMatchObject({ outcome: 'not_kept', requestId: first.requestId });
    });

    it('stores up to the account’s share, and lets the owner spill the body instead', async () => {
      const outcomes: string[] = [];
      const claims = ['1', '2', '3'].map((keySha256) => again({ keySha256 }));
      for (const claim of claims) {
        await store.claim(claim);
        outcomes.push(await store.complete(claim, response(randomBytes(40_000))));
      }
      expect(outcomes).toEqual(['kept', 'kept', 'full']);
      const [, , third] = claims as [NewIdempotencyClaim, NewIdempotencyClaim, NewIdempotencyClaim];
      const retry = again({ keySha256: '3' });
      expect(await store.claim(retry)).toMatchObject({ outcome: 'in_progress' });
      expect(await store.renew(third)).toBe(true);
      expect(await store.complete(third, { ...response(), body: { spilledBytes: 40_000 } })).toBe('kept');
      expect(await store.claim(retry)).toMatchObject({
        outcome: 'answered',
        answer: { body: { spilledBytes: 40_000 } },
      });

      const stranger = again({ accountId: sampleRequest().accountId });
      await store.claim(stranger);
      expect(await store.complete(stranger, response(randomBytes(40_000)))).toBe('kept');
      const bytesInRedis = test.keys.of(first.accountId).idempotencyBytes(first.accountId, 'redis');
      expect(await test.redis.get(bytesInRedis)).toBe('80000');
      expect(await test.redis.pttl(bytesInRedis)).toBeGreaterThan(DAY_MS - 60_000);
    });

    it('stores the length of a spilled body for a day, within a share of its own', async () => {
      await store.claim(first);
      expect(await store.complete(first, { ...response(), body: { spilledBytes: 300_000 } })).toBe('kept');
      expect(await store.claim(again())).toMatchObject({
        outcome: 'answered',
        requestId: first.requestId,
        answer: { status: 200, contentType: 'application/json', body: { spilledBytes: 300_000 } },
      });
      expect(await test.redis.pttl(record())).toBeGreaterThan(DAY_MS - 60_000);
      const bytesApart = test.keys.of(first.accountId).idempotencyBytes(first.accountId, 'spilled');
      expect(await test.redis.get(bytesApart)).toBe('300000');
      expect(await test.redis.pttl(bytesApart)).toBeGreaterThan(DAY_MS - 60_000);

      const second = again({ keySha256: '2' });
      await store.claim(second);
      expect(await store.complete(second, { ...response(), body: { spilledBytes: 200_001 } })).toBe('full');
      expect(await store.complete(second, { ...response(), body: { spilledBytes: 200_000 } })).toBe('kept');
    });
  });
});
