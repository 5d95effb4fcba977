import type { AccountId, AdmissionRequest } from '@gateway/contracts';
import {
  closeEscrowReturn,
  grantEscrow,
  nextEpoch,
  type OpenReturn,
  openEscrowReturns,
  openReturns,
  postCredit,
  recordSettlements,
  reverseTransaction,
  undeliveredGrants,
} from '@gateway/postgres';
import { admitWithBlocks, pendingReturnNanoUsd, totalOf, type UsageEntry } from '@gateway/redis';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { BillingResources } from './resources.js';
import { type ModelEvent, MoneyModel } from './test-support/money-model.js';
import { openStages } from './test-support/open-stages.js';
import {
  AT_ONCE_MS,
  checkedPosition,
  sampleAdmission,
  settlementForAdmission,
  TestBilling,
} from './test-support/test-billing.js';

const RUNS = 40;
const LONG_AFTER_MS = 4_000_000_000_001;
const { signal } = new AbortController();

/** A batch that a process has read and not recorded. Another process claims it if this one dies. */
interface InHand {
  readonly entries: readonly UsageEntry[];
  readonly events: readonly ModelEvent[];
  readonly epoch: bigint;
}

/** A billing process. Processes share the stores, but not the batch in hand. */
class Process {
  readonly stages: ReturnType<typeof openStages>;
  inHand: InHand | null = null;

  constructor(readonly resources: BillingResources) {
    this.stages = openStages(resources);
  }
}

/** The real system: PostgreSQL, Redis and two billing processes. */
class Real {
  readonly admissions: AdmissionRequest[] = [];
  /** Every return that was left open. Its process may only be slow. */
  readonly returns: OpenReturn[] = [];
  credits = 0;

  constructor(
    readonly test: TestBilling,
    readonly processes: readonly [Process, Process],
    readonly accountId: AccountId,
  ) {}

  process(at: number): Process {
    return this.processes[at % 2] as Process;
  }

  get first(): Process {
    return this.processes[0];
  }
}

type Command = fc.AsyncCommand<MoneyModel, Real>;

/** Admits as the edge does. */
async function admit({ first }: Real, request: AdmissionRequest): Promise<'admitted' | 'refused' | 'unavailable'> {
  try {
    const outcome = await admitWithBlocks(
      () => first.resources.admissionStore.admit(request),
      async (missing) => (await first.stages.grantEscrow.grant(request.accountId, missing)).granted,
    );
    if (outcome?.outcome === 'admitted') return 'admitted';
    return outcome?.outcome === 'funds' ? 'refused' : 'unavailable';
  } catch (error) {
    if ((error as { code?: string }).code !== 'service_unavailable') throw error;
    return 'unavailable';
  }
}

async function check(model: MoneyModel, real: Real): Promise<void> {
  const { database, admissionStore } = real.first.resources;
  const { customerNanoUsd, escrowNanoUsd, openReturn } = await checkedPosition(database, real.accountId);
  expect(customerNanoUsd + escrowNanoUsd).toBe(model.owned);
  const state = await admissionStore.readAccount(real.accountId);
  expect([state.heldNanoUsd, state.unsettledNanoUsd]).toEqual([model.held, model.unsettled]);
  const { unbookedEvents } = totalOf(await admissionStore.readShards(0));
  expect(unbookedEvents).toBe(model.stream.length);
  if (!model.isFollowed) return;
  const onTheWay = (await undeliveredGrants(database, { accountId: real.accountId })).reduce(
    (sum, { amountNanoUsd }) => sum + amountNanoUsd,
    0n,
  );
  const inRedis = state.spendableNanoUsd + state.heldNanoUsd + state.unsettledNanoUsd;
  const recordedOnly = [...model.recorded].reduce((sum, { cost }) => sum + cost, 0n);
  expect(inRedis + pendingReturnNanoUsd(state, openReturn)).toBe(escrowNanoUsd - onTheWay + recordedOnly);
  const shown = await real.first.stages.balanceReader.read(real.accountId);
  expect(shown).toEqual({
    balanceNanoUsd: model.available + model.held,
    heldNanoUsd: model.held,
    availableNanoUsd: model.available,
  });
}

const command = (name: string, run: (model: MoneyModel, real: Real) => Promise<void>): fc.Arbitrary<Command> =>
  fc.constant(asCommand(name, run));

const asCommand = (name: string, run: (model: MoneyModel, real: Real) => Promise<void>): Command => ({
  check: () => true,
  toString: () => name,
  run: async (model, real) => {
    await run(model, real);
    await check(model, real);
  },
});

const amount = fc.bigInt({ min: 1n, max: 40n });
const pick = fc.nat({ max: 1_000 });
const process = fc.nat({ max: 1 });

const topUp = amount.map((value) =>
  asCommand(`top up ${value}`, async (model, { first, accountId, ...real }) => {
    const reference = `${accountId}-${value}-${real.credits}`;
    const credit = { reference, accountId, kind: 'top_up', amountNanoUsd: value, reason: 'model' } as const;
    const { outcome } = await postCredit(first.resources.database, credit);
    model.owned += outcome === 'posted' ? value : 0n;
    expect((await postCredit(first.resources.database, credit)).outcome).toBe('repeated');
  }),
);

async function holdThis(value: bigint, model: MoneyModel, real: Real): Promise<void> {
  const request = sampleAdmission(real.accountId, value);
  const expected =
    !model.isOpen || !model.isFollowed ? 'unavailable' : value <= model.available ? 'admitted' : 'refused';
  const outcome = await admit(real, request);
  // Until the ledger follows a new epoch the shortage is unknown, so a refusal is valid too.
  expect(outcome === 'refused' && !model.isFollowed ? 'unavailable' : outcome).toBe(expected);
  if (outcome !== 'admitted') return;
  real.admissions.push(request);
  model.requests.push({ hold: value, isSettled: false, recordedCost: null, isReversed: false });
}

const hold = amount.map((value) => asCommand(`hold ${value}`, (model, real) => holdThis(value, model, real)));

/** The whole balance: free, in escrow, and in transit. */
const holdAll = command('hold everything available', async (model, real) => {
  if (model.available > 0n) await holdThis(model.available, model, real);
});

const holdAgain = pick.map((at) =>
  asCommand(`hold again #${at}`, async (model, real) => {
    const index = at % Math.max(1, model.requests.length);
    const request = real.admissions[index];
    if (request === undefined || model.requests[index]?.hold === null) return;
    expect((await real.first.resources.admissionStore.admit(request)).outcome).toBe('admitted');
  }),
);

const settle = fc.tuple(pick, fc.bigInt({ min: 0n, max: 60n })).map(([at, cost]) =>
  asCommand(`settle #${at} at ${cost}`, async (model, real) => {
    const index = at % Math.max(1, model.requests.length);
    const request = real.admissions[index];
    if (request === undefined) return;
    const { applied } = await real.first.resources.admissionStore.settle(settlementForAdmission(request, cost));
    expect(applied).toBe(model.settle(index, cost));
  }),
);

/** Settles like an edge that was frozen: the ledger has the request, and Redis may have forgotten it. */
const settleBooked = fc.tuple(pick, amount).map(([at, cost]) =>
  asCommand(`settle what is recorded #${at} at ${cost}`, async (model, real) => {
    const recorded = [...model.requests.keys()].filter((index) => model.requests[index]?.recordedCost !== null);
    const index = recorded[at % Math.max(1, recorded.length)];
    if (index === undefined) return;
    const event = settlementForAdmission(real.admissions[index] as AdmissionRequest, cost);
    expect((await real.first.resources.admissionStore.settle(event)).applied).toBe(model.settle(index, cost));
  }),
);

const expireAll = async (model: MoneyModel, { first }: Real): Promise<void> => {
  await first.stages.sweep.sweep(LONG_AFTER_MS);
  for (const [index, { hold: open }] of model.requests.entries()) if (open !== null) model.settle(index, 0n);
};

const expire = command('expire', expireAll);

/** The oldest unread entries are last in the model, after those in hand. */
function untaken(model: MoneyModel, real: Real): readonly ModelEvent[] {
  const taken = real.processes.flatMap(({ inHand }) => inHand?.events ?? []);
  return model.stream.filter((event) => !taken.includes(event) && !model.recorded.has(event) && !abandoned.has(event));
}

/** Entries of a dead process: only a claim of stale entries recovers them. */
const abandoned = new WeakSet<ModelEvent>();

const read = process.map((at) =>
  asCommand(`process ${at} reads`, async (model, real) => {
    const one = real.process(at);
    if (one.inHand !== null || !model.isOpen) return;
    const left = [...untaken(model, real)];
    const epoch = BigInt((await one.resources.admissionStore.currentEpoch(real.accountId)) ?? '0');
    const entries = await one.resources.usageStream.read({
      consumer: one.resources.consumerName,
      count: 500,
      blockMs: 1,
    });
    // Holds with the same expiry are released in any order.
    const events = entries.map(({ event }) => {
      const request = real.admissions.findIndex(({ requestId }) => requestId === event.requestId);
      const at = left.findIndex((one) => one.request === request && one.cost === BigInt(event.costNanoUsd));
      return left.splice(at, at === -1 ? 0 : 1)[0] as ModelEvent;
    });
    expect([left, events.includes(undefined as never)]).toEqual([[], false]);
    if (entries.length > 0) one.inHand = { entries, events, epoch };
  }),
);

const recordOnly = process.map((at) =>
  asCommand(`process ${at} records, and dies before it acknowledges`, async (model, real) => {
    const one = real.process(at);
    if (one.inHand === null) return;
    const { entries, events, epoch } = one.inHand;
    const { outcome } = await recordSettlements(one.resources.database, entries, epoch);
    one.inHand = null;
    for (const event of events) abandoned.add(event);
    if (outcome === 'wait') return;
    for (const event of events) recordIn(model, event);
  }),
);

/** Redis lost the entries, but a process has them in hand. They are charged once. */
function recordIn(model: MoneyModel, event: ModelEvent): void {
  const isInStream = model.stream.includes(event);
  model.record(event);
  if (!isInStream) model.recorded.delete(event);
}

const record = process.map((at) =>
  asCommand(`process ${at} records and acknowledges`, async (model, real) => {
    const one = real.process(at);
    if (one.inHand === null) return;
    const { entries, events, epoch } = one.inHand;
    const isDone = await one.stages.recordBatch.record(entries, () => epoch);
    one.inHand = null;
    if (!isDone) {
      for (const event of events) abandoned.add(event);
      return;
    }
    for (const event of events) recordIn(model, event);
    model.acknowledge(events);
  }),
);

const crash = process.map((at) =>
  asCommand(`process ${at} dies`, async (_model, real) => {
    const one = real.process(at);
    for (const event of one.inHand?.events ?? []) abandoned.add(event);
    one.inHand = null;
  }),
);

const consumeAll = async (model: MoneyModel, real: Real): Promise<void> => {
  if (!model.isOpen || !model.isFollowed) return;
  for (const one of real.processes) one.inHand = null;
  // A process consumes only in epochs that it has followed itself; its loop does so within a moment of any other process.
  await real.first.stages.followEpoch.follow();
  while ((await real.first.stages.consumeUsage.consume({ blockMs: 1, staleAfterMs: 0 }, signal)) > 0);
  const all = [...model.stream];
  for (const event of all) model.record(event);
  model.acknowledge(all);
};

const consume = command('another process records all remaining events', consumeAll);

const grantAndDie = amount.map((value) =>
  asCommand(`a grant of ${value} is committed and not delivered`, async (_model, { first, accountId }) => {
    const request = { accountId, missingNanoUsd: value, blockLimitNanoUsd: 10n, blockDivisor: 20n };
    await grantEscrow(first.resources.database, request);
  }),
);

const redeliver = command('abandoned grants are delivered', async (_model, { first }) => {
  await first.stages.deliverGrants.redeliverAbandoned(0);
});

/** Otherwise a request is almost always running or unrecorded, and no escrow returns. */
async function becomeIdle(model: MoneyModel, real: Real): Promise<void> {
  await real.first.stages.deliverGrants.redeliverAbandoned(0);
  await expireAll(model, real);
  await consumeAll(model, real);
}

const whenIdleOrNot = (name: string, run: (real: Real, at: number) => Promise<unknown>): fc.Arbitrary<Command> =>
  fc.tuple(process, fc.boolean()).map(([at, isIdle]) =>
    asCommand(`${name} by process ${at}${isIdle ? ', when all is idle' : ''}`, async (model, real) => {
      if (isIdle) await becomeIdle(model, real);
      await run(real, at);
    }),
  );

const giveBack = whenIdleOrNot('unused escrow is given back', (real, at) =>
  real.process(at).stages.returnIdleEscrow.returnIdle(AT_ONCE_MS),
);

async function openNow({ first, returns }: Real): Promise<readonly OpenReturn[]> {
  await openEscrowReturns(first.resources.database, { idleMs: AT_ONCE_MS, limit: 500 });
  const open = await openReturns(first.resources.database, { olderThanMs: AT_ONCE_MS, limit: 500 });
  returns.push(...open);
  return open;
}

const openAndDie = whenIdleOrNot('a return is opened, and not finished', openNow);

const takeAndDie = whenIdleOrNot('a return is taken out of Redis, and not closed', async (real) => {
  for (const one of await openNow(real)) await real.first.resources.admissionStore.takeBack(one);
});

const finishLate = pick.map((at) =>
  asCommand(`a process that was frozen goes on with its return #${at}`, async (_model, { first, returns }) => {
    const one = returns[at % Math.max(1, returns.length)];
    const taken = one === undefined ? null : await first.resources.admissionStore.takeBack(one);
    if (one !== undefined && taken !== null) await closeEscrowReturn(first.resources.database, one, taken);
  }),
);

const finishReturns = process.map((at) =>
  asCommand(`process ${at} finishes abandoned returns`, (_model, real) =>
    real.process(at).stages.returnIdleEscrow.finishAbandoned(AT_ONCE_MS),
  ),
);

const reverse = pick.map((at) =>
  asCommand(`reverse #${at}`, async (model, { first, accountId, admissions }) => {
    const index = at % Math.max(1, model.requests.length);
    const [request, real] = [model.requests[index], admissions[index]];
    if (request === undefined || real === undefined) return;
    const reversed = await reverseTransaction(
      first.resources.database,
      accountId,
      `settlement:${real.requestId}`,
      'model',
    );
    const hasCharge = request.recordedCost !== null && request.recordedCost > 0n;
    expect(reversed?.outcome ?? null).toBe(!hasCharge ? null : request.isReversed ? 'repeated' : 'posted');
    if (!hasCharge || request.isReversed) return;
    expect(reversed?.amountNanoUsd).toBe(request.recordedCost);
    request.isReversed = true;
    model.owned += request.recordedCost ?? 0n;
  }),
);

const emptyRedis = command('Redis loses its data', async (model, { test, first }) => {
  await test.loseRedis(first.resources);
  model.loseRedis();
});

const beginOnly = command('Redis begins a new epoch, and that process dies', async (model, { first }) => {
  if (model.isOpen) return;
  await first.resources.admissionStore.beginEpoch((await nextEpoch(first.resources.database)).toString());
  model.isOpen = true;
});

const follow = process.map((at) =>
  asCommand(`process ${at} follows`, async (model, real) => {
    await real.process(at).stages.followEpoch.follow();
    model.isOpen = true;
    model.isFollowed = true;
  }),
);

const loseAndFollow = command('Redis loses its data, and the ledger follows', async (model, { test, first }) => {
  await test.loseRedis(first.resources);
  model.loseRedis();
  await first.stages.followEpoch.follow();
  model.isOpen = true;
  model.isFollowed = true;
});

const commands = fc.commands(
  [
    topUp,
    topUp,
    hold,
    hold,
    hold,
    holdAll,
    holdAll,
    holdAgain,
    settle,
    settle,
    settle,
    settleBooked,
    settleBooked,
    expire,
    read,
    record,
    recordOnly,
    crash,
    consume,
    consume,
    grantAndDie,
    redeliver,
    giveBack,
    giveBack,
    openAndDie,
    takeAndDie,
    takeAndDie,
    finishReturns,
    finishLate,
    finishLate,
    reverse,
    emptyRedis,
    beginOnly,
    follow,
    follow,
    loseAndFollow,
  ],
  { maxCommands: 50, size: 'max' },
);

/** After all work is done the ledger, Redis and the displayed balance agree. */
async function settleDown(model: MoneyModel, real: Real): Promise<void> {
  const { first, accountId } = real;
  await first.stages.followEpoch.follow();
  model.isOpen = true;
  model.isFollowed = true;
  await becomeIdle(model, real);
  await check(model, real);
  await first.stages.returnIdleEscrow.finishAbandoned(AT_ONCE_MS);
  await first.stages.returnIdleEscrow.returnIdle(AT_ONCE_MS);
  await check(model, real);
  // Everything but a debt is in the customer's free balance again.
  expect((await checkedPosition(first.resources.database, accountId)).escrowNanoUsd).toBeLessThanOrEqual(0n);
  const balance = await first.stages.balanceReader.read(accountId);
  expect(balance).toEqual({ balanceNanoUsd: model.owned, heldNanoUsd: 0n, availableNanoUsd: model.owned });
  for (let round = 0; round < 3; round += 1) {
    const seen = await first.stages.reconcile.round(LONG_AFTER_MS);
    expect(seen).toMatchObject({ orphanHolds: 0, unsettledEvents: 0, parkedEvents: 0, driftNanoUsd: 0n });
  }
}

let test: TestBilling;

beforeAll(async () => {
  test = await TestBilling.open();
});

afterAll(() => test.close());

it('loses no nano-dollar and charges none twice, whichever process or store fails at any point', async () => {
  const resources = [await test.resources(), await test.resources()] as const;
  await fc.assert(
    fc.asyncProperty(commands, async (list) => {
      await test.loseRedis(resources[0]);
      const processes = [new Process(resources[0]), new Process(resources[1])] as const;
      await processes[0].stages.followEpoch.follow();
      const real = new Real(test, processes, await test.account(resources[0], 100n));
      const model = new MoneyModel();
      model.owned = 100n;
      await fc.asyncModelRun(() => ({ model, real }), list);
      await settleDown(model, real);
    }),
    { numRuns: RUNS },
  );
});
