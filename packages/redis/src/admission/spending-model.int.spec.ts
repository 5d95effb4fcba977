import { newAccountId, newKeyId, type SpendCap, shardOf } from '@gateway/contracts';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sampleRequest, sampleSettlement } from '../test-support/samples.js';
import { TestRedis } from '../test-support/test-redis.js';
import { UsageStream } from '../usage/usage-stream.js';
import { AdmissionStore } from './admission-store.js';

const CAP = 60n;
const amount = fc.bigInt({ min: 0n, max: 30n });
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('admit' as const), amount }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('settle' as const), amount }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('book' as const), amount: fc.bigInt({ min: 1n, max: 4n }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refund' as const), amount }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reserve' as const), amount }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reserveAndDie' as const), amount }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('return' as const), amount }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('returnAndDie' as const), amount }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose' as const), amount }) },
);

/** One key with a cap, in Redis and as sums in memory. */
class Pair {
  readonly #accountId = newAccountId();
  readonly #spendingKeyId = newKeyId();
  readonly #stream: UsageStream;
  readonly #holds: { readonly request: ReturnType<typeof sampleRequest>; readonly amount: bigint }[] = [];
  /** The budgets of open children, a part of `#spent`. */
  readonly #budgets: bigint[] = [];
  #spent = 0n;
  #version = 0n;
  #unsettled = 0n;

  constructor(
    private readonly test: TestRedis,
    private readonly store: AdmissionStore,
  ) {
    this.#stream = new UsageStream(test.redis, { keys: test.keys, onDead: () => undefined });
  }

  get #ledger(): SpendCap {
    return {
      capNanoUsd: `${CAP}`,
      spendingKeyId: this.#spendingKeyId,
      spentNanoUsd: `${this.#spent}`,
      version: `${this.#version}`,
    };
  }

  get #held(): bigint {
    return this.#holds.reduce((sum, hold) => sum + hold.amount, 0n);
  }

  async begin(): Promise<void> {
    await this.test.lose();
    await this.store.beginEpoch('e1');
    const grant = { accountId: this.#accountId, sequence: 1n, epoch: 'e1', reserveNanoUsd: 0n, reserveVersion: 1n };
    await this.store.grant({ ...grant, amountNanoUsd: 1_000_000n });
  }

  async admit(holdNanoUsd: bigint): Promise<void> {
    const request = sampleRequest({ accountId: this.#accountId, holdNanoUsd, spendCap: this.#ledger });
    const fits = this.#spent + this.#unsettled + this.#held + holdNanoUsd <= CAP;
    expect((await this.store.admit(request)).outcome).toBe(fits ? 'admitted' : 'spend_cap');
    if (fits) this.#holds.push({ request, amount: holdNanoUsd });
  }

  async settle(costNanoUsd: bigint): Promise<void> {
    const hold = this.#holds.shift();
    if (hold === undefined) return;
    await this.store.settle(sampleSettlement(hold.request, costNanoUsd));
    this.#unsettled += costNanoUsd;
  }

  async book(count: bigint): Promise<void> {
    const shards = [shardOf(this.#accountId)];
    const read = await this.#stream.read({ consumer: 'a', count: Number(count), shards, blockMs: 1 });
    const entries = read.map(({ streamId, event }) => ({
      streamId,
      accountId: event.accountId,
      costNanoUsd: BigInt(event.costNanoUsd),
      isDuplicate: false,
      spendingKeyId: event.spendingKeyId,
    }));
    const cost = entries.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0n);
    this.#spent += cost;
    this.#unsettled -= cost;
    this.#version += 1n;
    await this.store.acknowledge(entries, { spendings: [{ ...this.#ledger, accountId: this.#accountId }] });
  }

  async refund(refundNanoUsd: bigint): Promise<void> {
    this.#spent -= refundNanoUsd;
    this.#version += 1n;
    await this.store.setSpending(this.#accountId, this.#ledger);
  }

  /** A child takes its budget, unless that is too much with what only Redis knows. */
  async reserve(budgetNanoUsd: bigint): Promise<void> {
    await this.reserveAndDie(budgetNanoUsd);
    const known = await this.store.reserveSpending(this.#accountId, this.#ledger);
    expect(known).toEqual({ spentNanoUsd: this.#spent, unsettledNanoUsd: this.#unsettled, heldNanoUsd: this.#held });
    if (this.#spent + this.#unsettled + this.#held <= CAP) return;
    this.#budgets.pop();
    await this.refund(budgetNanoUsd);
  }

  /** The process dies after the ledger's part. */
  async reserveAndDie(budgetNanoUsd: bigint): Promise<void> {
    this.#budgets.push(budgetNanoUsd);
    this.#spent += budgetNanoUsd;
    this.#version += 1n;
  }

  /** The oldest child ends, and has spent at most `spentNanoUsd`. */
  async return(spentNanoUsd: bigint): Promise<void> {
    await this.returnAndDie(spentNanoUsd);
    await this.store.setSpending(this.#accountId, this.#ledger);
  }

  async returnAndDie(spentNanoUsd: bigint): Promise<void> {
    const budget = this.#budgets.shift() ?? 0n;
    this.#spent -= spentNanoUsd < budget ? budget - spentNanoUsd : 0n;
    this.#version += 1n;
  }

  async lose(): Promise<void> {
    await this.begin();
    this.#holds.length = 0;
    this.#unsettled = 0n;
  }
}

it('admits within the cap to the nano-dollar, with budgets of children, in any order of steps', async () => {
  const test = await TestRedis.open();
  try {
    const store = new AdmissionStore(test.redis, { keys: test.keys });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const pair = new Pair(test, store);
        await pair.begin();
        for (const one of steps) await pair[one.do](one.amount);
      }),
      { numRuns: 100 },
    );
  } finally {
    await test.close();
  }
});
