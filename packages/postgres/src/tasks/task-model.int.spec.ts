import { isFinalVideoTask } from '@gateway/contracts';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { activateEpoch, nextEpoch } from '../epochs/epochs.js';
import { checkLedger } from '../ledger/check-ledger.js';
import { activeEpoch } from '../test-support/active-epoch.js';
import { endOf, TaskFixture } from '../test-support/task-fixture.js';
import { TestDatabase } from '../test-support/test-database.js';
import { requestCancel } from './cancel-task.js';
import { adoptOrphanTaskHolds, checkTaskHolds } from './task-holds.js';
import type { WorkerVideoTask } from './video-task-row.js';

const CREDIT = 10_000n;
const HOLD = 500n;
const RECORD = { cost: '0.00' };

/** The event of a hold that is not recorded yet. The epoch of Redis in which it was read may be over. */
interface PendingHold {
  readonly task: WorkerVideoTask;
  readonly epoch: bigint;
}

/** The expected state: tasks by id, and the holds that the ledger has booked. */
class Model {
  readonly ids: string[] = [];
  readonly pending: PendingHold[] = [];
  readonly booked = new Set<string>();
  /** Tasks as they were once read: changes are tried with versions that may be old. */
  readonly seen: WorkerVideoTask[] = [];
}

type Step = (model: Model, tasks: TaskFixture) => Promise<void>;

const pick = <Item>(list: readonly Item[], at: number): Item | undefined => list[at % Math.max(1, list.length)];

const begin: Step = async (model, tasks) => {
  const task = await tasks.submitting({ holdNanoUsd: HOLD.toString() });
  model.ids.push(task.taskId);
  model.seen.push(task);
  model.pending.push({ task, epoch: (await activeEpoch(tasks.test.database)) ?? 0n });
};

const steps = {
  begin: fc.constant(begin),
  accept: fc.nat().map(
    (at): Step =>
      async (model, { store }) => {
        const task = pick(model.seen, at);
        if (task === undefined) return;
        const more = {
          upstreamTaskId: `up-${task.taskId}`,
          publicId: task.taskId,
          attempts: [],
          nextPollMs: 0,
          record: RECORD,
        };
        const accepted = await store.accept(task, more);
        if (accepted !== null) model.seen.push(accepted);
      },
  ),
  loseResponse: fc.nat().map(
    (at): Step =>
      async (model, { store }) => {
        const task = pick(model.seen, at);
        const unknown = task === undefined ? null : await store.recordUnknownSubmission(task, [], 0);
        if (unknown !== null) model.seen.push(unknown);
      },
  ),
  note: fc.tuple(fc.nat(), fc.constantFrom('queued', 'running', null)).map(
    ([at, state]): Step =>
      async (model, { store }) => {
        const task = pick(model.seen, at);
        if (task === undefined) return;
        const note = {
          state,
          startedAtMs: null,
          progress: null,
          upstream: null,
          failures: 0,
          missCount: 0,
          nextPollMs: 0,
        };
        const noted = await store.recordPoll(task, note, RECORD);
        if (noted !== null) model.seen.push(noted);
      },
  ),
  cancel: fc.nat().map(
    (at): Step =>
      async (model, { test, accountId }) => {
        const id = pick(model.ids, at);
        const task = id === undefined ? null : await requestCancel(test.database, { accountId, onlyTest: false }, id);
        if (task !== null) model.seen.push(task);
      },
  ),
  finish: fc
    .tuple(
      fc.nat(),
      fc.constantFrom('succeeded', 'failed', 'cancelled', 'expired'),
      fc.bigInt(0n, HOLD),
      fc.integer({ min: 1, max: 3 }),
    )
    .map(
      ([at, state, cost, times]): Step =>
        async (model, { store }) => {
          const task = pick(model.seen, at);
          // A task without an upstream task cannot succeed.
          if (task === undefined || (state === 'succeeded' && task.upstreamTaskId === null)) return;
          const end = endOf(state, state === 'succeeded' ? cost : 0n);
          await Promise.all(Array.from({ length: times }, () => store.finish(task, end, RECORD)));
        },
    ),
  book: fc.tuple(fc.nat(), fc.integer({ min: 1, max: 2 })).map(
    ([at, times]): Step =>
      async (model, tasks) => {
        const pending = pick(model.pending, at);
        if (pending === undefined) return;
        for (let time = 0; time < times; time += 1) {
          await tasks.bookHold(pending.task, `entry-${pending.task.requestId}`, pending.epoch);
        }
        model.pending.splice(model.pending.indexOf(pending), 1);
        model.booked.add(pending.task.taskId);
      },
  ),
  /** Starts a new epoch. Events of the former one may still be recorded or are lost. */
  loseRedis: fc.boolean().map(
    (isStreamLost): Step =>
      async (model, { test }) => {
        await activateEpoch(test.database, await nextEpoch(test.database));
        if (isStreamLost) model.pending.length = 0;
      },
  ),
  adopt: fc.constant<Step>(async (model, { test }) => {
    const before = await openUnbooked(model, test);
    await adoptOrphanTaskHolds(test.database, 0);
    for (const id of before) model.booked.add(id);
  }),
};

async function openUnbooked(model: Model, test: TestDatabase): Promise<readonly string[]> {
  const rows = await test.database.prisma.videoTask.findMany({ where: { id: { in: model.ids }, finishedAt: null } });
  return rows.filter(({ holdEntryId }) => holdEntryId === null).map(({ id }) => id);
}

async function expectPromises(model: Model, tasks: TaskFixture): Promise<void> {
  const { prisma } = tasks.test.database;
  const rows = await prisma.videoTask.findMany({ where: { id: { in: model.ids } } });
  const receipts = await prisma.settlement.findMany({ where: { accountId: tasks.accountId } });
  const ended = rows.filter(({ finishedAt }) => finishedAt !== null);
  const paid = ended.reduce((sum, { costNanoUsd }) => sum + (costNanoUsd ?? 0n), 0n);
  const open = rows.filter(({ finishedAt, id }) => finishedAt === null && model.booked.has(id)).length;
  const { customer, escrow, taskHolds } = await tasks.position();
  // Only the cost of ended tasks changes what a customer owns.
  expect(customer + escrow + taskHolds).toBe(CREDIT - paid);
  expect(taskHolds).toBe(BigInt(open) * HOLD);
  expect(await tasks.spent()).toBe(paid + taskHolds);
  expect(receipts.map(({ requestId, costNanoUsd }) => `${requestId} ${costNanoUsd}`).sort()).toEqual(
    ended.map(({ requestId, costNanoUsd }) => `${requestId} ${costNanoUsd}`).sort(),
  );
  for (const { state, costNanoUsd } of ended) {
    expect(costNanoUsd).toBeLessThanOrEqual(HOLD);
    if (state !== 'succeeded') expect(costNanoUsd).toBe(0n);
  }
}

let test: TestDatabase;

beforeAll(async () => {
  test = await TestDatabase.open();
});

afterAll(() => test.close());

it('tasks charge at most their hold, once, in any order of events', async () => {
  const history = fc.array(fc.oneof(...Object.values(steps)), { minLength: 5, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(history, async (list) => {
      const tasks = await TaskFixture.open(test, CREDIT);
      const model = new Model();
      await begin(model, tasks);
      for (const step of list) {
        await step(model, tasks);
        await expectPromises(model, tasks);
      }
      // At the end of a history pending events are recorded and open tasks fail.
      for (const { task, epoch } of model.pending.splice(0)) {
        await tasks.bookHold(task, `entry-${task.requestId}`, epoch);
        model.booked.add(task.taskId);
      }
      for (const id of model.ids) {
        const task = await tasks.store.find(id);
        if (task !== null && !isFinalVideoTask(task.state)) await tasks.store.finish(task, endOf('expired'), RECORD);
      }
      await expectPromises(model, tasks);
      expect(await tasks.position()).toMatchObject({ taskHolds: 0n });
      for (const id of model.ids) {
        const ends = (await tasks.eventTypes(id)).filter((type) => !/queued|running/.test(type));
        expect(ends).toHaveLength(1);
      }
    }),
    { numRuns: 60 },
  );
  expect(await checkLedger(test.database)).toEqual({
    imbalanceNanoUsd: 0n,
    unbalancedTransactions: 0n,
    wrongBalances: 0n,
    wrongUsageSums: 0n,
  });
  expect(await checkTaskHolds(test.database, 0)).toEqual({
    driftNanoUsd: 0n,
    unbookedHolds: 0,
    endedWithoutReceipt: 0,
  });
});
