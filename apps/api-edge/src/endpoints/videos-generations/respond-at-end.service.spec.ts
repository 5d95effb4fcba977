import { GatewayError, renderVideoTask, type StoredVideoTask } from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import { describe, expect, it } from '@jest/globals';
import type { OpenWaits } from '../../follow-tasks/open-waits.service.js';
import type { ReadTasks } from '../../follow-tasks/read-tasks.service.js';
import type { WaitForTask } from '../../follow-tasks/wait-for-task.service.js';
import { FakeReply } from '../../test-support/edge-fakes.js';
import { storedTask, taskId } from '../../test-support/task-reader-in-memory.js';
import { BufferedAcceptance } from './buffered-acceptance.js';
import { RespondAtEnd } from './respond-at-end.service.js';

const ACCEPTANCE = JSON.stringify({ id: taskId(0), status: 'queued' });

function acceptance(text = ACCEPTANCE): BufferedAcceptance {
  const buffered = new BufferedAcceptance();
  buffered.write(Buffer.from(text.slice(0, 5)));
  buffered.end(text.slice(5));
  return buffered;
}

/** A wait that ends with this task, or fails. */
function responder(end: StoredVideoTask | Error) {
  const tasks = {
    find: async () => storedTask(0),
    record: (task: StoredVideoTask) => renderVideoTask(task, formatUsd),
  } as unknown as ReadTasks;
  const waitForTask = {
    until: async () => {
      if (end instanceof Error) throw end;
      return end;
    },
  } as unknown as WaitForTask;
  const openWaits = {
    run: (_reply: unknown, wait: (signal: AbortSignal) => Promise<unknown>) => wait(new AbortController().signal),
  } as unknown as OpenWaits;
  return new RespondAtEnd(tasks, waitForTask, openWaits);
}

const finished = storedTask(0, { state: 'succeeded', costNanoUsd: 500_000_000n, finishedAtMs: 1_795_168_900_000 });

describe('RespondAtEnd', () => {
  it('sends the finished task with its cost', async () => {
    const reply = new FakeReply();
    await responder(finished).respond(acceptance(), 1_000, reply.asReply);
    expect([reply.status, reply.body]).toMatchObject([200, { id: taskId(0), status: 'succeeded' }]);
    expect(Number(reply.sentHeaders['x-cost-usd'])).toBe(0.5);
    expect(reply.sentHeaders).not.toHaveProperty('x-held-usd');
  });

  it('sends the current state as 202 if the task has not ended in time', async () => {
    const reply = new FakeReply();
    const running = storedTask(0, { state: 'running', holdNanoUsd: 500_000_000n });
    await responder(running).respond(acceptance(), 1_000, reply.asReply);
    expect([reply.status, reply.body]).toMatchObject([202, { status: 'running' }]);
    expect(reply.sentHeaders).not.toHaveProperty('x-cost-usd');
    // The record does not say it.
    expect(reply.sentHeaders['x-held-usd']).toBe('0.50');
  });

  it('sends no cost for a replayed request', async () => {
    const reply = new FakeReply();
    reply.headers({ 'x-cost-usd': '0', 'idempotent-replayed': 'true' });
    await responder(finished).respond(acceptance(), 1_000, reply.asReply);
    expect(reply.sentHeaders['x-cost-usd']).toBe('0');
  });

  it('sends the acceptance if the wait fails: the task is accepted in any case', async () => {
    const reply = new FakeReply();
    const away = new GatewayError('service_unavailable', 'Tasks cannot be read.');
    await responder(away).respond(acceptance(), 1_000, reply.asReply);
    expect([reply.status, reply.body]).toEqual([202, ACCEPTANCE]);
  });

  it('does not hide an error of ours', async () => {
    const fault = new TypeError('a bug');
    await expect(responder(fault).respond(acceptance(), 1_000, new FakeReply().asReply)).rejects.toBe(fault);
  });

  it('sends nothing if the client has got a refusal', async () => {
    const reply = new FakeReply();
    await responder(finished).respond(new BufferedAcceptance(), 1_000, reply.asReply);
    expect(reply.body).toBeUndefined();
  });

  it('sends the acceptance as it is if it names no task', async () => {
    const reply = new FakeReply();
    await responder(finished).respond(acceptance('{"task":1}'), 1_000, reply.asReply);
    expect([reply.status, reply.body]).toEqual([202, '{"task":1}']);
  });
});
