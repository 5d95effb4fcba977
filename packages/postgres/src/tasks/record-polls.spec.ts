import { describe, expect, it } from '@jest/globals';
import { type PollUpdate, startsRunning, taskAfterPoll } from './record-polls.js';
import type { WorkerVideoTask } from './video-task-row.js';

const UPDATE: PollUpdate = {
  state: null,
  startedAtMs: null,
  progress: null,
  upstream: null,
  failures: 0,
  missCount: 0,
  nextPollMs: 1_000,
};

const taskWith = (fields: Partial<WorkerVideoTask>) =>
  ({ state: 'queued', startedAtMs: null, progress: null, upstream: null, ...fields }) as WorkerVideoTask;

describe('taskAfterPoll', () => {
  it.each([
    ['queued', 'running', 'running', true],
    ['queued', 'queued', 'queued', false],
    ['queued', null, 'queued', false],
    ['running', 'queued', 'running', false],
    ['running', 'running', 'running', false],
    ['running', null, 'running', false],
    ['submit_unknown', 'running', 'submit_unknown', false],
  ] as const)('makes a %s task that polls as %s %s', (before, polled, after, isStart) => {
    const task = taskWith({ state: before });
    expect(taskAfterPoll(task, { ...UPDATE, state: polled }).state).toBe(after);
    expect(startsRunning(task, { ...UPDATE, state: polled })).toBe(isStart);
  });

  it.each([
    [null, null, null],
    [null, 10, 10],
    [20, null, 20],
    [20, 10, 20],
    [20, 30, 30],
  ])('never lowers progress: %s and then %s is %s', (before, polled, after) => {
    expect(taskAfterPoll(taskWith({ progress: before }), { ...UPDATE, progress: polled }).progress).toBe(after);
  });

  it('stores the first start and the latest upstream record', () => {
    const first = taskAfterPoll(taskWith({}), { ...UPDATE, startedAtMs: 5, upstream: { id: 1 } });
    expect(first).toMatchObject({ startedAtMs: 5, upstream: { id: 1 } });
    const second = taskAfterPoll(first, { ...UPDATE, startedAtMs: 9 });
    expect(second).toMatchObject({ startedAtMs: 5, upstream: { id: 1 } });
    expect(taskAfterPoll(second, { ...UPDATE, upstream: { id: 2 } }).upstream).toEqual({ id: 2 });
  });
});
