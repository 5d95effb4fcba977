import { type AccountId, newAccountId, SHARD_COUNT } from '@gateway/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AdmissionStore } from '../admission/admission-store.js';
import { totalOf } from '../shards/total-of.js';
import { sampleRequest, sampleSettlement } from '../test-support/samples.js';
import { TestRedis } from '../test-support/test-redis.js';
import { USAGE_GROUP } from './usage-group.js';
import { type RejectedUsage, UsageStream } from './usage-stream.js';

describe('UsageStream', () => {
  let test: TestRedis;
  let store: AdmissionStore;
  let stream: UsageStream;
  let dead: RejectedUsage[];

  beforeEach(async () => {
    dead = [];
    test = await TestRedis.open();
    store = new AdmissionStore(test.redis, { keys: test.keys });
    stream = new UsageStream(test.redis, { keys: test.keys, onDead: (entry) => dead.push(entry) });
  });

  afterEach(() => test.close());

  /** By default all: a read shares its count among the streams. */
  const read = (consumer: string, count = 10 * SHARD_COUNT) => stream.read({ consumer, count, blockMs: 1 });
  const counts = async () => totalOf(await store.readShards(0));
  /** None before the first read has created the group. */
  const pendingOf = (usage: string) => test.redis.xpending(usage, USAGE_GROUP).catch(() => [0]);
  const pending = async () => {
    const replies = await Promise.all(test.keys.shards.map(({ usage }) => pendingOf(usage)));
    return (replies as [number][]).reduce((sum, [count]) => sum + count, 0);
  };
  const settle = async (accountId = newAccountId()) => {
    const event = sampleSettlement(sampleRequest({ accountId }), 3n);
    await store.settle(event);
    return event;
  };

  it('creates a missing group, and reads earlier entries', async () => {
    expect(await read('a')).toEqual([]);
    expect((await counts()).unbookedEvents).toBe(0);
    await test.lose();
    const event = await settle();
    expect(await read('a')).toEqual([
      {
        shard: test.keys.of(event.accountId).shard,
        streamId: expect.any(String),
        event: { ...event, holdNanoUsd: '0' },
      },
    ]);
  });

  it('lets consumers start concurrently', async () => {
    await settle();
    const read = await Promise.all(
      ['a', 'b', 'c', 'd'].map((consumer) => stream.read({ consumer, count: 1, blockMs: 1 })),
    );
    expect(read.flat()).toHaveLength(1);
  });

  it('gives each entry to one consumer, and a dead consumer’s entries to the next', async () => {
    const first = await settle();
    await settle(first.accountId as AccountId);
    expect(await pending()).toBe(0);
    expect(await read('a', 1)).toMatchObject([{ event: { requestId: first.requestId } }]);
    expect(await read('b')).toHaveLength(1);
    expect(await pending()).toBe(2);
    expect(await stream.claimStale({ consumer: 'b', minIdleMs: 3_600_000, count: 10 })).toEqual([]);
    expect(await stream.claimStale({ consumer: 'b', minIdleMs: 0, count: 1 })).toMatchObject([
      { event: { requestId: first.requestId } },
    ]);
    expect((await counts()).unbookedEvents).toBe(2);
  });

  it('reads and claims as many entries of all streams together as it was asked for', async () => {
    const backlog = await Promise.all(Array.from({ length: 2 * SHARD_COUNT }, () => settle()));
    const requestIds = new Set(backlog.map(({ requestId }) => requestId));
    const first = await read('a', SHARD_COUNT);
    expect(first.length).toBeGreaterThan(0);
    expect(first.length).toBeLessThanOrEqual(SHARD_COUNT);
    const rest = await read('a', 2 * SHARD_COUNT * SHARD_COUNT);
    expect(new Set([...first, ...rest].map(({ event }) => event.requestId))).toEqual(requestIds);
    const claimed = await stream.claimStale({ consumer: 'b', minIdleMs: 0, count: 10 });
    expect(claimed).toHaveLength(10);
  });

  it('claims from a group that does not exist yet', async () => {
    expect(await stream.claimStale({ consumer: 'a', minIdleMs: 0, count: 1 })).toEqual([]);
  });

  it.each([
    ['invalid JSON', ['event', '{'], 'not JSON'],
    ['another shape', ['event', '{"schemaVersion":2}'], 'schemaVersion'],
    ['no event', ['other', 'field'], 'schemaVersion'],
  ])('moves an entry with %s to the dead stream and reports it', async (_title, fields, problem) => {
    const [first = '', ...others] = fields;
    const streamId = await test.redis.xadd(test.keys.shards[0]?.usage ?? '', '*', first, ...others);
    const event = await settle();
    expect(await read('a')).toMatchObject([{ event: { requestId: event.requestId } }]);
    expect(dead).toMatchObject([{ streamId, text: JSON.stringify(fields) }]);
    expect(dead[0]?.problem).toMatch(new RegExp(`${problem}|not JSON|expected object`));
    expect(await counts()).toMatchObject({ deadEvents: 1, unbookedEvents: 1 });
    expect(await pending()).toBe(1);
  });
});
