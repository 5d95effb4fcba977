import { newAccountId, newKeyId, newRequestId, shardOf } from '@gateway/contracts';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { totalOf } from '../shards/total-of.js';
import { EscrowModel } from '../test-support/escrow-model.js';
import { sampleRequest, sampleSettlement } from '../test-support/samples.js';
import { TestRedis } from '../test-support/test-redis.js';
import { UsageStream } from '../usage/usage-stream.js';
import { pendingReturnNanoUsd } from './account-state.js';
import { AdmissionStore } from './admission-store.js';

const request = fc.nat({ max: 6 });
const amount = fc.bigInt({ min: 0n, max: 30n });
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('admit' as const), request, amount }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('settle' as const), request, amount }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('grant' as const), sequence: fc.bigInt(1n, 8n), amount }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('book' as const), count: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('sweep' as const), afterMs: fc.nat({ max: 30 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('return' as const),
      diesAfter: fc.constantFrom('opening', 'taking', 'never'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rebuild' as const), isEmptied: fc.boolean() }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const HOLD_MS = 40;

/** One account in Redis and in the model, driven by the same steps. */
class Pair {
  readonly model = new EscrowModel();
  readonly store: AdmissionStore;
  readonly stream: UsageStream;
  readonly #accountId = newAccountId();
  readonly #keyId = newKeyId();
  readonly #requestIds = Array.from({ length: 7 }, newRequestId);
  #nowMs = 1_000;

  constructor(readonly test: TestRedis) {
    this.store = new AdmissionStore(test.redis, { keys: test.keys, nowMs: () => this.#nowMs });
    this.stream = new UsageStream(test.redis, {
      keys: test.keys,
      onDead: ({ problem }) => {
        throw new Error(problem);
      },
    });
  }

  #request(index: number, holdNanoUsd: bigint) {
    const requestId = this.#requestIds[index] ?? newRequestId();
    return sampleRequest({
      requestId,
      accountId: this.#accountId,
      keyId: this.#keyId,
      holdNanoUsd,
      holdMs: HOLD_MS,
    });
  }

  async run(step: Step): Promise<void> {
    switch (step.do) {
      case 'admit': {
        const admission = this.#request(step.request, step.amount);
        const { outcome } = await this.store.admit(admission);
        return expect(outcome).toBe(this.model.admit(step.request, step.amount, this.#nowMs + HOLD_MS));
      }
      case 'settle': {
        const { applied } = await this.store.settle(sampleSettlement(this.#request(step.request, 0n), step.amount));
        return expect(applied).toBe(this.model.settle(step.request, step.amount));
      }
      case 'grant':
        return this.#grant(step.sequence, step.amount);
      case 'book':
        return this.#book(step.count);
      case 'sweep':
        return this.#sweep(step.afterMs);
      case 'return':
        return this.#return(step.diesAfter);
      case 'rebuild':
        return this.#rebuild(step.isEmptied);
    }
  }

  async #grant(sequence: bigint, amountNanoUsd: bigint): Promise<void> {
    const outcome = await this.store.grant({
      accountId: this.#accountId,
      sequence,
      epoch: `${this.model.epoch}`,
      amountNanoUsd,
      reserveNanoUsd: 0n,
      reserveVersion: 1n,
    });
    expect(outcome).toBe(this.model.grant(sequence, amountNanoUsd));
  }

  async #book(count: number): Promise<void> {
    // Of one stream, a read returns exactly as many as it asks for.
    const shards = [shardOf(this.#accountId)];
    const read = await this.stream.read({ consumer: 'billing-1', count, shards, blockMs: 1 });
    const duplicates = this.model.book(count);
    expect(read).toHaveLength(duplicates.length);
    const entries = read.map(({ streamId, event }, index) => ({
      streamId,
      accountId: event.accountId,
      costNanoUsd: BigInt(event.costNanoUsd),
      isDuplicate: duplicates[index] ?? false,
    }));
    expect(await this.store.acknowledge(entries)).toBe(entries.length);
    expect(await this.store.acknowledge(entries)).toBe(0);
  }

  async #sweep(afterMs: number): Promise<void> {
    this.#nowMs += afterMs;
    const holds = await this.store.expiredHolds(this.#nowMs, 100);
    const expected = this.model.expired(this.#nowMs);
    expect(holds.map(({ requestId }) => this.#requestIds.indexOf(requestId)).sort()).toEqual(expected.sort());
    for (const hold of holds) {
      const event = sampleSettlement(hold, 0n, { outcome: 'expired', settledAtMs: this.#nowMs });
      const { applied } = await this.store.settle(event);
      expect(applied).toBe(this.model.settle(this.#requestIds.indexOf(hold.requestId), 0n));
    }
  }

  /** If the process dies after a step, the next call continues the open return. */
  async #return(diesAfter: string): Promise<void> {
    this.model.openReturn();
    if (diesAfter === 'opening') return;
    const take = (sequence: bigint, epoch = BigInt(this.model.epoch)) =>
      this.store.takeBack({ accountId: this.#accountId, sequence, epoch });
    const { returnSequence } = this.model;
    expect(await take(returnSequence, -1n)).toBeNull();
    expect(await take(returnSequence)).toBe(this.model.takeBack());
    expect(await take(returnSequence)).toBe(this.model.takeBack());
    expect(await take(returnSequence - 1n)).toBe(0n);
    if (diesAfter !== 'taking') this.model.closeReturn();
  }

  async #rebuild(isEmptied: boolean): Promise<void> {
    if (isEmptied) await this.test.lose();
    else await this.test.loseEpochs();
    this.model.rebuild(isEmptied);
    expect(await this.store.beginEpoch(`${this.model.epoch}`)).toBe(true);
  }

  async check(): Promise<void> {
    const state = await this.store.readAccount(this.#accountId);
    const { spendableNanoUsd, heldNanoUsd, unsettledNanoUsd, reserveNanoUsd } = state;
    const { spendable, held, unsettled, reserve, granted, booked, isReturnOpen, returnSequence } = this.model;
    expect([spendableNanoUsd, heldNanoUsd, unsettledNanoUsd, reserveNanoUsd]).toEqual([
      spendable,
      held,
      unsettled,
      reserve,
    ]);
    const returning = pendingReturnNanoUsd(state, isReturnOpen ? returnSequence : null);
    expect(returning).toBe(this.model.pendingReturnNanoUsd);
    expect(spendableNanoUsd + heldNanoUsd + unsettledNanoUsd + returning).toBe(granted - booked);
    const { openHolds, unbookedEvents } = totalOf(await this.store.readShards(this.#nowMs));
    expect([unbookedEvents, openHolds]).toEqual([this.model.stream.length, this.model.holds.size]);
  }
}

it('keeps spendable + held + unsettled equal to granted - booked - returned, in any order of steps', async () => {
  const test = await TestRedis.open();
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        await test.lose();
        const pair = new Pair(test);
        await pair.store.beginEpoch('1');
        for (const one of steps) {
          await pair.run(one);
          await pair.check();
        }
      }),
      { numRuns: 150 },
    );
  } finally {
    await test.close();
  }
});
