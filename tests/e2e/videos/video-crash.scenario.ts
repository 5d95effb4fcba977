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
/** BullMQ checks every five seconds for jobs whose worker has died. */
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

/**
 * Starts a worker with a failpoint. Tasks that are already due may kill it before it reports ready: undefined then. Any other end
 * is an error.
 */
async function addMortalWorker(env: Readonly<Record<string, string>>): Promise<ServiceInstance | undefined> {
  try {
    return await addWorker(env);
  } catch (error) {
    if (!/ended with signal SIGKILL before it was ready/.test(String(error))) throw error;
    return undefined;
  }
}

const untilDead = (worker: ServiceInstance): Promise<void> =>
  eventually(async () => expect(worker.isRunning).toBe(false), { withinMs: RECOVERED_WITHIN_MS, intervalMs: 50 });

describe('a worker that is killed in the middle of a submission', () => {
  let kit: TasksKit;
  const texts = new Map<string, string>();
  const ids = new Map<string, string>();

  beforeAll(async () => {
    kit = await TasksKit.open(stack, WAN);
    for (const step of ['after-row', 'after-hold', 'before-post', 'after-post', 'after-accept', 'after-poll-job']) {
      const worker = await addWorker({ STAGES: 'submit', FAILPOINTS: step });
      const text = kit.mark('task_seconds=2');
      const response = await kit.submit(text, {}, { 'idempotency-key': step });
      expect({ step, status: response.status }).toEqual({ step, status: 502 });
      await untilDead(worker);
      texts.set(step, text);
      ids.set(step, String(/task_[a-z2-7]{26}/.exec(response.text)?.[0]));
    }
    await addWorker();
  });

  it.each(['after-row', 'after-hold'])('at %s fails the task at no cost: no upstream was called', async (step) => {
    const task = await kit.ended(String(ids.get(step)), RECOVERED_WITHIN_MS);
    expect(task).toMatchObject({ status: 'failed', cost: '0.00', error: { code: 'worker_lost' } });
    expect(await kit.receipt(task)).toMatchObject({ outcome: 'failed', costNanoUsd: 0n });
    expect(await kit.upstream(String(texts.get(step)))).toEqual([]);
  });

  it('at before-post fails the task at no cost once no upstream lists it', async () => {
    const task = await kit.ended(String(ids.get('before-post')), RECOVERED_WITHIN_MS);
    expect(task).toMatchObject({ status: 'failed', cost: '0.00', error: { code: 'submission_lost' } });
    await kit.receipt(task);
    expect(await kit.upstream(String(texts.get('before-post')))).toEqual([]);
  });

  it.each(['after-post', 'after-accept', 'after-poll-job'])(
    'at %s finds the upstream task, which is created once and paid once',
    async (step) => {
      const task = await kit.ended(String(ids.get(step)), RECOVERED_WITHIN_MS);
      expect(task).toMatchObject({ status: 'succeeded', cost: '0.50' });
      await kit.receipt(task);
      await kit.theOneUpstream(String(texts.get(step)));
    },
  );

  it('leaves a ledger that equals the upstream’s invoice', async () => {
    await kit.expectPaidAsBilled([...texts.values()]);
    await expectConsistentLedger(stack, [kit.customer]);
  });

  it('frees an idempotency key only if no upstream was called', async () => {
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

describe('a worker that is killed while it polls tasks', () => {
  it('at any step leaves every task to the next worker, which ends it once', async () => {
    const kit = await TasksKit.open(stack, SEEDANCE);
    for (const worker of workers) if (worker.isRunning) await worker.stop();
    const submitter = await addWorker({ STAGES: 'submit' });
    const tasks: { readonly id: string; readonly text: string }[] = [];
    for (const step of ['before-poll', 'after-poll', 'before-finish', 'after-finish']) {
      const worker = await addMortalWorker({ STAGES: 'poll', FAILPOINTS: step });
      for (let count = 0; count < 3; count += 1) {
        const text = kit.mark('task_seconds=1');
        tasks.push({ id: await kit.accepted(text), text });
      }
      if (worker !== undefined) await untilDead(worker);
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

  it('loses only poll jobs: every task ends and is paid once', async () => {
    const kit = await TasksKit.open(stack, SEEDANCE);
    // The tests before may have ended without a worker.
    if (!workers.some(({ isRunning }) => isRunning)) await addWorker();
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
