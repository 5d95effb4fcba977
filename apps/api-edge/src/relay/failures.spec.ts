import type { RequestId } from '@gateway/contracts';
import { errorHeaders } from '@gateway/serving';
import { describe, expect, it } from '@jest/globals';
import type { AnswerRecording } from '../answer-recording.js';
import { restartingMeanwhile, workerLost } from './failures.js';

const requestId = 'req_abcdefghijklmnopqrstuvwxyz' as RequestId;
const recording = {} as AnswerRecording;

const shouldRetry = (failure: ReturnType<typeof workerLost>) => errorHeaders(failure.toRecord())['x-should-retry'];

describe.each([
  ['a lost worker', workerLost],
  ['an edge that must go', restartingMeanwhile],
])('of %s', (_what, failureOf) => {
  it('the client of a video task hears which one may run, and its library does not begin another', () => {
    const failure = failureOf({ requestId, outlivesClient: true });
    expect(failure.message).toContain('task_abcdefghijklmnopqrstuvwxyz');
    expect(shouldRetry(failure)).toBe('false');
  });

  it('a library may ask again under an idempotency key: it is told of the same task', () => {
    expect(shouldRetry(failureOf({ requestId, outlivesClient: true, recording }))).toBe('true');
  });

  it('a library may ask again for what ends with its answer', () => {
    expect(shouldRetry(failureOf({ requestId }))).toBe('true');
  });
});
