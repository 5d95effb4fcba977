import { type AccountId, type KeyId, newKeyId, type RequestId, taskIdOf } from '@gateway/contracts';
import { createKey, findKeyBySha256, openTaskStore, type TaskStore, type WorkerVideoTask } from '@gateway/postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BillingResources } from '../resources.js';
import { openStages } from '../test-support/open-stages.js';
import { checkedPosition, sampleAdmission, settlementForAdmission, TestBilling } from '../test-support/test-billing.js';

const { signal } = new AbortController();
const FRESH_ONLY = { blockMs: 1, staleAfterMs: 3_600_000 };
const HOLD = 30n;

describe('the holds of tasks', () => {
  let test: TestBilling;
  let resources: BillingResources;
  let billing: ReturnType<typeof openStages>;
  let tasks: TaskStore;

  beforeAll(async () => {
    test = await TestBilling.open();
    resources = await test.resources();
    tasks = openTaskStore(resources.database);
  });

  beforeEach(async () => {
    await test.loseRedis(resources);
    billing = openStages(resources);
    await billing.followEpoch.follow();
  });

  afterAll(() => test.close());

  /** An admitted request with a stored task, right before its submission. */
  async function running(keyId?: string): Promise<{
    accountId: AccountId;
    task: WorkerVideoTask;
    hold: () => Promise<unknown>;
  }> {
    const accountId = await test.account(resources, 100n);
    await billing.grantEscrow.grant(accountId, 80n);
    const sample = sampleAdmission(accountId, HOLD);
    const request = { ...sample, keyId: (keyId ?? sample.keyId) as KeyId };
    await resources.admissionStore.admit(request);
    const opened = await tasks.open(
      {
        taskId: taskIdOf(request.requestId as RequestId),
        requestId: request.requestId as RequestId,
        accountId,
        keyId: request.keyId as KeyId,
        isTest: false,
        model: 'wn2.7-t2v',
        vendor: 'dashscope',
        durationSeconds: 5,
        resolution: '720p',
        aspectRatio: '16:9',
        unit: 'second_720p',
        priceVersion: 'wn2.7-t2v@2026-01-01',
        unitPrices: { second_720p: '100' },
        holdNanoUsd: HOLD.toString(),
        prompt: null,
        webhookUrl: null,
        idempotencyKey: null,
        idempotencyFingerprint: null,
        createdAtMs: Date.now(),
        expiresAtMs: Date.now() + 3_600_000,
        traceparent: null,
      },
      60_000,
    );
    if (opened.outcome !== 'opened') throw new Error(`a new task is ${opened.outcome}`);
    const task = await tasks.recordSubmission(opened.task, 'channel', 60_000);
    if (task === null) throw new Error('the task has changed');
    const event = {
      ...settlementForAdmission(request, HOLD),
      endpoint: 'videos.generations',
      outcome: 'held' as const,
    };
    return { accountId, task, hold: () => resources.admissionStore.settle(event) };
  }

  const end = async (task: WorkerVideoTask, costNanoUsd: bigint): Promise<void> => {
    const accepted = await tasks.accept(task, {
      upstreamTaskId: `up-${task.taskId}`,
      publicId: task.taskId,
      attempts: [],
      nextPollMs: 60_000,
      record: {},
    });
    if (accepted === null) throw new Error('the task has changed');
    const ended = await tasks.finish(
      accepted,
      {
        state: costNanoUsd === 0n ? 'failed' : 'succeeded',
        outcome: costNanoUsd === 0n ? 'failed' : 'completed',
        costNanoUsd: costNanoUsd.toString(),
        vendorCostNanoUsd: null,
        units: { second_720p: 1 },
        finishedAtMs: Date.now(),
        startedAtMs: null,
        content: null,
        usage: null,
        seed: null,
        error: null,
        upstream: null,
        attempts: [],
        cancelOutcome: 'refused',
        freesIdempotencyKey: false,
      },
      { cost: '0.00' },
    );
    if (ended === null) throw new Error('the task has changed');
  };

  const shown = (accountId: string) => billing.balanceReader.read(accountId);
  const held = { balanceNanoUsd: 100n, heldNanoUsd: HOLD, availableNanoUsd: 100n - HOLD };

  it('are one amount to a customer, also in transit', async () => {
    const { accountId, task, hold } = await running();
    expect(await shown(accountId)).toEqual(held);
    await hold();
    expect(await shown(accountId)).toEqual(held);
    await billing.consumeUsage.consume(FRESH_ONLY, signal);
    expect(await shown(accountId)).toEqual(held);
    await end(task, 12n);
    expect(await shown(accountId)).toEqual({ balanceNanoUsd: 88n, heldNanoUsd: 0n, availableNanoUsd: 88n });
    expect(await checkedPosition(resources.database, accountId)).toMatchObject({ taskHoldsNanoUsd: 0n });
  });

  it('balance, in any order of hold and end', async () => {
    const { accountId, task, hold } = await running();
    await hold();
    await end(task, 12n);
    expect(await billing.reconcile.round(Date.now())).toMatchObject({ driftNanoUsd: 0n, unsettledEvents: 1 });
    await billing.consumeUsage.consume(FRESH_ONLY, signal);
    expect(await shown(accountId)).toEqual({ balanceNanoUsd: 88n, heldNanoUsd: 0n, availableNanoUsd: 88n });
    const { customerNanoUsd, escrowNanoUsd } = await checkedPosition(resources.database, accountId);
    expect(customerNanoUsd + escrowNanoUsd).toBe(88n);
    expect(await billing.reconcile.round(Date.now())).toMatchObject({
      unsettledEvents: 0,
      parkedEvents: 0,
      ledgerImbalanceNanoUsd: 0n,
      taskHolds: { driftNanoUsd: 0n, unbookedHolds: 0, endedWithoutReceipt: 0 },
    });
  });

  it('are adopted after Redis lost them, so that no customer spends them twice', async () => {
    const { accountId, task, hold } = await running();
    await hold();
    await test.loseRedis(resources);
    await billing.followEpoch.follow();
    expect(await shown(accountId)).toEqual({ balanceNanoUsd: 100n, heldNanoUsd: 0n, availableNanoUsd: 100n });
    await billing.adoptTaskHolds.adopt(0);
    expect(await shown(accountId)).toEqual(held);
    const metrics = await billing.registry.metrics();
    expect(metrics).toMatch(/^gateway_adopted_task_holds_total\{service="billing"\} 1$/m);
    await end(task, 0n);
    expect(await shown(accountId)).toEqual({ balanceNanoUsd: 100n, heldNanoUsd: 0n, availableNanoUsd: 100n });
  });

  it('count against the cap of their key once adopted, whatever the cache contains', async () => {
    const settings = { name: 'k', models: [], endpoints: [], allowedIps: [], scopes: [], caps: [], expiresAt: null };
    const limits = { requestsPerMinute: null, concurrency: null, keepContents: false };
    const capped = async (spendCapNanoUsd: bigint | null) => {
      const accountId = await test.account(resources, 1n);
      const id = newKeyId();
      const key = { id, accountId, sha256: `sha-${id}`, prefix: 'sk-a…b', isTest: false };
      await createKey(resources.database, key, { ...settings, ...limits, spendCapNanoUsd });
      const record = await findKeyBySha256(resources.database, key.sha256);
      if (record === null) throw new Error('there is no such key');
      return { ...key, record };
    };
    const [key, free] = [await capped(40n), await capped(null)];
    await running(key.id);
    await running(free.id);
    await test.loseRedis(resources);
    await billing.followEpoch.follow();
    for (const { record } of [key, free]) await resources.keyCache.set(record);
    await billing.adoptTaskHolds.adopt(0);
    expect(await resources.keyCache.get(free.sha256)).toEqual(free.record);
    expect(await resources.keyCache.get(key.sha256)).toBeUndefined();
    const { spendCap } = (await findKeyBySha256(resources.database, key.sha256)) ?? {};
    expect(spendCap).toMatchObject({ capNanoUsd: '40', spentNanoUsd: HOLD.toString() });
  });

  it('are returned in Redis when the event of an adopted hold arrives', async () => {
    const { accountId, hold } = await running();
    await hold();
    await billing.adoptTaskHolds.adopt(0);
    await billing.consumeUsage.consume(FRESH_ONLY, signal);
    expect(await shown(accountId)).toEqual(held);
    expect(await billing.reconcile.round(Date.now())).toMatchObject({ driftNanoUsd: 0n, unsettledEvents: 0 });
  });
});
