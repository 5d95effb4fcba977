import { newRequestId, taskIdOf } from '@gateway/contracts';
import { eventually, startTestStack } from '@gateway/testing';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ServiceInstance } from '../../../infra/local/stack.mjs';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { TasksKit } from './task-requests.js';

jest.setTimeout(180_000);

const QUICK = {
  POLL_FASTEST_MS: '100',
  POLL_SLOWEST_MS: '500',
  SWEEP_EVERY_MS: '500',
  SUBMIT_TIMEOUT_MS: '5000',
  POLL_TIMEOUT_MS: '3000',
  UNKNOWN_AFTER_MS: '1500',
  POLLS_PER_SECOND: JSON.stringify({ dashscope: 18, ark: 500 }),
};
/** A dead worker's alarm rings again once its lock has gone: BullMQ looks for such every five seconds. */
const RECOVERED_WITHIN_MS = 60_000;

const stack = await startTestStack({
  restrictServices: true,
  services: ['upstream-simulator', 'billing', 'api-edge'],
});
afterAll(() => stack.stop());

const WAN = 'wn2.7-t2v';
const SEEDANCE = 'seedance-1.5-pro';

const workers: ServiceInstance[] = [];

async function addWorker(env: Readonly<Record<string, string>> = {}): Promise<ServiceInstance> {
  const worker = await stack.system.add('video-worker', { ...QUICK, ...env });
  workers.push(worker);
  return worker;
}

const untilDead = (worker: ServiceInstance): Promise<void> =>
  eventually(async () => expect(worker.isRunning).toBe(false), { withinMs: RECOVERED_WITHIN_MS, intervalMs: 50 });

describe('a worker that is killed in the middle of a submission', () => {
  let kit: TasksKit;
  const texts = new Map<string, string>();
  const ids = new Map<string, string>();

  beforeAll(async () => {
    kit = await TasksKit.open(stack, WAN);
    for (const step of ['after-row', 'after-hold', 'before-post', 'after-post', 'after-accept', 'after-alarm']) {
      const worker = await addWorker({ STAGES: 'submit', FAILPOINTS: step });
      const text = kit.mark('task_seconds=2');
      const answer = await kit.submit(text, {}, { 'idempotency-key': step });
      expect({ step, status: answer.status }).toEqual({ step, status: 502 });
      await untilDead(worker);
      texts.set(step, text);
      ids.set(step, String(/task_[a-z2-7]{26}/.exec(answer.text)?.[0]));
    }
    await addWorker();
  });

  it.each(['after-row', 'after-hold'])('%s has asked nobody: the task has failed, for nothing', async (step) => {
    const task = await kit.ended(String(ids.get(step)), RECOVERED_WITHIN_MS);
    expect(task).toMatchObject({ status: 'failed', cost: '0.00', error: { code: 'worker_lost' } });
    expect(await kit.receipt(task)).toMatchObject({ outcome: 'failed', costNanoUsd: 0n });
    expect(await kit.upstream(String(texts.get(step)))).toEqual([]);
  });

  it('before-post may have asked: the task is looked for, is nowhere, and has failed, for nothing', async () => {
    const task = await kit.ended(String(ids.get('before-post')), RECOVERED_WITHIN_MS);
    expect(task).toMatchObject({ status: 'failed', cost: '0.00', error: { code: 'submission_lost' } });
    await kit.receipt(task);
    expect(await kit.upstream(String(texts.get('before-post')))).toEqual([]);
  });

  it.each(['after-post', 'after-accept', 'after-alarm'])(
    '%s has a task upstream: it is found, made once and paid for once',
    async (step) => {
      const task = await kit.ended(String(ids.get(step)), RECOVERED_WITHIN_MS);
      expect(task).toMatchObject({ status: 'succeeded', cost: '0.50' });
      await kit.receipt(task);
      await kit.theOneUpstream(String(texts.get(step)));
    },
  );

  it('leaves books that say the same as the upstream’s invoice', async () => {
    await kit.expectPaidAsBilled([...texts.values()]);
    await expectConsistentLedger(stack, [kit.customer]);
  });

  it('leaves idempotency keys free where nobody was asked, and bound to their tasks where somebody was', async () => {
    const text = kit.mark('task_seconds=1');
    const again = await kit.submit(text, {}, { 'idempotency-key': 'after-row' });
    expect(again.status).toBe(202);
    await kit.ended(again.json<{ id: string }>().id);
    const other = await kit.submit(kit.mark(), {}, { 'idempotency-key': 'after-accept' });
    expect(other.status).toBe(409);
    const same = await kit.submit(String(texts.get('after-accept')), {}, { 'idempotency-key': 'after-accept' });
    expect(same.status).toBe(202);
    expect(same.json()).toMatchObject({ id: ids.get('after-accept') });
    await kit.theOneUpstream(String(texts.get('after-accept')));
    await expectConsistentLedger(stack, [kit.customer]);
  });
});

describe('a worker that is killed while it looks at tasks', () => {
  it('at any step leaves every task to the next one, which ends it once', async () => {
    const kit = await TasksKit.open(stack, SEEDANCE);
    for (const worker of workers) if (worker.isRunning) await worker.stop();
    const submitter = await addWorker({ STAGES: 'submit' });
    const tasks: { readonly id: string; readonly text: string }[] = [];
    for (const step of ['before-poll', 'after-poll', 'before-finish', 'after-finish']) {
      const worker = await addWorker({ STAGES: 'poll', FAILPOINTS: step });
      for (let count = 0; count < 3; count += 1) {
        const text = kit.mark('task_seconds=1');
        tasks.push({ id: await kit.accepted(text), text });
      }
      await untilDead(worker);
    }
    await submitter.stop();
    await addWorker();
    for (const { id, text } of tasks) {
      const task = await kit.ended(id, RECOVERED_WITHIN_MS);
      expect(task).toMatchObject({ status: 'succeeded' });
      await kit.receipt(task);
      await kit.theOneUpstream(text);
    }
    expect(await stack.books.endsOf(kit.customer.accountId)).toEqual(tasks.map(() => 1));
    await expectConsistentLedger(stack, [kit.customer]);
  });
});

describe('a Redis that is emptied with a thousand tasks open', () => {
  const MANY = 1_000;
  const PAID = 20;

  it('takes nothing but their alarms: every task ends, and is paid for once', async () => {
    const kit = await TasksKit.open(stack, SEEDANCE);
    const texts = Array.from({ length: PAID }, () => kit.mark('task_seconds=6'));
    const ids = await Promise.all(texts.map((text) => kit.accepted(text)));
    const made = await stack.simulator.makeArkTasks(MANY - PAID, '{{sim task_seconds=6}} One of many', 'test-key');
    await stack.books.insertTestTasks(
      made
        .map((upstreamTaskId) => ({ requestId: newRequestId(), upstreamTaskId }))
        .map((task) => ({
          ...task,
          taskId: taskIdOf(task.requestId),
          accountId: kit.customer.accountId,
          keyId: kit.customer.keyId,
          channelId: 'ark-test',
          model: SEEDANCE,
          vendor: 'ark',
        })),
    );
    await stack.system.redis.flush();
    await eventually(async () => expect(await stack.books.openTasks(kit.customer.accountId)).toBe(0), {
      withinMs: RECOVERED_WITHIN_MS,
      intervalMs: 250,
    });
    expect(await stack.books.endsOf(kit.customer.accountId)).toEqual(Array.from({ length: MANY }, () => 1));
    for (const id of ids) {
      const task = await kit.read(id);
      expect(task).toMatchObject({ status: 'succeeded' });
      await kit.receipt(task);
    }
    await expectConsistentLedger(stack, [kit.customer]);
  });
});
