import type { McpServerConfig } from '@gateway/config';
import { describe, expect, it } from '@jest/globals';
import { RunningCalls } from './running-calls.service.js';

const ID = { keySha256: 'key-1', sessionId: 'session-1', requestId: 1 };
const CONNECTED = new AbortController().signal;

const callsWithLimit = (callsPerKey: number): RunningCalls => new RunningCalls({ callsPerKey } as McpServerConfig);

/** Runs until the signal aborts. */
const untilAborted = (signal: AbortSignal): Promise<string> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve('aborted'));
  });

describe('RunningCalls', () => {
  it('rejects a call above the limit of a key, and accepts other keys', async () => {
    const calls = callsWithLimit(1);
    const running = calls.run(ID, CONNECTED, untilAborted);
    await expect(calls.run({ ...ID, requestId: 2 }, CONNECTED, async () => 'ran')).rejects.toMatchObject({
      code: 'rate_limit_exceeded',
      details: { status: 429, retryAfterSeconds: 1 },
    });
    expect(await calls.run({ ...ID, keySha256: 'key-2' }, CONNECTED, async () => 'ran')).toBe('ran');
    calls.cancel(ID);
    await running;
    expect(await calls.run(ID, CONNECTED, async () => 'ran')).toBe('ran');
  });

  it('frees the place of a call that fails', async () => {
    const calls = callsWithLimit(1);
    await expect(calls.run(ID, CONNECTED, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await calls.run(ID, CONNECTED, async () => 'ran')).toBe('ran');
  });

  it('aborts a call when its client disconnects', async () => {
    const client = new AbortController();
    const running = callsWithLimit(1).run(ID, client.signal, untilAborted);
    client.abort();
    expect(await running).toBe('aborted');
  });

  it.each([
    ['key', { keySha256: 'key-2' }],
    ['session', { sessionId: 'session-2' }],
    ['request', { requestId: '1' }],
  ])('does not cancel a call of another %s', async (_, other) => {
    const calls = callsWithLimit(1);
    const running = calls.run(ID, CONNECTED, untilAborted);
    calls.cancel({ ...ID, ...other });
    const first = await Promise.race([running, Promise.resolve('still running')]);
    expect(first).toBe('still running');
    calls.cancel(ID);
    expect(await running).toBe('aborted');
  });

  it('cancels nothing if two calls share the id', async () => {
    const calls = callsWithLimit(2);
    const client = new AbortController();
    const running = [1, 2].map(() => calls.run(ID, client.signal, untilAborted));
    calls.cancel(ID);
    expect(await Promise.race([...running, Promise.resolve('still running')])).toBe('still running');
    client.abort();
    expect(await Promise.all(running)).toEqual(['aborted', 'aborted']);
  });

  it('waits for running calls when it drains', async () => {
    const calls = callsWithLimit(1);
    const { promise, resolve } = Promise.withResolvers<string>();
    const running = calls.run(ID, CONNECTED, () => promise);
    const drained = calls.drain(60_000);
    resolve('finished');
    await drained;
    expect(await running).toBe('finished');
  });

  it('aborts the calls that still run after the drain time', async () => {
    const calls = callsWithLimit(1);
    const running = calls.run(ID, CONNECTED, untilAborted);
    await calls.drain(0);
    expect(await running).toBe('aborted');
  });
});
