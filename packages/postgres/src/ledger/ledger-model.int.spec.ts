import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { activateEpoch, nextEpoch } from '../epochs/epochs.js';
import { grantEscrow } from '../escrow/grant-escrow.js';
import { closeEscrowReturn, openEscrowReturns } from '../escrow/return-escrow.js';
import { mirrorEscrow } from '../reconcile/escrow-positions.js';
import { type RecordableSettlement, recordSettlements } from '../settlements/record-settlements.js';
import { activeEpoch } from '../test-support/active-epoch.js';
import { AT_ONCE_MS, sampleEvent, TestDatabase } from '../test-support/test-database.js';
import { readLedgerBalances } from './balance.js';
import { checkLedger } from './check-ledger.js';
import { postCredit } from './post-credit.js';

/** A model of the ledger in twenty lines. */
interface Model {
  readonly customer: bigint[];
  readonly escrow: bigint[];
  readonly credits: Map<string, bigint>;
  readonly settled: RecordableSettlement[];
  epochs: bigint[];
}

interface Real {
  readonly test: TestDatabase;
  readonly accountIds: readonly string[];
  readonly run: string;
}

type Command = fc.AsyncCommand<Model, Real>;

const at = <Item>(list: readonly Item[], index: number): Item => {
  const item = list[index];
  if (item === undefined) throw new Error(`nothing at ${index}`);
  return item;
};

const command = (name: string, run: (model: Model, real: Real) => Promise<void>): Command => ({
  check: () => true,
  toString: () => name,
  run: async (model, real) => {
    await run(model, real);
    for (const [index, accountId] of real.accountIds.entries()) {
      expect(await readLedgerBalances(real.test.database, accountId)).toMatchObject({
        customerNanoUsd: at(model.customer, index),
        escrowNanoUsd: at(model.escrow, index),
      });
    }
  },
});

const add = (amounts: bigint[], index: number, amount: bigint): void => {
  amounts[index] = at(amounts, index) + amount;
};

const who = fc.nat({ max: 1 });
const amount = fc.bigInt({ min: 1n, max: 1_000n });
const LIMIT = 100n;

const credit = fc.tuple(who, amount, fc.nat({ max: 5 })).map(([index, value, reference]) =>
  command(`credit ${index} ${value} #${reference}`, async (model, { test, accountIds, run }) => {
    const accountId = at(accountIds, index);
    const key = `${run}-${index}-${reference}`;
    const known = model.credits.get(key);
    const given = { reference: key, accountId, kind: 'top_up', amountNanoUsd: value, reason: 'r' } as const;
    const { outcome } = await postCredit(test.database, given);
    expect(outcome).toBe(known === undefined ? 'posted' : known === value ? 'repeated' : 'conflict');
    if (known !== undefined) return;
    model.credits.set(key, value);
    add(model.customer, index, value);
  }),
);

const grant = fc.tuple(who, amount).map(([index, missing]) =>
  command(`grant ${index} ${missing}`, async (model, { test, accountIds }) => {
    const has = at(model.customer, index);
    const usual = (has + at(model.escrow, index)) / 20n;
    const request = { accountId: at(accountIds, index), blockLimitNanoUsd: LIMIT, blockDivisor: 20n };
    const result = await grantEscrow(test.database, { ...request, missingNanoUsd: missing });
    if (has < missing) return expect(result).toEqual({ outcome: 'refused', availableNanoUsd: has });
    const block = [missing, usual < LIMIT ? usual : LIMIT].reduce((a, b) => (a > b ? a : b));
    const given = block < has ? block : has;
    expect(result).toEqual({ outcome: 'granted', amountNanoUsd: given });
    add(model.customer, index, -given);
    add(model.escrow, index, given);
  }),
);

let streamIds = 0;

const settle = fc.array(fc.tuple(who, fc.bigInt({ min: 0n, max: 300n })), { minLength: 1, maxLength: 5 }).map((costs) =>
  command(`settle ${costs.length}`, async (model, { test, accountIds }) => {
    const entries = costs.map(([index, cost]) => {
      streamIds += 1;
      return { streamId: `1-${streamIds}`, event: sampleEvent(at(accountIds, index), cost) };
    });
    expect(await recordSettlements(test.database, entries, at(model.epochs, 0))).toMatchObject({
      newRequests: costs.length,
    });
    model.settled.push(...entries);
    for (const [index, cost] of costs) add(model.escrow, index, -cost);
  }),
);

const repeat = fc.nat().map((pick) =>
  command(`repeat ${pick}`, async (model, { test }) => {
    if (model.settled.length === 0) return;
    const again = at(model.settled, pick % model.settled.length);
    const twice = { streamId: `${again.streamId}9`, event: again.event };
    expect(await recordSettlements(test.database, [again, twice], at(model.epochs, 0))).toMatchObject({
      newRequests: 0,
      doubleCharges: [twice.streamId],
    });
  }),
);

const loseRedis = fc.constant(
  command('lose Redis', async (model, { test }) => {
    const epoch = await nextEpoch(test.database);
    await activateEpoch(test.database, epoch);
    model.epochs = [epoch, ...model.epochs];
    for (const index of model.escrow.keys()) {
      add(model.customer, index, at(model.escrow, index));
      model.escrow[index] = 0n;
    }
  }),
);

const settleLate = fc.tuple(who, amount).map(([index, cost]) =>
  command(`settle late ${index} ${cost}`, async (model, { test, accountIds }) => {
    const old = model.epochs[1];
    if (old === undefined) return;
    streamIds += 1;
    const entry = { streamId: `1-${streamIds}`, event: sampleEvent(at(accountIds, index), cost) };
    await recordSettlements(test.database, [entry], old);
    add(model.customer, index, -cost);
  }),
);

const mirror = fc.tuple(who, fc.bigInt({ min: -100n, max: 100n })).map(([index, drift]) =>
  command(`mirror ${index} ${drift}`, async (model, { test, accountIds }) => {
    const escrowNanoUsd = at(model.escrow, index);
    const seen = { accountId: at(accountIds, index), escrowNanoUsd, heldByRedisNanoUsd: escrowNanoUsd - drift };
    const epoch = at(model.epochs, 0);
    const stale = { ...seen, escrowNanoUsd: escrowNanoUsd + 1n, epoch };
    expect(await mirrorEscrow(test.database, stale)).toBe(false);
    expect(await mirrorEscrow(test.database, { ...seen, epoch })).toBe(drift !== 0n);
    add(model.escrow, index, -drift);
    add(model.customer, index, drift);
  }),
);

const giveBack = amount.map((amount) =>
  command(`give back some of it, by ${amount}`, async (model, { test, accountIds }) => {
    const opened = await openEscrowReturns(test.database, { idleMs: AT_ONCE_MS, limit: 10 });
    const withEscrow = accountIds.filter((_id, index) => at(model.escrow, index) > 0n);
    expect(opened.map(({ accountId }) => accountId).sort()).toEqual([...withEscrow].sort());
    expect(await openEscrowReturns(test.database, { idleMs: AT_ONCE_MS, limit: 10 })).toEqual([]);
    for (const one of opened) {
      const index = accountIds.indexOf(one.accountId);
      const taken = amount % (at(model.escrow, index) + 1n);
      expect(await closeEscrowReturn(test.database, { ...one, sequence: one.sequence - 1n }, taken)).toBeNull();
      const closed = await closeEscrowReturn(test.database, one, taken);
      expect(closed?.customerNanoUsd).toBe(at(model.customer, index) + taken);
      expect(await closeEscrowReturn(test.database, one, taken)).toBeNull();
      add(model.escrow, index, -taken);
      add(model.customer, index, taken);
    }
  }),
);

let test: TestDatabase;

beforeAll(async () => {
  test = await TestDatabase.open();
});

afterAll(() => test.close());

it('the ledger equals its model after any history', async () => {
  let runs = 0;
  const commands = fc.commands([credit, grant, settle, repeat, loseRedis, settleLate, mirror, giveBack], {
    maxCommands: 25,
  });
  await fc.assert(
    fc.asyncProperty(commands, async (list) => {
      runs += 1;
      const accountIds = [await test.account(), await test.account()];
      await activateEpoch(test.database, await nextEpoch(test.database));
      const epochs = [(await activeEpoch(test.database)) ?? 0n];
      const model: Model = { customer: [0n, 0n], escrow: [0n, 0n], credits: new Map(), settled: [], epochs };
      await fc.asyncModelRun(() => ({ model, real: { test, accountIds, run: `run-${runs}` } }), list);
    }),
    { numRuns: 40 },
  );
  expect(await checkLedger(test.database)).toEqual({
    imbalanceNanoUsd: 0n,
    unbalancedTransactions: 0n,
    wrongBalances: 0n,
    wrongUsageSums: 0n,
  });
});
