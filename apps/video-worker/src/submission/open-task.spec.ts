import { MODELS } from '@gateway/catalogue';
import { newAccountId, newKeyId, newRequestId, type SyncTicket } from '@gateway/contracts';
import type { TaskStore } from '@gateway/postgres';
import { describe, expect, it, jest } from '@jest/globals';
import { FakeThreads } from '../test-support/fake-threads.js';
import { fake, task } from '../test-support/fakes.js';
import type { WorkerConfig } from '../tokens.js';
import { ReceiveSubmission } from './in-thread/receive-submission.service.js';
import { OpenTask } from './open-task.service.js';

const MODEL = MODELS.find(({ video }) => video?.protocol === 'dashscope-video');

const TICKET = {
  requestId: newRequestId(),
  accountId: newAccountId(),
  keyId: newKeyId(),
  endpoint: 'videos.generations',
  model: MODEL?.id,
  price: { version: `${MODEL?.id}@2026-01-01`, perMillion: { second_720p: '100000' } },
  holdNanoUsd: '500',
  admittedAtMs: 1,
} as unknown as SyncTicket;

const bodyOf = (changes: object = {}) =>
  Buffer.from(
    JSON.stringify({
      schemaVersion: 1,
      taskId: 'task_1',
      durationSeconds: 5,
      resolution: '720p',
      aspectRatio: '16:9',
      unit: 'second_720p',
      input: { prompt: 'A boat', img_url: 'A'.repeat(2 * 1024 * 1024) },
      parameters: { seed: 7 },
      ...changes,
    }),
  );

function setUp(open: TaskStore['open']) {
  const threads = new FakeThreads();
  const opening = new OpenTask(fake<TaskStore>({ open }), new ReceiveSubmission(threads), fake<WorkerConfig>({}));
  return { threads, open: (ticket: SyncTicket, body: Buffer) => opening.open({ ticket, body, traceparent: null }, 1) };
}

describe('OpenTask', () => {
  it('stores the facts of a long submission, which stays in its thread', async () => {
    const rows: object[] = [];
    const { threads, open } = setUp(async (row) => {
      rows.push(row);
      return { outcome: 'opened', task: task() };
    });
    const { submission } = await open(TICKET, bodyOf());
    expect(rows).toMatchObject([{ prompt: 'A boat', seed: 7, durationSeconds: 5, unit: 'second_720p' }]);
    expect(threads.sessionCount).toBe(1);
    submission.close();
    expect(threads.sessionCount).toBe(0);
  });

  it('frees the thread if the task is not stored', async () => {
    const settled = setUp(async () => ({ outcome: 'settled' }) as never);
    await expect(settled.open(TICKET, bodyOf())).rejects.toMatchObject({ code: 'client_closed_request' });
    const broken = setUp(() => Promise.reject(new Error('no database')));
    await expect(broken.open(TICKET, bodyOf())).rejects.toThrow('no database');
    expect([settled.threads.sessionCount, broken.threads.sessionCount]).toEqual([0, 0]);
  });

  it('waits five seconds for a silent PostgreSQL', async () => {
    jest.useFakeTimers();
    const { threads, open } = setUp(() => new Promise(() => undefined));
    const refused = expect(open(TICKET, bodyOf())).rejects.toMatchObject({ code: 'service_unavailable' });
    await jest.advanceTimersByTimeAsync(5_000);
    await refused;
    jest.useRealTimers();
    expect(threads.sessionCount).toBe(0);
  });

  it('asks to come back for what only a newer worker knows', async () => {
    const { threads, open } = setUp(() => Promise.reject(new Error('not reached')));
    const later = { code: 'upstream_unavailable', details: { retryAfterMs: 5_000 } };
    await expect(open({ ...TICKET, model: 'no-such-model' }, bodyOf())).rejects.toMatchObject(later);
    await expect(open({ ...TICKET, endpoint: 'videos.edits' }, bodyOf())).rejects.toMatchObject(later);
    await expect(open(TICKET, bodyOf({ schemaVersion: 2 }))).rejects.toMatchObject(later);
    expect(threads.sessionCount).toBe(0);
  });
});
