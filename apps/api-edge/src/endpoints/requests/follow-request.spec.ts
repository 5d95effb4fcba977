import { type DurableRequest, encodeRequestEnd, type KeyRecord } from '@gateway/contracts';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TaskChanges } from '../../follow-tasks/task-changes.service.js';
import type { KeptRequests } from '../../keep-requests/kept-requests.service.js';
import type { EdgeConfig } from '../../tokens.js';
import { FollowRequest } from './follow-request.service.js';

const queued = { requestId: 'req_a', status: 'queued', version: 1, finishedAtMs: null } as unknown as DurableRequest;
const ended: DurableRequest = { ...queued, status: 'completed', version: 3, finishedAtMs: 9, response: null };
const KEY = {} as KeyRecord;

/** A client that waits for `queued`; `rows` are what its edge reads, in order, and then the last one. */
function wait(rows: readonly DurableRequest[]) {
  let reads = 0;
  const find = async () => rows[Math.min(reads++, rows.length - 1)];
  const changes = new TaskChanges();
  const follow = new FollowRequest({ find } as unknown as KeptRequests, changes, {} as EdgeConfig);
  const client = new AbortController();
  const waiting = follow.untilEnded(KEY, queued, client.signal, follow.expectEnd(queued));
  return { changes, client, waiting, reads: () => reads };
}

describe('a client that waits for the end of its request', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('gets the end that a worker sends, without a read', async () => {
    const { changes, waiting, reads } = wait([queued]);
    changes.notify('req_a', true);
    changes.notifyEnd(encodeRequestEnd(ended) ?? '');
    expect([await waiting, reads(), jest.getTimerCount()]).toEqual([ended, 0, 0]);
  });

  it('gets it also after a read of a request that still ran', async () => {
    const { changes, waiting, reads } = wait([queued]);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(reads()).toBe(2);
    changes.notifyEnd(encodeRequestEnd(ended) ?? '');
    expect([await waiting, jest.getTimerCount()]).toEqual([ended, 0]);
  });

  it.each([
    ['its change is published', (changes: TaskChanges) => changes.notify('req_a')],
    ['nothing comes for two seconds', () => jest.advanceTimersByTimeAsync(2_000)],
  ])('reads the request when %s', async (_when, happens) => {
    const { changes, waiting, reads } = wait([ended]);
    await happens(changes);
    expect([await waiting, reads(), jest.getTimerCount()]).toEqual([ended, 1, 0]);
  });

  it('gets the last known state when it leaves', async () => {
    const { client, waiting } = wait([queued]);
    client.abort();
    expect([await waiting, jest.getTimerCount()]).toEqual([queued, 0]);
  });
});
