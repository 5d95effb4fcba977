import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { FileAddresses, isGatewayError, type StoredVideoTask } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import type { PollQueue } from '@gateway/redis';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import { setCaller } from '../http/request-context.js';
import { keyOf, storedTask, TaskReaderInMemory, taskId } from '../test-support/task-reader-in-memory.js';
import type { EdgeConfig } from '../tokens.js';
import { CancelTask } from './cancel-task.service.js';
import { OpenWaits } from './open-waits.service.js';
import { ReadTasks } from './read-tasks.service.js';
import { StreamEvents } from './stream-events.service.js';
import { TaskChanges } from './task-changes.service.js';
import { WaitForTask } from './wait-for-task.service.js';

const ORIGIN = 'https://gateway.example';

const key = keyOf();
const never = new AbortController().signal;
const logged: unknown[] = [];
const logger = { warn: (...words: unknown[]) => logged.push(words) } as unknown as Logger;

let reader: TaskReaderInMemory;
let tasks: ReadTasks;
let changes: TaskChanges;
let waits: WaitForTask;

beforeEach(() => {
  reader = new TaskReaderInMemory();
  tasks = new ReadTasks(reader, new FileAddresses(['s'.repeat(32)]), { deleteResults: async () => 0 });
  changes = new TaskChanges();
  waits = new WaitForTask(tasks, changes);
  logged.length = 0;
});

async function refusalOf(run: () => Promise<unknown>): Promise<object> {
  try {
    await run();
  } catch (error) {
    if (isGatewayError(error)) return { status: error.row.status, ...error.toRecord() };
    throw error;
  }
  throw new Error('nothing was rejected');
}

describe('a task', () => {
  it('is found by either of its ids', async () => {
    reader.put(storedTask(0, { publicId: 'cgt-20261103101502-t8rzv' }));
    const found = await tasks.find(key, 'cgt-20261103101502-t8rzv');
    expect(await tasks.find(key, taskId(0))).toBe(found);
  });

  it.each([
    ['of another account', keyOf({ accountId: 'acct_b' as StoredVideoTask['accountId'] }), taskId(0)],
    ['that is real, for a test key', keyOf({ isTest: true }), taskId(0)],
    ['of a model that the key may not use', keyOf({ models: ['wn2.6-t2v'] }), taskId(0)],
    ['that does not exist', key, taskId(5)],
    ['with an id that no task can have', key, "task_' OR 1=1"],
    ['with an endless id', key, 'x'.repeat(5_000)],
  ])('%s is not found', async (_what, caller, id) => {
    reader.put(storedTask(0));
    expect(await refusalOf(() => tasks.find(caller, id))).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('is not shown to a key that may not use the endpoint', async () => {
    reader.put(storedTask(0));
    const caller = keyOf({ endpoints: ['chat.completions'] });
    expect(await refusalOf(() => tasks.find(caller, taskId(0)))).toMatchObject({ status: 403 });
    expect(await refusalOf(() => tasks.list(caller, { limit: 5 }, ORIGIN))).toMatchObject({ status: 403 });
  });

  it('is unavailable while the database is away, and no detail of it leaks', async () => {
    reader.isAway = true;
    const refused = await refusalOf(() => tasks.find(key, taskId(0)));
    expect(refused).toMatchObject({ status: 503, code: 'service_unavailable', retryAfterMs: 1_000 });
    expect(JSON.stringify(refused)).not.toContain('10.0.0.7');
  });
});

describe('the list of tasks', () => {
  it('pages to the end and no further', async () => {
    for (let number = 0; number < 5; number += 1) reader.put(storedTask(number));
    const seen: string[] = [];
    let cursor: string | undefined;
    const lengths: number[] = [];
    do {
      const page = await tasks.list(key, { limit: 2, ...(cursor !== undefined && { cursor }) }, ORIGIN);
      seen.push(...page.data.map(({ id }) => id));
      lengths.push(page.data.length);
      expect(page.has_more).toBe(page.next_cursor !== null);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual([4, 3, 2, 1, 0].map(taskId));
    expect(lengths).toEqual([2, 2, 1]);
  });

  it('filters by alias, and by the models that the key may use', async () => {
    reader.put(storedTask(0));
    reader.put(storedTask(1, { model: 'wn2.6-t2v' }));
    await tasks.list(key, { limit: 5, model: 'wan2.7-t2v', status: 'queued' }, ORIGIN);
    expect(reader.pages[0]).toEqual({ after: null, limit: 6, models: ['wn2.7-t2v'], status: 'queued' });
    const narrow = keyOf({ models: ['wn2.6-t2v'] });
    const { data } = await tasks.list(narrow, { limit: 5 }, ORIGIN);
    expect(data.map(({ model }) => model)).toEqual(['wn2.6-t2v']);
    expect((await tasks.list(narrow, { limit: 5, model: 'wn2.7-t2v' }, ORIGIN)).data).toEqual([]);
  });

  it('fills the pages of a key that may see only some tasks', async () => {
    for (let number = 0; number < 9; number += 1) reader.put(storedTask(number));
    reader.put(storedTask(9, { model: 'wn2.6-t2v', createdAtMs: 1 }));
    const page = await tasks.list(keyOf({ models: ['wn2.6-t2v'] }), { limit: 2 }, ORIGIN);
    expect(page).toMatchObject({ data: [{ model: 'wn2.6-t2v' }], next_cursor: null, has_more: false });
  });

  it.each([
    'x',
    '',
    Buffer.from('5 task_x').toString('base64url'),
    Buffer.from(`-1 ${taskId(0)}`).toString('base64url'),
  ])('rejects a cursor that it did not write: %s', async (cursor) => {
    expect(await refusalOf(() => tasks.list(key, { limit: 5, cursor }, ORIGIN))).toMatchObject({
      status: 400,
      param: 'cursor',
    });
  });
});

describe('a wait for a task', () => {
  const hasEnded = ({ state }: StoredVideoTask): boolean => state === 'succeeded';

  it('ends with the expected change, not with another one', async () => {
    const seen = storedTask(0);
    reader.put(seen);
    const waiting = waits.until(key, seen, hasEnded, never);
    reader.change(0, 'video.task.running', { state: 'running' });
    changes.notify(taskId(0));
    await new Promise(setImmediate);
    reader.change(0, 'video.task.succeeded', { state: 'succeeded' });
    changes.notify(taskId(0));
    expect((await waiting).state).toBe('succeeded');
  });

  it('misses no change that happens while it reads', async () => {
    const seen = storedTask(0);
    reader.put(storedTask(0, { state: 'succeeded' }));
    expect((await waits.until(key, seen, hasEnded, never)).state).toBe('succeeded');
  });

  it('ends with the last known state on time-out, also if the database is away', async () => {
    reader.put(storedTask(0, { state: 'running' }));
    const stop = new AbortController();
    const waiting = waits.until(key, storedTask(0), hasEnded, stop.signal);
    await new Promise(setImmediate);
    reader.isAway = true;
    changes.notify(taskId(0));
    await new Promise(setImmediate);
    stop.abort();
    expect((await waiting).state).toBe('running');
  });
});

describe('a cancellation', () => {
  const polled: string[] = [];
  let pollNow = async (id: string): Promise<void> => {
    polled.push(id);
  };
  const cancel = (signal = never) =>
    new CancelTask(
      tasks,
      waits,
      new Map([['dashscope', { pollNow: (id: string) => pollNow(id) } as unknown as PollQueue]]),
      logger,
    ).cancel(key, taskId(0), signal);

  beforeEach(() => {
    polled.length = 0;
  });

  it('has the task polled now, and returns the outcome', async () => {
    reader.put(storedTask(0));
    const cancelling = cancel();
    await new Promise(setImmediate);
    expect(polled).toEqual([taskId(0)]);
    reader.put(storedTask(0, { cancelRequestedAtMs: 1, cancelOutcome: 'refused', state: 'running' }));
    changes.notify(taskId(0));
    expect(await cancelling).toMatchObject({ cancelOutcome: 'refused', state: 'running' });
  });

  it('is recorded even if the poll cannot be requested', async () => {
    pollNow = () => Promise.reject(new Error('redis is away'));
    reader.put(storedTask(0));
    const stop = new AbortController();
    const cancelling = cancel(stop.signal);
    await new Promise(setImmediate);
    stop.abort();
    expect(await cancelling).toMatchObject({ cancelOutcome: 'pending' });
    expect(logged).toHaveLength(1);
  });

  it('does not change a finished task', async () => {
    reader.put(storedTask(0, { state: 'succeeded', finishedAtMs: 5 }));
    expect(await cancel()).toMatchObject({ state: 'succeeded', cancelOutcome: null });
    expect(polled).toEqual([]);
  });
});

/** A socket that records what is written, and can be full. */
class Socket extends EventEmitter {
  text = '';
  isFull = false;

  write(text: string): boolean {
    this.text += text;
    return !this.isFull;
  }

  get ids(): string[] {
    return [...this.text.matchAll(/^id: (.*)$/gm)].map(([, id = '']) => id);
  }
}

describe('the stream of events', () => {
  const config = { responseLimits: { heartbeatMs: 60_000 } } as EdgeConfig;
  const streamTo = (socket: Socket, lastEventId: string | null, signal = never): Promise<void> =>
    new StreamEvents(tasks, changes, config, logger).write(
      { key, task: storedTask(0), response: socket as unknown as ServerResponse, signal },
      lastEventId,
    );

  it('resumes after the last seen event, to the end of the task', async () => {
    reader.change(0, 'video.task.queued', { state: 'queued' });
    reader.change(0, 'video.task.running', { state: 'running' });
    const socket = new Socket();
    const streaming = streamTo(socket, 'evt_1');
    await new Promise(setImmediate);
    expect(socket.ids).toEqual(['evt_2']);
    reader.change(0, 'video.task.succeeded', { state: 'succeeded' });
    changes.notify(taskId(0));
    await streaming;
    expect(socket.ids).toEqual(['evt_2', 'evt_3']);
    expect(socket.text).toContain(
      `id: evt_3\nevent: video.task.succeeded\ndata: ${JSON.stringify({
        id: 'evt_3',
        object: 'event',
        created_at: 0,
        type: 'video.task.succeeded',
        timestamp: '1970-01-01T00:00:00.000Z',
        data: { id: taskId(0), status: 'succeeded' },
      })}\n\n`,
    );
  });

  it('starts over after an unknown event id, and ends at once if all events were seen', async () => {
    reader.change(0, 'video.task.queued', { state: 'queued' });
    reader.change(0, 'video.task.failed', { state: 'failed' });
    const [all, none] = [new Socket(), new Socket()];
    await streamTo(all, 'evt_of_another');
    await streamTo(none, 'evt_2');
    expect([all.ids, none.ids]).toEqual([['evt_1', 'evt_2'], []]);
  });

  it('has nothing left for a client that has seen the last event of an ended task', async () => {
    const stream = new StreamEvents(tasks, changes, config, logger);
    reader.change(0, 'video.task.queued', { state: 'queued' });
    expect(await stream.hasSeenAll(storedTask(0, { state: 'queued' }), 'evt_1')).toBe(false);
    reader.change(0, 'video.task.failed', { state: 'failed' });
    const ended = storedTask(0, { state: 'failed' });
    expect(await stream.hasSeenAll(ended, 'evt_1')).toBe(false);
    expect(await stream.hasSeenAll(ended, 'evt_2')).toBe(true);
    expect(await stream.hasSeenAll(ended, null)).toBe(false);
  });

  it('reads a long history page by page', async () => {
    for (let count = 0; count < 250; count += 1) reader.change(0, 'video.task.running', { state: 'running' });
    reader.change(0, 'video.task.cancelled', { state: 'cancelled' });
    const socket = new Socket();
    await streamTo(socket, null);
    expect(socket.ids).toHaveLength(251);
  });

  it('waits for a slow client, and stops when the client leaves', async () => {
    reader.change(0, 'video.task.queued', { state: 'queued' });
    reader.change(0, 'video.task.running', { state: 'running' });
    const socket = new Socket();
    socket.isFull = true;
    const stop = new AbortController();
    const streaming = streamTo(socket, null, stop.signal);
    await new Promise(setImmediate);
    expect(socket.ids).toEqual(['evt_1']);
    socket.emit('drain');
    await new Promise(setImmediate);
    expect(socket.ids).toEqual(['evt_1', 'evt_2']);
    stop.abort();
    await streaming;
    expect(logged).toEqual([]);
  });

  it('ends while the database is away, so that its client reconnects', async () => {
    reader.isAway = true;
    await streamTo(new Socket(), null);
    expect(logged).toHaveLength(1);
  });
});

describe('open waits', () => {
  function replyOf(caller = key): { reply: FastifyReply; raw: EventEmitter } {
    const raw = new EventEmitter();
    const request = {};
    setCaller(request as FastifyReply['request'], { key: caller });
    return { reply: { raw, request } as unknown as FastifyReply, raw };
  }
  const untilAborted = (signal: AbortSignal) =>
    new Promise<string>((resolve) => {
      signal.addEventListener('abort', () => resolve('aborted'));
    });

  it('end when their client leaves or the process stops', async () => {
    const openWaits = new OpenWaits();
    const { reply, raw } = replyOf();
    const first = openWaits.run(reply, untilAborted);
    raw.emit('close');
    expect(await first).toBe('aborted');
    const second = openWaits.run(replyOf().reply, untilAborted);
    openWaits.abortAll();
    expect(await second).toBe('aborted');
    expect(raw.listenerCount('close')).toBe(0);
  });

  it('end at once if their client has left before', async () => {
    const openWaits = new OpenWaits();
    const { reply, raw } = replyOf();
    Object.assign(raw, { destroyed: true });
    expect(await openWaits.run(reply, async ({ aborted }) => aborted)).toBe(true);
    expect(openWaits.openCount).toBe(0);
  });

  it('are limited to two hundred per key, and each end makes room', async () => {
    const openWaits = new OpenWaits();
    const raws: EventEmitter[] = [];
    const waiting = Array.from({ length: 200 }, () => {
      const { reply, raw } = replyOf();
      raws.push(raw);
      return openWaits.run(reply, untilAborted);
    });
    const more = () => openWaits.run(replyOf().reply, async () => 'in');
    expect(await refusalOf(more)).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
    const isNow = () => openWaits.runOrNow(replyOf().reply, async ({ aborted }) => aborted);
    expect(await isNow()).toBe(true);
    expect(await openWaits.run(replyOf(keyOf({ keyId: 'key_b' as typeof key.keyId })).reply, async () => 'in')).toBe(
      'in',
    );
    raws[0]?.emit('close');
    await waiting[0];
    expect([await more(), await isNow()]).toEqual(['in', false]);
    for (const raw of raws) raw.emit('close');
    await Promise.all(waiting);
  });

  it('are limited in this process: four accounts at their limit leave no place for a fifth', async () => {
    const openWaits = new OpenWaits();
    const ofAccount = (account: number, at: number) =>
      keyOf({
        accountId: `acct_${account}` as typeof key.accountId,
        keyId: `key_${account}_${at % 3}` as typeof key.keyId,
      });
    const raws: EventEmitter[] = [];
    const waiting = Array.from({ length: openWaits.limit }, (_, at) => {
      const { reply, raw } = replyOf(ofAccount(Math.floor(at / 500), at));
      raws.push(raw);
      return openWaits.run(reply, untilAborted);
    });
    const fifth = () => replyOf(ofAccount(9, 0)).reply;
    const refused = await refusalOf(() => openWaits.run(fifth(), async () => 'in'));
    expect(refused).toMatchObject({ status: 503, code: 'service_unavailable' });
    expect(await openWaits.runOrNow(fifth(), async ({ aborted }) => aborted)).toBe(true);
    for (const raw of raws) raw.emit('close');
    await Promise.all(waiting);
    expect([openWaits.openCount, await openWaits.run(fifth(), async () => 'in')]).toEqual([0, 'in']);
  });
});
