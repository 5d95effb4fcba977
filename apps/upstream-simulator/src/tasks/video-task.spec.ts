import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { invoiceOf } from '../count/tokens.js';
import type { Directives } from '../directives/directives.js';
import { ResultStore } from '../results/result-store.js';
import { TaskStore } from './task-store.js';
import type { TaskState } from './timetable.js';
import type { VideoJob } from './video-job.js';
import type { VideoTask } from './video-task.js';

const HOUR_MS = 3_600_000;
const BILL = invoiceOf({ second_720p: 5 });

const jobOf = (directives: Directives = {}, deferredFailure: VideoJob['deferredFailure'] = null): VideoJob => ({
  model: 'm',
  credential: 'k',
  host: 'localhost:1',
  resolution: '720p',
  directives,
  video: { format: 'mp4', text: 'a boat', width: 1280, height: 720, seconds: 5, framesPerSecond: 24 },
  bill: BILL,
  deferredFailure,
  failureOf: (code) => ({ code: code === '' ? 'internal' : code, message: 'no' }),
});

let store: TaskStore;
let count = 0;

beforeEach(() => {
  jest.useFakeTimers({ now: new Date('2026-11-03T02:15:02Z') });
  store = new TaskStore({ retentionMs: () => 24 * HOUR_MS, queriesPerSecond: 20 });
});
afterEach(() => {
  jest.useRealTimers();
});

const start = (
  directives?: Directives,
  more: { deferredFailure?: VideoJob['deferredFailure']; onChange?: (task: VideoTask) => void } = {},
) => {
  count += 1;
  const { deferredFailure = null, onChange } = more;
  return store.start({
    id: `t${count}`,
    job: jobOf(directives, deferredFailure),
    body: Buffer.from('x'),
    ...(onChange !== undefined && { onChange }),
  });
};
const pass = (ms: number) => jest.advanceTimersByTime(ms);

describe('a task', () => {
  it('is billed when it succeeds, and in no other state', () => {
    const task = start({ taskSeconds: 40 });
    const inspection: [TaskState, unknown][] = [];
    for (const wait of [0, 10_000, 29_999, 1]) {
      pass(wait);
      inspection.push([task.state, task.billed]);
    }
    expect(inspection).toEqual([
      ['queued', null],
      ['running', null],
      ['running', null],
      ['succeeded', BILL],
    ]);
  });

  it('has the times of past states only', () => {
    const task = start({ taskSeconds: 40 });
    expect([task.startedAtMs, task.endedAtMs, task.progress]).toEqual([Infinity, Infinity, 0]);
    pass(20_000);
    expect([task.startedAtMs - task.createdAtMs, task.endedAtMs, task.progress]).toEqual([10_000, Infinity, 0.5]);
    pass(HOUR_MS);
    expect([task.endedAtMs - task.createdAtMs, task.progress]).toEqual([40_000, 1]);
  });

  it('does not start after a cancel', () => {
    const task = start({ taskSeconds: 40 });
    pass(5_000);
    store.change(task.id, () => task.cancel());
    pass(HOUR_MS);
    expect([task.state, task.billed, task.startedAtMs]).toEqual(['cancelled', null, Infinity]);
    expect(task.endedAtMs - task.createdAtMs).toBe(5_000);
  });

  it('fails for a deferred error, by directive or by command', () => {
    const deferredFailure = { code: 'InvalidParameter', message: 'The size does not match' };
    expect(start({ taskSeconds: 0 }, { deferredFailure })).toMatchObject({ state: 'failed', failure: deferredFailure });
    expect(start({ taskSeconds: 0, taskFailure: '' }).failure.code).toBe('internal');
    const moved = start({ taskHangs: true });
    moved.move('failed', 'Other');
    expect(moved).toMatchObject({ state: 'failed', failure: { code: 'Other' } });
  });

  it('stays in a state set by command', () => {
    const task = start();
    task.move('queued');
    pass(HOUR_MS);
    expect(task.state).toBe('queued');
    task.move('running');
    pass(HOUR_MS);
    expect(task.state).toBe('running');
    task.move('succeeded');
    expect(task.endedAtMs - task.startedAtMs).toBe(HOUR_MS);
  });

  it('reports running once before success by default, without a later bill', () => {
    const task = start();
    pass(HOUR_MS);
    expect([task.state, task.billed, task.reportState(), task.reportState()]).toEqual([
      'succeeded',
      BILL,
      'running',
      'succeeded',
    ]);
    const polled = start();
    pass(1_000);
    expect(polled.reportState()).toBe('running');
    pass(HOUR_MS);
    expect(polled.reportState()).toBe('succeeded');
  });

  it('reports exact states for requested times', () => {
    const timed = start({ taskSeconds: 2 });
    pass(HOUR_MS);
    expect(timed.reportState()).toBe('succeeded');
    const finished = start();
    finished.finishNow();
    expect(finished.reportState()).toBe('succeeded');
  });

  it('ends now with its scheduled outcome', () => {
    const task = start({ taskSeconds: 40, taskTimesOut: true });
    task.finishNow();
    expect(task.state).toBe('expired');
  });

  it('has one address, valid for a day from its end', () => {
    const results = new ResultStore();
    const task = start({ taskSeconds: 10 });
    pass(10_000 + 23 * HOUR_MS);
    const url = task.resultUrl(results);
    expect(task.resultUrl(results)).toBe(url);
    expect(results.at(url)).toEqual(task.job.video);
    pass(HOUR_MS);
    expect(results.at(url)).toBeUndefined();
  });
});

describe('TaskStore', () => {
  it('finds a task for its own credential until its retention ends', () => {
    const task = start({ taskSeconds: 10 });
    expect([store.find(task.id, 'k'), store.find(task.id, 'other')]).toEqual([task, undefined]);
    pass(10_000 + 24 * HOUR_MS - 1);
    expect([store.find(task.id, 'k'), store.list('k')]).toEqual([task, [task]]);
    pass(1);
    expect([store.find(task.id, 'k'), store.list('k'), store.get(task.id)]).toEqual([undefined, [], task]);
    expect(task.billed).toBe(BILL);
  });

  it('never drops an open task by age', () => {
    const task = start({ taskHangs: true });
    pass(1_000 * HOUR_MS);
    expect(store.find(task.id, 'k')).toBe(task);
  });

  it('reports every state once, by the clock or by command', () => {
    const reported: TaskState[] = [];
    const onChange = (task: VideoTask) => reported.push(task.state);
    start({ taskSeconds: 40 }, { onChange });
    pass(HOUR_MS);
    expect(reported.splice(0)).toEqual(['queued', 'running', 'succeeded']);
    const moved = start({ taskSeconds: 40 }, { onChange });
    store.change(moved.id, () => moved.move('failed'));
    pass(HOUR_MS);
    expect(reported).toEqual(['queued', 'failed']);
  });

  it('numbers submissions of the same bytes', () => {
    expect([start().submission, start().submission]).toEqual([1, 2]);
    const other = store.start({ id: 'o', job: { ...jobOf(), credential: 'o' }, body: Buffer.from('x') });
    expect(other.submission).toBe(1);
  });

  it('waits for tasks that end in time only', async () => {
    start({ taskHangs: true });
    start({ taskSeconds: 60 });
    start({ taskSeconds: 5 });
    let isOver = false;
    const over = store.untilEnded(10_000).then(() => {
      isOver = true;
    });
    await jest.advanceTimersByTimeAsync(4_999);
    expect(isOver).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    await over;
    expect(isOver).toBe(true);
  });

  it('stops waiting for a task that was postponed by command', async () => {
    const task = start({ taskSeconds: 5 });
    pass(4_000);
    const over = store.untilEnded(10_000);
    store.change(task.id, () => task.move('running'));
    await expect(over).resolves.toBeUndefined();
  });
});
