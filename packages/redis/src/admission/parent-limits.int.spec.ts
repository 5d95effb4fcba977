import { type AdmissionRequest, newKeyId, newRequestId, type ParentLimit } from '@gateway/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sampleRequest, sampleSettlement } from '../test-support/samples.js';
import { TestRedis } from '../test-support/test-redis.js';
import { AdmissionStore } from './admission-store.js';

const LEASE_MS = 60_000;

describe('the concurrency of a parent', () => {
  let test: TestRedis;
  let store: AdmissionStore;
  let nowMs: number;
  let parent: AdmissionRequest;

  beforeEach(async () => {
    nowMs = 1_000_000;
    test = await TestRedis.open();
    store = new AdmissionStore(test.redis, { keys: test.keys, leaseMs: LEASE_MS, nowMs: () => nowMs });
    await store.beginEpoch('e1');
    parent = sampleRequest({ concurrency: 3, holdNanoUsd: 0n });
  });

  afterEach(() => test.close());

  const again = (request: AdmissionRequest): AdmissionRequest => ({ ...request, requestId: newRequestId() });
  const childOf = (...parentLimits: readonly ParentLimit[]): AdmissionRequest => ({
    ...parent,
    requestId: newRequestId(),
    keyId: newKeyId(),
    keyLimits: { requestsPerMinute: 0, concurrency: 2 },
    parentLimits,
  });
  const limitOf = ({ keyId, keyLimits: { concurrency } }: AdmissionRequest): ParentLimit => ({ keyId, concurrency });
  const admitted = (outcomes: readonly { readonly outcome: string }[]) =>
    outcomes.filter(({ outcome }) => outcome === 'admitted').length;

  it('is shared with all its children, forty at once, and leaves nothing behind', async () => {
    const keys = [parent, ...Array.from({ length: 4 }, () => childOf(limitOf(parent)))];
    const asked = Array.from({ length: 40 }, (_, index) => again(keys[index % keys.length] ?? parent));
    for (let round = 0; round < 3; round += 1) {
      const requests = asked.map(again);
      const outcomes = await Promise.all(requests.map((request) => store.admit(request)));
      expect(admitted(outcomes)).toBe(3);
      const running = requests.filter((_, index) => outcomes[index]?.outcome === 'admitted');
      await Promise.all(running.map((request) => store.settle(sampleSettlement(request, 0n))));
    }
    const leases = (await test.names()).filter((name) => name.includes(':leases:'));
    expect(leases).toEqual([]);
  });

  it('is that of every key above, and says whose it is', async () => {
    const child = childOf(limitOf(parent));
    const grandchild = childOf({ keyId: child.keyId, concurrency: 2 }, limitOf(parent));
    await store.admit(child);
    await store.admit(grandchild);
    const before = await test.dump();
    expect(await store.admit(again(grandchild))).toMatchObject({ outcome: 'concurrency', scope: 'parent' });
    expect(await store.admit(again(child))).toMatchObject({ outcome: 'concurrency', scope: 'key' });
    expect(await test.dump()).toEqual(before);
    expect(await store.admit(again(parent))).toMatchObject({ outcome: 'admitted' });
    expect(await store.admit(again(parent))).toMatchObject({ outcome: 'concurrency', scope: 'key' });
    await store.settle(sampleSettlement(grandchild, 0n));
    expect(await store.admit(again(child))).toMatchObject({ outcome: 'admitted' });
  });

  it('counts beside caps by period, which stay exact', async () => {
    const counter = {
      name: `${parent.keyId}:day:1`,
      endsAtMs: null,
      version: '1',
      booked: { requests: '0', tokens: '0', usd: '0' },
      limits: { requests: '2' },
    };
    const child = { ...childOf({ ...limitOf(parent), concurrency: 9 }), keyLimits: parent.keyLimits };
    const capped = (): AdmissionRequest => ({ ...again(child), capCounters: [counter] });
    expect(await store.admit(capped())).toMatchObject({ outcome: 'admitted' });
    expect(await store.admit(capped())).toMatchObject({ outcome: 'admitted' });
    expect(await store.admit(capped())).toMatchObject({ outcome: 'cap', measure: 'requests', taken: 2n });
  });

  it('keeps the lease of a long stream with its renewal, and frees that of a dead process', async () => {
    const long = childOf({ keyId: parent.keyId, concurrency: 1 });
    await store.admit(long);
    nowMs += LEASE_MS / 2;
    await store.renew([long], LEASE_MS, 10 * LEASE_MS);
    nowMs += LEASE_MS / 2 + 1;
    const other = childOf({ keyId: parent.keyId, concurrency: 1 });
    expect(await store.admit(other)).toMatchObject({ outcome: 'concurrency', scope: 'parent' });
    nowMs += LEASE_MS;
    expect(await store.admit(again(other))).toMatchObject({ outcome: 'admitted' });
  });
});
