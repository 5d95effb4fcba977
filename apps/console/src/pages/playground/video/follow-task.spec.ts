import { GatewayError } from '@gateway/client';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { followTask, type VideoTask } from './follow-task.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const record = (status: string): Response => new Response(JSON.stringify({ id: 'task_1', status }));

/** The states of a task that the page shows, by what each poll gets. */
async function shown(...polls: readonly (Response | Error)[]): Promise<readonly string[]> {
  const states: string[] = [];
  const left = [...polls];
  const callApi = async (): Promise<Response> => {
    const next = left.shift() ?? record('succeeded');
    if (next instanceof Error) throw next;
    return next;
  };
  const following = followTask({
    request: { path: '', headers: {}, body: {} } as never,
    response: record('queued'),
    emit: (task: VideoTask | null) => void states.push(task?.status ?? ''),
    signal: new AbortController().signal,
    callApi,
  });
  const [outcome] = await Promise.allSettled([following, jest.runAllTimersAsync()]);
  if (outcome.status === 'rejected') throw outcome.reason;
  return states;
}

const failure = (status: number) => new GatewayError(status, {});

it('asks again after a poll that came too often, or found the gateway away', async () => {
  const states = await shown(failure(429), new Error('network'), failure(503), record('running'));
  expect(states).toEqual(['queued', 'queued', 'queued', 'queued', 'running', 'succeeded']);
});

it('ends with the error of a key that may not read the task', async () => {
  await expect(shown(failure(401))).rejects.toMatchObject({ status: 401 });
});
