import { newRequestId, taskIdOf } from '@gateway/contracts';
import { eventually, startTestStack } from '@gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServiceInstance } from '../../../infra/local/stack.mjs';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { TaskRequests } from './task-requests.js';

const QUICK = {
  POLL_FASTEST_MS: '100',
  POLL_SLOWEST_MS: '500',
  SWEEP_EVERY_MS: '500',
  SUBMIT_TIMEOUT_MS: '5000',
  POLL_TIMEOUT_MS: '3000',
  UNKNOWN_AFTER_MS: '1500',
  POLLS_PER_SECOND: JSON.stringify({ dashscope: 18, ark: 500 }),
};
/** BullMQ checks every five seconds for jobs whose worker has died. */
const RECOVERED_WITHIN_MS = 60_000;

const stack = await startTestStack({
  restrictServices: true,
  services: ['upstream-simulator', 'billing', 'accounts', 'api-edge'],
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

/**
 * Starts a worker with a failpoint. Tasks that are already due may kill it before it reports ready: undefined then. Any other end
 * is an error.
 */
async function addMortalWorker(env: Readonly<Record<string, string>>): Promise<ServiceInstance | undefined> {
  try {
    return await addWorker(env);
  } catch (error) {
    if (!/exited with signal SIGKILL before it was ready/.test(String(error))) throw error;
    return undefined;
  }
}

const waitUntilDead = (worker: ServiceInstance): Promise<void> =>
  eventually(async () => expect(worker.isRunning).toBe(false), { withinMs: RECOVERED_WITHIN_MS, intervalMs: 50 });

describe('a worker that is killed in the middle of a submission', () => {
  let taskRequests: TaskRequests;
  const texts = new Map<string, string>();
  const ids = new Map<string, string>();

  beforeAll(async () => {
    taskRequests = await TaskRequests.open(stack, WAN);
    for (const step of ['after-row', 'after-hold', 'before-post', 'after-post', 'after-accept', 'after-poll-job']) {
      const worker = await addWorker({ STAGES: 'submit', FAILPOINTS: step });
      const text = taskRequests.tag('task_seconds=2');
      const response = await taskRequests.submit(text, {}, { 'idempotency-key': step });
      expect({ step, status: response.status }).toEqual({ step, status: 502 });
      await waitUntilDead(worker);
      texts.set(step, text);
      ids.set(step, String(/task_\d{6}[a-z2-7]{20}/.exec(response.text)?.[0]));
    }
    await addWorker();
  });

  it.each(['after-row', 'after-hold'])('at %s fails the task at no cost: no upstream was called', async (step) => {
    const task = await taskRequests.waitUntilEnded(String(ids.get(step)), RECOVERED_WITHIN_MS);
    expect(task).toMatchObject({ status: 'failed', cost: '0.00', error: { code: 'worker_lost' } });
    expect(await taskRequests.receipt(task)).toMatchObject({ outcome: 'failed', costNanoUsd: 0n });
    expect(await taskRequests.upstreamTasks(String(texts.get(step)))).toEqual([]);
  });

  it('at before-post fails the task at no cost once no upstream lists it', async () => {
    const task = await taskRequests.waitUntilEnded(String(ids.get('before-post')), RECOVERED_WITHIN_MS);
    expect(task).toMatchObject({ status: 'failed', cost: '0.00', error: { code: 'submission_lost' } });
    await taskRequests.receipt(task);
    expect(await taskRequests.upstreamTasks(String(texts.get('before-post')))).toEqual([]);
  });

  it.each(['after-post', 'after-accept', 'after-poll-job'])(
    'at %s finds the upstream task, which is created once and paid once',
    async (step) => {
      const task = await taskRequests.waitUntilEnded(String(ids.get(step)), RECOVERED_WITHIN_MS);
      expect(task).toMatchObject({ status: 'succeeded', cost: '0.50' });
      await taskRequests.receipt(task);
      await taskRequests.onlyUpstreamTask(String(texts.get(step)));
    },
  );

  it('leaves a ledger that equals the upstream’s invoice', async () => {
    await taskRequests.expectPaidAsBilled([...texts.values()]);
    await expectConsistentLedger(stack, [taskRequests.customer]);
  });

  it('frees an idempotency key only if no upstream was called', async () => {
    const text = taskRequests.tag('task_seconds=1');
    const again = await taskRequests.submit(text, {}, { 'idempotency-key': 'after-row' });
    expect(again.status).toBe(202);
    await taskRequests.waitUntilEnded(again.json<{ id: string }>().id);
    const other = await taskRequests.submit(taskRequests.tag(), {}, { 'idempotency-key': 'after-accept' });
    expect(other.status).toBe(409);
    const same = await taskRequests.submit(
      String(texts.get('after-accept')),
      {},
      { 'idempotency-key': 'after-accept' },
    );
    expect(same.status).toBe(202);
    expect(same.json()).toMatchObject({ id: ids.get('after-accept') });
    await taskRequests.onlyUpstreamTask(String(texts.get('after-accept')));
    await expectConsistentLedger(stack, [taskRequests.customer]);
  });
});

describe('a worker that is killed while it polls tasks', () => {
  it('at any step leaves every task to the next worker, which ends it once', async () => {
    const taskRequests = await TaskRequests.open(stack, SEEDANCE);
    for (const worker of workers) if (worker.isRunning) await worker.stop();
    const submitter = await addWorker({ STAGES: 'submit' });
    const tasks: { readonly id: string; readonly text: string }[] = [];
    for (const step of ['before-poll', 'after-poll', 'before-finish', 'after-finish']) {
      const worker = await addMortalWorker({ STAGES: 'poll', FAILPOINTS: step });
      for (let count = 0; count < 3; count += 1) {
        const text = taskRequests.tag('task_seconds=1');
        tasks.push({ id: await taskRequests.accepted(text), text });
      }
      if (worker !== undefined) await waitUntilDead(worker);
    }
    await submitter.stop();
    await addWorker();
    for (const { id, text } of tasks) {
      const task = await taskRequests.waitUntilEnded(id, RECOVERED_WITHIN_MS);
      expect(task).toMatchObject({ status: 'succeeded' });
      await taskRequests.receipt(task);
      await taskRequests.onlyUpstreamTask(text);
    }
    expect(await stack.ledger.endsOf(taskRequests.customer.accountId)).toEqual(tasks.map(() => 1));
    await expectConsistentLedger(stack, [taskRequests.customer]);
  });
});

describe('a Redis that is emptied with a thousand tasks open', () => {
  const MANY = 1_000;
  const PAID = 20;

  it('loses only poll jobs: every task ends and is paid once', async () => {
    const taskRequests = await TaskRequests.open(stack, SEEDANCE);
    // The tests before may have ended without a worker.
    if (!workers.some(({ isRunning }) => isRunning)) await addWorker();
    const texts = Array.from({ length: PAID }, () => taskRequests.tag('task_seconds=6'));
    const ids = await Promise.all(texts.map((text) => taskRequests.accepted(text)));
    const made = await stack.simulator.createArkTasks(MANY - PAID, '{{sim task_seconds=6}} One of many', 'test-key');
    await stack.ledger.insertTestTasks(
      made
        .map((upstreamTaskId) => ({ requestId: newRequestId(), upstreamTaskId }))
        .map((task) => ({
          ...task,
          taskId: taskIdOf(task.requestId),
          accountId: taskRequests.customer.accountId,
          keyId: taskRequests.customer.keyId,
          channelId: 'ark-test',
          model: SEEDANCE,
          vendor: 'ark',
        })),
    );
    await stack.system.redis.flush();
    await eventually(async () => expect(await stack.ledger.openTasks(taskRequests.customer.accountId)).toBe(0), {
      withinMs: RECOVERED_WITHIN_MS,
      intervalMs: 250,
    });
    expect(await stack.ledger.endsOf(taskRequests.customer.accountId)).toEqual(Array.from({ length: MANY }, () => 1));
    for (const id of ids) {
      const task = await taskRequests.read(id);
      expect(task).toMatchObject({ status: 'succeeded' });
      await taskRequests.receipt(task);
    }
    await expectConsistentLedger(stack, [taskRequests.customer]);
  });
});
