import { type CapCounter, newAccountId, newKeyId, shardOf } from '@gateway/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sampleRequest, sampleSettlement } from '../test-support/samples.js';
import { TestRedis } from '../test-support/test-redis.js';
import { UsageStream } from '../usage/usage-stream.js';
import { AdmissionStore } from './admission-store.js';

const DAY_MS = 86_400_000;
/** Far in the future: Redis removes a counter a week after its period. */
const TODAY_MS = Date.UTC(2099, 0, 1);
const NOTHING = { requests: '0', tokens: '0', usd: '0' };
const accountId = newAccountId();

const counter = (limits: CapCounter['limits'], more: Partial<CapCounter> = {}): CapCounter => ({
  name: `${accountId}:day:${TODAY_MS}`,
  endsAtMs: TODAY_MS + DAY_MS,
  version: '0',
  booked: NOTHING,
  limits,
  ...more,
});

const request = (holdNanoUsd: bigint, tokens: number, ...capCounters: CapCounter[]) =>
  sampleRequest({ accountId, keyId: newKeyId(), holdNanoUsd, capCounters, tokenHold: { least: tokens } });

describe('a cap by period', () => {
  let test: TestRedis;
  let store: AdmissionStore;

  beforeEach(async () => {
    test = await TestRedis.open();
    store = new AdmissionStore(test.redis, { keys: test.keys, nowMs: () => 1_000 });
    await begin(store);
  });

  afterEach(() => test.close());

  it.each([
    ['requests', { requests: '7' }, 7],
    ['tokens', { tokens: '35' }, 7],
    ['usd', { usd: '79' }, 7],
  ])('of %s admits exactly what it covers of forty concurrent requests', async (measure, limits, expected) => {
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => store.admit(request(10n, 5, counter(limits)))));
    const refused = outcomes.filter((one) => one.outcome === 'cap');
    expect([outcomes.length - refused.length, refused.length]).toEqual([expected, 40 - expected]);
    expect(refused[0]).toMatchObject({ measure, counter: { limits } });
  });

  it('writes nothing when it refuses, and names the counter, the measure and what is taken', async () => {
    const full = counter({ tokens: '9' }, { booked: { ...NOTHING, tokens: '5' }, version: '3' });
    const before = await test.dump();
    const refused = await store.admit(request(1n, 5, counter({ requests: '9' }, { name: 'key_a:life:0' }), full));
    expect(refused).toMatchObject({ outcome: 'cap', counter: full, measure: 'tokens', taken: 5n });
    expect(await test.dump()).toEqual(before);
  });

  it('caps the output of a request without an own cap by the tokens that are left', async () => {
    const ranged = (left: string) =>
      sampleRequest({
        accountId,
        capCounters: [counter({ tokens: left })],
        tokenHold: { least: 20, range: { fixed: 10, most: 1_000 } },
      });
    expect(await store.admit(ranged('400'))).toMatchObject({ outcome: 'admitted', heldTokens: 110 });
    // 290 are left: a quarter of them beside the prompt.
    expect(await store.admit(ranged('400'))).toMatchObject({ outcome: 'admitted', heldTokens: 82 });
    expect(await store.admit(ranged('200'))).toMatchObject({ outcome: 'cap', taken: 192n });
  });

  it('of a batch counts what is booked here, because the ledger has no count of it', async () => {
    const stream = new UsageStream(test.redis, { keys: test.keys, onDead: () => undefined });
    const budget = counter({ usd: '25' }, { name: 'budget:batch_a:0' });
    const [first, second, third] = [request(10n, 2, budget), request(10n, 2, budget), request(10n, 2, budget)];
    for (const admitted of [first, second]) expect((await store.admit(admitted)).outcome).toBe('admitted');
    expect((await store.admit(third)).outcome).toBe('cap');
    await store.settle(sampleSettlement(first, 7n, { units: { input_token: 2 } }));
    const [entry] = await stream.read({ consumer: 'a', count: 10, blockMs: 1 });
    if (entry === undefined) throw new Error('no usage event');
    const { streamId } = entry;
    const acknowledged = {
      streamId,
      accountId,
      costNanoUsd: 7n,
      isDuplicate: false,
      counters: [budget.name],
      tokens: 2,
    };
    await store.acknowledge([acknowledged], { spendings: [], capCounts: [] });
    // 7 booked and 10 held leave 8.
    expect(await store.readCapCounter(accountId, budget.name)).toMatchObject({ cost: '7', openCost: '10' });
    expect((await store.admit(third)).outcome).toBe('cap');
    expect((await store.admit(request(8n, 2, budget))).outcome).toBe('admitted');
  });

  it('that never ends leaves Redis a day after its last request is booked', async () => {
    const stream = new UsageStream(test.redis, { keys: test.keys, onDead: () => undefined });
    const life = counter({ usd: '25' }, { name: 'key_a:life:0', endsAtMs: null });
    const name = test.keys.of(accountId).cap(life.name);
    const only = request(10n, 2, life);
    await store.admit(only);
    expect(await test.redis.pttl(name)).toBe(-1);
    await store.settle(sampleSettlement(only, 7n, { units: { input_token: 2 } }));
    const [entry] = await stream.read({ consumer: 'a', count: 10, blockMs: 1 });
    const booked = { accountId, costNanoUsd: 7n, isDuplicate: false, counters: [life.name], tokens: 2 };
    await store.acknowledge([{ ...booked, streamId: entry?.streamId ?? '' }]);
    expect(await test.redis.pttl(name)).toBeGreaterThan(DAY_MS - 60_000);
    await store.admit(request(1n, 1, life));
    expect(await test.redis.pttl(name)).toBe(-1);
  });

  it('keeps a request that ends on the next day in the day of its admission', async () => {
    const [today, tomorrow] = [
      counter({ requests: '1' }),
      counter({ requests: '1' }, { name: `${accountId}:day:${TODAY_MS + DAY_MS}` }),
    ];
    const late = request(4n, 2, today);
    expect((await store.admit(late)).outcome).toBe('admitted');
    expect((await store.admit(request(4n, 2, tomorrow))).outcome).toBe('admitted');
    await store.settle(sampleSettlement(late, 3n, { units: { input_token: 2 } }));
    expect(await store.readCapCounter(accountId, today.name)).toMatchObject({
      openRequests: '1',
      openTokens: '2',
      openCost: '3',
    });
    expect((await store.admit(request(1n, 1, today))).outcome).toBe('cap');
  });
});

async function begin(store: AdmissionStore): Promise<void> {
  await store.beginEpoch('e1');
  const grant = { accountId, sequence: 1n, epoch: 'e1', reserveNanoUsd: 0n, reserveVersion: 1n };
  await store.grant({ ...grant, amountNanoUsd: 1_000_000n });
}

const LIMITS = { requests: 12, tokens: 60, usd: 80 };
const size = fc.integer({ min: 0, max: 20 });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('admit' as const), cost: size, tokens: size }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('settle' as const), cost: size, tokens: size }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('book' as const), cost: size, tokens: size }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose' as const), cost: size, tokens: size }) },
);

interface Counts {
  readonly requests: number;
  readonly tokens: number;
  readonly usd: number;
}

const add = (all: readonly Counts[]): Counts =>
  all.reduce(
    (sum, one) => ({ requests: sum.requests + one.requests, tokens: sum.tokens + one.tokens, usd: sum.usd + one.usd }),
    { requests: 0, tokens: 0, usd: 0 },
  );

/** One capped account in Redis, with its booked counts in memory. A lost Redis loses what is not booked. */
class CappedAccount {
  #running: { readonly request: ReturnType<typeof request>; readonly counts: Counts }[] = [];
  #settled: Counts[] = [];
  #booked: Counts = add([]);
  #version = 0;
  readonly #stream: UsageStream;

  constructor(
    private readonly test: TestRedis,
    private readonly store: AdmissionStore,
  ) {
    this.#stream = new UsageStream(test.redis, { keys: test.keys, onDead: () => undefined });
  }

  get #counter(): CapCounter {
    const { requests, tokens, usd } = this.#booked;
    const limits = { requests: `${LIMITS.requests}`, tokens: `${LIMITS.tokens}`, usd: `${LIMITS.usd}` };
    return counter(limits, {
      version: `${this.#version}`,
      booked: { requests: `${requests}`, tokens: `${tokens}`, usd: `${usd}` },
    });
  }

  async begin(): Promise<void> {
    await this.test.lose();
    await begin(this.store);
  }

  async admit(usd: number, tokens: number): Promise<void> {
    const counts = { requests: 1, tokens, usd };
    const taken = add([this.#booked, ...this.#settled, ...this.#running.map((one) => one.counts), counts]);
    const fits = taken.requests <= LIMITS.requests && taken.tokens <= LIMITS.tokens && taken.usd <= LIMITS.usd;
    const next = request(BigInt(usd), tokens, this.#counter);
    expect((await this.store.admit(next)).outcome).toBe(fits ? 'admitted' : 'cap');
    if (fits) this.#running.push({ request: next, counts });
  }

  /** A vendor may use less than was held, or more. */
  async settle(usd: number, tokens: number): Promise<void> {
    const ended = this.#running.shift();
    if (ended === undefined) return;
    await this.store.settle(sampleSettlement(ended.request, BigInt(usd), { units: { output_token: tokens } }));
    this.#settled.push({ requests: 1, tokens, usd });
  }

  async book(count: number): Promise<void> {
    const shards = [shardOf(accountId)];
    const read = await this.#stream.read({ consumer: 'a', count: count + 1, shards, blockMs: 1 });
    const booked = this.#settled.splice(0, read.length);
    this.#booked = add([this.#booked, ...booked]);
    this.#version += 1;
    const entries = read.map(({ streamId, event }, index) => ({
      streamId,
      accountId,
      costNanoUsd: BigInt(event.costNanoUsd),
      isDuplicate: false,
      counters: event.counters,
      tokens: booked[index]?.tokens ?? 0,
    }));
    const { name, version, booked: totals } = this.#counter;
    const capCount = { counter: name, requests: totals.requests, tokens: totals.tokens, cost: totals.usd, version };
    await this.store.acknowledge(entries, { capCounts: [{ ...capCount, accountId }] });
  }

  async lose(): Promise<void> {
    await this.begin();
    this.#running = [];
    this.#settled = [];
  }
}

it('never admits above a cap, nor refuses below it, in any order of steps', async () => {
  const test = await TestRedis.open();
  try {
    const store = new AdmissionStore(test.redis, { keys: test.keys });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const account = new CappedAccount(test, store);
        await account.begin();
        for (const one of steps) await account[one.do](one.do === 'book' ? one.cost % 4 : one.cost, one.tokens);
      }),
      { numRuns: 100 },
    );
  } finally {
    await test.close();
  }
});
