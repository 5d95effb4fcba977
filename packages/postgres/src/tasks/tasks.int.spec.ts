import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { activateEpoch, nextEpoch } from '../epochs/epochs.js';
import { grantEscrow } from '../escrow/grant-escrow.js';
import { checkLedger } from '../ledger/check-ledger.js';
import { listLedger } from '../ledger/list-ledger.js';
import { findSettlement } from '../settlements/find-settlement.js';
import { recordSettlements } from '../settlements/record-settlements.js';
import { activeEpoch } from '../test-support/active-epoch.js';
import { endOf, present, sampleTask, TaskFixture } from '../test-support/task-fixture.js';
import { sampleEvent, TestDatabase } from '../test-support/test-database.js';
import { adoptOrphanTaskHolds, checkTaskHolds } from './task-holds.js';
import { openTaskReader, type TaskReader } from './task-reader.js';
import { openTaskStore } from './task-store.js';
import { taskTimeMs, type WorkerVideoTask } from './video-task-row.js';

const RECORD = { status: 'any', cost: '0.0000003' };
const ALL_WELL = { driftNanoUsd: 0n, unbookedHolds: 0, endedWithoutReceipt: 0 };

describe('video tasks', () => {
  let test: TestDatabase;
  let tasks: TaskFixture;

  beforeAll(async () => {
    test = await TestDatabase.open();
  });

  beforeEach(async () => {
    tasks = await TaskFixture.open(test);
  });

  afterAll(async () => {
    expect(await checkLedger(test.database)).toEqual({
      imbalanceNanoUsd: 0n,
      unbalancedTransactions: 0n,
      wrongBalances: 0n,
      wrongUsageSums: 0n,
    });
    await test.close();
  });

  const read = async (taskId: string) => present(await tasks.store.find(taskId));

  describe('the hold of a task', () => {
    it('moves to task_holds; the end charges the cost and returns the remainder', async () => {
      const task = await tasks.queued();
      expect(await tasks.bookHold(task)).toMatchObject({ newRequests: 1, doubleCharges: [] });
      expect(await tasks.position()).toEqual({ customer: 5_000n, escrow: 4_500n, taskHolds: 500n });
      expect(await tasks.spent()).toBe(500n);
      expect(await findSettlement(test.database, tasks.accountId, task.requestId)).toBeNull();
      const ended = present(await tasks.store.finish(task, endOf('succeeded', 300n), RECORD));
      expect(ended).toMatchObject({ state: 'succeeded', costNanoUsd: 300n, prompt: null });
      expect(await tasks.position()).toEqual({ customer: 5_200n, escrow: 4_500n, taskHolds: 0n });
      expect(await tasks.spent()).toBe(300n);
      expect(await findSettlement(test.database, tasks.accountId, task.requestId)).toMatchObject({
        endpoint: 'videos.generations',
        outcome: 'completed',
        holdNanoUsd: 500n,
        costNanoUsd: 300n,
        units: { second: 5 },
        unitPrices: { second: '100' },
      });
    });

    it('returns whole if the task fails, without a line in the customer’s ledger', async () => {
      const task = await tasks.queued();
      await tasks.bookHold(task);
      present(await tasks.store.finish(task, endOf('failed'), RECORD));
      expect(await tasks.position()).toEqual({ customer: 5_500n, escrow: 4_500n, taskHolds: 0n });
      expect(await tasks.spent()).toBe(0n);
      const lines = await listLedger(test.database, tasks.accountId, { afterId: null, limit: 10 });
      expect(lines.map(({ kind }) => kind)).toEqual(['top_up']);
      expect(await findSettlement(test.database, tasks.accountId, task.requestId)).toMatchObject({
        outcome: 'failed',
        costNanoUsd: 0n,
        errorCode: 'Odd',
      });
    });

    it.each([
      ['succeeded', 300n, 4_700n],
      ['failed', 0n, 5_000n],
    ] as const)('is right also if a task has %s before its hold is booked', async (state, cost, before) => {
      const task = await tasks.queued();
      present(await tasks.store.finish(task, endOf(state, cost), RECORD));
      expect(await tasks.position()).toEqual({ customer: before, escrow: 5_000n, taskHolds: 0n });
      await tasks.bookHold(task);
      expect(await tasks.position()).toEqual({ customer: before + 500n, escrow: 4_500n, taskHolds: 0n });
      expect(await tasks.spent()).toBe(cost);
    });

    it('is booked once; a second event of the hold is a double charge, a redelivery is not', async () => {
      const task = await tasks.queued();
      await tasks.bookHold(task, '1-0');
      expect(await tasks.bookHold(task, '1-0')).toMatchObject({ newRequests: 0, doubleCharges: [] });
      expect(await tasks.bookHold(task, '2-0')).toMatchObject({ newRequests: 0, doubleCharges: ['2-0'] });
      expect(await tasks.position()).toMatchObject({ escrow: 4_500n, taskHolds: 500n });
      present(await tasks.store.finish(task, endOf('failed'), RECORD));
      expect(await tasks.bookHold(task, '1-0')).toMatchObject({ newRequests: 0, doubleCharges: [] });
      expect(await tasks.position()).toEqual({ customer: 5_500n, escrow: 4_500n, taskHolds: 0n });
    });

    it('is taken from the customer if its epoch of Redis is over', async () => {
      const [open, ended] = [await tasks.queued(), await tasks.queued()];
      const former = (await activeEpoch(test.database)) ?? 0n;
      await activateEpoch(test.database, await nextEpoch(test.database));
      present(await tasks.store.finish(ended, endOf('succeeded', 500n), RECORD));
      for (const task of [open, ended]) await tasks.bookHold(task, `late-${task.taskId}`, former);
      expect(await tasks.position()).toEqual({ customer: 9_000n, escrow: 0n, taskHolds: 500n });
      expect(await tasks.bookHold(ended, `late-${ended.taskId}`, former)).toMatchObject({ doubleCharges: [] });
    });

    it('returns during a concurrent grant of escrow without a deadlock', async () => {
      const task = await tasks.queued();
      present(await tasks.store.finish(task, endOf('failed'), RECORD));
      const { prisma } = test.database;
      const waiting = async (count: number): Promise<void> => {
        const [row] = await prisma.$queryRaw<{ count: bigint }[]>`
          SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        if (row?.count !== BigInt(count)) await waiting(count);
      };
      const begun = await prisma.$transaction(
        async (other) => {
          // Both wait for the lock of the escrow, holding the locks that they take before it.
          await other.$queryRaw`SELECT 1 FROM ledger_balance
            WHERE ledger_account_id = ledger_account_of('escrow', ${tasks.accountId}) FOR NO KEY UPDATE`;
          const booking = tasks.bookHold(task);
          await waiting(1);
          const limits = { missingNanoUsd: 100n, blockLimitNanoUsd: 100n, blockDivisor: 1n };
          const granting = grantEscrow(test.database, { accountId: tasks.accountId, ...limits });
          await waiting(2);
          return [booking, granting] as const;
        },
        { timeout: 20_000 },
      );
      const [booked, granted] = await Promise.all(begun);
      expect(booked).toMatchObject({ newRequests: 1 });
      expect(granted).toEqual({ outcome: 'granted', amountNanoUsd: 100n });
      expect(await tasks.position()).toMatchObject({ taskHolds: 0n });
    });

    it('is adopted from the customer if its event is lost, and only once if the event arrives later', async () => {
      const task = await tasks.queued();
      await activateEpoch(test.database, await nextEpoch(test.database));
      expect(await checkTaskHolds(test.database, 0)).toMatchObject({ ...ALL_WELL, unbookedHolds: 1 });
      expect(await adoptOrphanTaskHolds(test.database, 3_600_000)).toMatchObject({ adopted: 0 });
      expect(await adoptOrphanTaskHolds(test.database, 0)).toMatchObject({ adopted: 1 });
      expect(await adoptOrphanTaskHolds(test.database, 0)).toMatchObject({ adopted: 0 });
      expect(await tasks.position()).toEqual({ customer: 9_500n, escrow: 0n, taskHolds: 500n });
      expect(await tasks.spent()).toBe(500n);
      expect(await tasks.bookHold(task, '9-9')).toMatchObject({ doubleCharges: ['9-9'] });
      expect(await checkTaskHolds(test.database, 0)).toEqual(ALL_WELL);
      present(await tasks.store.finish(task, endOf('succeeded', 200n), RECORD));
      expect(await tasks.position()).toEqual({ customer: 9_800n, escrow: 0n, taskHolds: 0n });
      expect(await tasks.spent()).toBe(200n);
    });

    it('rejects a cost above the hold, for a cancelled or expired task, or for a test key', async () => {
      const task = await tasks.queued();
      await expect(tasks.store.finish(task, endOf('succeeded', 501n), RECORD)).rejects.toThrow();
      await expect(tasks.store.finish(task, endOf('failed', 501n), RECORD)).rejects.toThrow();
      await expect(tasks.store.finish(task, endOf('cancelled', 1n), RECORD)).rejects.toThrow();
      await expect(tasks.store.finish(task, endOf('expired', 1n), RECORD)).rejects.toThrow();
      const free = await tasks.queued({ isTest: true, holdNanoUsd: '500' });
      await expect(tasks.store.finish(free, endOf('succeeded', 1n), RECORD)).rejects.toThrow();
      expect((await read(task.taskId)).state).toBe('queued');
    });

    it('is charged for a failed task that its vendor bills, such as a withheld video', async () => {
      const task = await tasks.queued();
      await tasks.bookHold(task);
      present(await tasks.store.finish(task, endOf('failed', 300n), RECORD));
      expect(await tasks.position()).toMatchObject({ customer: 5_200n, taskHolds: 0n });
    });

    it('is zero for a test key', async () => {
      const task = await tasks.queued({ isTest: true, holdNanoUsd: '0' });
      expect(await tasks.bookHold(task)).toMatchObject({ newRequests: 1 });
      present(await tasks.store.finish(task, endOf('succeeded', 0n), RECORD));
      expect(await tasks.position()).toEqual({ customer: 5_000n, escrow: 5_000n, taskHolds: 0n });
    });

    it('is not booked without its task or with another amount', async () => {
      const task = await tasks.queued();
      await expect(tasks.bookHold({ ...task, holdNanoUsd: 499n })).rejects.toThrow('no task holds');
      await expect(tasks.bookHold({ ...task, requestId: sampleTask('a', 'b').requestId })).rejects.toThrow(
        'no task holds',
      );
      expect(await tasks.position()).toMatchObject({ taskHolds: 0n });
    });

    it('has one receipt: an event of the edge about the same request writes none', async () => {
      const task = await tasks.submitting();
      const failed = sampleEvent(tasks.accountId, 0n, {
        requestId: task.requestId,
        outcome: 'failed',
        endpoint: 'videos.generations',
      });
      const epoch = (await activeEpoch(test.database)) ?? 0n;
      await recordSettlements(test.database, [{ streamId: '1-1', event: failed }], epoch);
      expect(await findSettlement(test.database, tasks.accountId, task.requestId)).toBeNull();
      expect(await checkTaskHolds(test.database, 3_600_000)).toEqual(ALL_WELL);
    });

    it('costs nothing if the request already has a receipt', async () => {
      const task = await tasks.queued();
      await tasks.bookHold(task);
      await test.database.prisma.settlement.create({
        data: {
          requestId: task.requestId,
          accountId: tasks.accountId,
          keyId: tasks.keyId,
          endpoint: 'videos.generations',
          model: task.model,
          outcome: 'failed',
          holdNanoUsd: 500n,
          costNanoUsd: 0n,
          priceVersion: task.priceVersion,
          unitPrices: {},
          units: {},
          isEstimated: false,
          attempts: [],
          schemaVersion: 1,
          admittedAt: new Date(),
          settledAt: new Date(),
          streamEntryId: '1-1',
          epoch: 1n,
        },
      });
      expect(await tasks.store.finish(task, endOf('succeeded', 300n), RECORD)).toMatchObject({ costNanoUsd: 0n });
      expect(await tasks.position()).toEqual({ customer: 5_500n, escrow: 4_500n, taskHolds: 0n });
    });
  });

  describe('the end of a task', () => {
    it('happens once among concurrent calls', async () => {
      const task = await tasks.queued();
      await tasks.bookHold(task);
      const ends = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          tasks.store.finish(task, index % 2 === 0 ? endOf('succeeded', 300n) : endOf('failed'), RECORD),
        ),
      );
      expect(ends.filter((end) => end !== null)).toHaveLength(1);
      const last = await read(task.taskId);
      expect(await tasks.position()).toMatchObject({ taskHolds: 0n, customer: 5_500n - (last.costNanoUsd ?? 0n) });
      expect(await tasks.eventTypes(task.taskId)).toEqual(['video.task.queued', `video.task.${last.state}`]);
    });

    it('refuses a call with an older version of the task', async () => {
      const task = await tasks.queued();
      const note = { state: 'running', startedAtMs: 5_000, progress: 10, upstream: { id: 1 } } as const;
      const counts = { failures: 0, missCount: 0, nextPollMs: 1_000 };
      const noted = present(await tasks.store.recordPoll(task, { ...note, ...counts }, RECORD));
      expect(noted).toMatchObject({ state: 'running', startedAtMs: 5_000, progress: 10 });
      expect(await tasks.store.finish(task, endOf('failed'), RECORD)).toBeNull();
      expect(await tasks.store.finish(noted, endOf('failed'), RECORD)).not.toBeNull();
      expect(await tasks.store.recordPoll(noted, { ...note, ...counts }, RECORD)).toBeNull();
      expect(await tasks.eventTypes(task.taskId)).toEqual([
        'video.task.queued',
        'video.task.running',
        'video.task.failed',
      ]);
    });

    it('allows no further change', async () => {
      const task = await tasks.queued();
      present(await tasks.store.finish(task, endOf('succeeded', 1n), RECORD));
      const { prisma } = test.database;
      await expect(prisma.$executeRaw`UPDATE video_task SET progress = 3 WHERE id = ${task.taskId}`).rejects.toThrow(
        'has ended',
      );
      await expect(prisma.$executeRaw`DELETE FROM video_task WHERE id = ${task.taskId}`).rejects.toThrow(
        'is never deleted',
      );
    });
  });

  describe('a submission', () => {
    it('is stored once for a request, and once for an idempotency key', async () => {
      const task = sampleTask(tasks.accountId, tasks.keyId, { idempotencyKey: 'k', idempotencyFingerprint: 'f' });
      expect(await tasks.store.open(task, 1_000)).toMatchObject({ outcome: 'opened', task: { state: 'submitting' } });
      const other = sampleTask(tasks.accountId, tasks.keyId, { idempotencyKey: 'k', idempotencyFingerprint: 'g' });
      const repeated = await tasks.store.open(other, 1_000);
      expect(repeated).toMatchObject({ outcome: 'exists', task: { taskId: task.taskId, idempotencyFingerprint: 'f' } });
      const ofTest = { ...sampleTask(tasks.accountId, tasks.keyId, { idempotencyKey: 'k' }), isTest: true };
      expect(await tasks.store.open({ ...ofTest, holdNanoUsd: '0' }, 1_000)).toMatchObject({ outcome: 'opened' });
    });

    it('releases the idempotency key if the upstream refused it, and only then', async () => {
      const task = await tasks.submitting({ idempotencyKey: 'again', idempotencyFingerprint: 'f' });
      present(await tasks.store.finish(task, endOf('failed', 0n, { freesIdempotencyKey: true }), RECORD));
      const second = await tasks.submitting({ idempotencyKey: 'again', idempotencyFingerprint: 'f' });
      present(await tasks.store.finish(second, endOf('failed'), RECORD));
      const third = sampleTask(tasks.accountId, tasks.keyId, { idempotencyKey: 'again' });
      expect(await tasks.store.open(third, 1_000)).toMatchObject({ outcome: 'exists' });
    });

    it('is refused once its request is settled', async () => {
      const task = sampleTask(tasks.accountId, tasks.keyId);
      const failed = sampleEvent(tasks.accountId, 0n, { requestId: task.requestId, outcome: 'failed' });
      const epoch = (await activeEpoch(test.database)) ?? 0n;
      await recordSettlements(test.database, [{ streamId: '1-2', event: failed }], epoch);
      expect(await tasks.store.open(task, 1_000)).toEqual({ outcome: 'settled' });
    });

    it('with an unknown result continues once its upstream task is found', async () => {
      const task = await tasks.submitting();
      const lost = present(await tasks.store.recordUnknownSubmission(task, [], 0));
      expect(lost).toMatchObject({ state: 'submit_unknown', prompt: 'a cat' });
      const found = { upstreamTaskId: 'u', publicId: 'cgt-1', attempts: [], nextPollMs: 0, record: RECORD };
      expect(await tasks.store.accept(lost, found)).toMatchObject({ state: 'queued', publicId: 'cgt-1', prompt: null });
    });

    it('is found by the sweep once the lease of its worker has ended', async () => {
      const opened = await tasks.store.open(sampleTask(tasks.accountId, tasks.keyId), 0);
      if (opened.outcome !== 'opened') throw new Error('not opened');
      const abandoned = await tasks.store.abandoned(100);
      expect(abandoned.map(({ taskId }) => taskId)).toContain(opened.task.taskId);
    });
  });

  describe('a poll', () => {
    it('is claimed by one worker at a time', async () => {
      const task = await tasks.queued();
      const claims = await Promise.all(
        Array.from({ length: 8 }, (_, index) => tasks.store.claimPoll(task.taskId, `worker-${index}`, 60_000)),
      );
      const [winner, ...rest] = claims.filter((claim) => claim !== null);
      expect(rest).toEqual([]);
      expect(await tasks.store.postponePoll(task.taskId, 'another-worker', 0)).toBeNull();
      expect(await tasks.store.overdue({ graceMs: 0, limit: 1_000 })).not.toContainEqual(
        expect.objectContaining({ taskId: task.taskId }),
      );
      const postponed = present(await tasks.store.postponePoll(task.taskId, winner?.leaseOwner ?? '', 0));
      expect(postponed.pollNumber).toBe(task.pollNumber + 1);
      expect(await tasks.store.overdue({ graceMs: 0, limit: 1_000 })).toContainEqual({
        taskId: task.taskId,
        vendor: 'dashscope',
        pollNumber: postponed.pollNumber,
      });
    });

    it('reports by how much the clock of its worker is ahead', async () => {
      const task = await tasks.queued();
      const real = Date.now.bind(Date);
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => real() + 3 * 3_600_000);
      try {
        const claimed = present(await tasks.store.claimPoll(task.taskId, 'worker', 60_000));
        const found = present(await tasks.store.find(task.taskId));
        for (const seen of [claimed, found]) {
          expect(Math.round(seen.clockAheadMs / 3_600_000)).toBe(3);
          expect(Math.abs(taskTimeMs(seen) - real())).toBeLessThan(600_000);
        }
      } finally {
        clock.mockRestore();
      }
    });

    it('shares a statement with others, yet has one owner and is recorded once', async () => {
      const many = await Promise.all(Array.from({ length: 40 }, () => tasks.queued()));
      const stores = [tasks.store, openTaskStore(test.database)];
      const quiet = { startedAtMs: null, upstream: null, failures: 0, missCount: 0, nextPollMs: 60_000 };
      for (let round = 1; round <= 5; round += 1) {
        // Two workers claim from both ends; in the last round every third task starts running.
        const claims = await Promise.all(
          stores.flatMap((store, at) =>
            (at === 0 ? many : many.toReversed()).map(({ taskId }) => store.claimPoll(taskId, `worker-${at}`, 60_000)),
          ),
        );
        const taken = claims.filter((claim) => claim !== null);
        expect(new Set(taken.map(({ taskId }) => taskId)).size).toBe(many.length);
        expect(taken).toHaveLength(many.length);
        const stateOf = ({ taskId }: WorkerVideoTask) =>
          round === 5 && many.findIndex((task) => task.taskId === taskId) % 3 === 0 ? 'running' : 'queued';
        const noted = await Promise.all(
          taken.flatMap((task) => {
            const note = { ...quiet, state: stateOf(task), progress: round } as const;
            return stores.map((store) => store.recordPoll(task, note, RECORD));
          }),
        );
        expect(noted.filter((task) => task !== null)).toHaveLength(many.length);
      }
      for (const [at, { taskId, version, pollNumber }] of many.entries()) {
        expect(await read(taskId)).toMatchObject({
          state: at % 3 === 0 ? 'running' : 'queued',
          version: version + 5,
          pollNumber: pollNumber + 5,
          progress: 5,
          leaseOwner: null,
        });
        const begun = at % 3 === 0 ? ['video.task.running'] : [];
        expect(await tasks.eventTypes(taskId)).toEqual(['video.task.queued', ...begun]);
      }
    });

    it('is found by the sweep although many polls of another vendor are overdue', async () => {
      for (let count = 0; count < 3; count += 1) await tasks.queued();
      const { taskId } = await tasks.queued({ vendor: 'ark' });
      const overdue = await tasks.store.overdue({ graceMs: 0, limit: 2 });
      expect(overdue.map((task) => task.vendor).sort()).toEqual(['ark', 'dashscope', 'dashscope']);
      expect(overdue.map((task) => task.taskId)).toContain(taskId);
    });

    it('counts as open on its channel until the task ends', async () => {
      const before = (await tasks.store.countOpenByChannel()).get('channel-1') ?? 0;
      const task = await tasks.queued();
      expect((await tasks.store.countOpenByChannel()).get('channel-1')).toBe(before + 1);
      present(await tasks.store.finish(task, endOf('failed'), RECORD));
      expect((await tasks.store.countOpenByChannel()).get('channel-1') ?? 0).toBe(before);
    });

    it('is claimed again after its worker died', async () => {
      const task = await tasks.queued();
      present(await tasks.store.claimPoll(task.taskId, 'dead', 0));
      expect(await tasks.store.claimPoll(task.taskId, 'alive', 60_000)).toMatchObject({ leaseOwner: 'alive' });
    });

    it('never returns a running task to the queue, and dates misses from the first one', async () => {
      const task = await tasks.queued();
      const note = { startedAtMs: null, progress: null, upstream: null, failures: 0, nextPollMs: 0 };
      const running = present(await tasks.store.recordPoll(task, { ...note, state: 'running', missCount: 0 }, RECORD));
      const again = present(await tasks.store.recordPoll(running, { ...note, state: 'queued', missCount: 1 }, RECORD));
      expect(again).toMatchObject({ state: 'running', missCount: 1 });
      const more = present(await tasks.store.recordPoll(again, { ...note, state: null, missCount: 2 }, RECORD));
      expect(more.firstMissAtMs).toBe(again.firstMissAtMs);
      expect(await tasks.store.recordPoll(more, { ...note, state: 'running', missCount: 0 }, RECORD)).toMatchObject({
        firstMissAtMs: null,
      });
    });
  });

  describe('openTaskReader', () => {
    const reader = () => ({ accountId: tasks.accountId, onlyTest: false });
    let opened: TaskReader;
    const directory = () => opened;

    beforeAll(() => {
      const onError = (error: Error) => {
        throw error;
      };
      opened = openTaskReader({ databaseUrl: test.url, poolSize: 2, applicationName: 'reader', onError });
    });

    afterAll(() => opened.close());

    it('finds the account’s tasks by id or public id; a test key finds test tasks only', async () => {
      const task = await tasks.queued();
      const free = await tasks.queued({ isTest: true, holdNanoUsd: '0' });
      expect(await directory().findTask(reader(), task.taskId)).toMatchObject({ taskId: task.taskId });
      expect(await directory().findTask({ ...reader(), onlyTest: true }, task.taskId)).toBeNull();
      expect(await directory().findTask({ ...reader(), onlyTest: true }, free.taskId)).not.toBeNull();
      const stranger = { accountId: await test.account(), onlyTest: false };
      expect(await directory().findTask(stranger, task.taskId)).toBeNull();
      expect(await directory().requestCancel(stranger, task.taskId)).toBeNull();
      expect(await directory().eventsAfter(tasks.accountId, task.taskId, { after: null, limit: 5 })).toMatchObject([
        { type: 'video.task.queued', subject: task.taskId },
      ]);
    });

    it('lists pages in both orders, without gaps or repetitions', async () => {
      const made: Awaited<ReturnType<typeof tasks.queued>>[] = [];
      for (const createdAtMs of [1_000, 1_000, 1_000, 2_000, 3_000]) made.push(await tasks.queued({ createdAtMs }));
      const listed = async (order: 'asc' | 'desc') => {
        const seen: string[] = [];
        for (;;) {
          const after = made.find(({ taskId }) => taskId === seen.at(-1)) ?? null;
          const page = await directory().listTasks(reader(), { after, limit: 2, order });
          seen.push(...page.map(({ taskId }) => taskId));
          if (page.length < 2) return seen;
        }
      };
      const newest = await listed('desc');
      expect(new Set(newest)).toEqual(new Set(made.map(({ taskId }) => taskId)));
      expect(newest).toHaveLength(5);
      expect(newest[0]).toBe(made[4]?.taskId);
      expect(await listed('asc')).toEqual([...newest].reverse());
      expect(await directory().listTasks(reader(), { after: null, limit: 9, status: 'queued' })).toHaveLength(5);
      expect(await directory().listTasks(reader(), { after: null, limit: 9, models: ['grok-video'] })).toEqual([]);
      expect(await directory().listTasks(reader(), { after: null, limit: 9, models: [] })).toEqual([]);
    });

    it('requests cancellation until the task has ended', async () => {
      const task = await tasks.queued();
      const requested = present(await directory().requestCancel(reader(), task.taskId));
      expect(requested).toMatchObject({ cancelOutcome: 'pending' });
      expect(await directory().requestCancel(reader(), task.taskId)).toMatchObject({ version: requested.version });
      const refused = present(await tasks.store.recordCancelRefused(requested));
      const again = present(await directory().requestCancel(reader(), task.taskId));
      expect(again).toMatchObject({
        cancelOutcome: 'pending',
        cancelRequestedAtMs: requested.cancelRequestedAtMs,
        version: refused.version + 1,
      });
      const ended = present(await tasks.store.finish(again, endOf('cancelled'), RECORD));
      expect(ended).toMatchObject({ state: 'cancelled', cancelOutcome: 'cancelled' });
      expect(await directory().requestCancel(reader(), task.taskId)).toEqual(ended);
    });
  });
});
