import type { RequestId } from '@gateway/contracts';
import { errorHeaders } from '@gateway/serving';
import { describe, expect, it } from '@jest/globals';
import type { ResponseRecording } from '../edge-request.js';
import { restartingWhileRunning, workerLost } from './failures.js';

const requestId = 'req_abcdefghijklmnopqrstuvwxyz' as RequestId;
const recording = {} as ResponseRecording;

const shouldRetry = (failure: ReturnType<typeof workerLost>) => errorHeaders(failure.toRecord())['x-should-retry'];

describe.each([
  ['a lost worker', workerLost],
  ['a restarting edge', restartingWhileRunning],
])('the failure of %s', (_what, failureOf) => {
  it('names the video task that may run, and stops client libraries from starting another one', () => {
    const failure = failureOf({ requestId, outlivesClient: true });
    expect(failure.message).toContain('task_abcdefghijklmnopqrstuvwxyz');
    expect(shouldRetry(failure)).toBe('false');
  });

  it('lets client libraries retry with an idempotency key, which gets the same task', () => {
    expect(shouldRetry(failureOf({ requestId, outlivesClient: true, recording }))).toBe('true');
  });

  it('lets client libraries retry a request that ends with its response', () => {
    expect(shouldRetry(failureOf({ requestId }))).toBe('true');
  });
});
