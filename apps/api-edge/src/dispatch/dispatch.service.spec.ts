import type { SyncTicket } from '@gateway/contracts';
import type { SyncQueue } from '@gateway/redis';
import { describe, expect, it } from '@jest/globals';
import { admittedRequest, admittedVideo, REQUEST_ID } from '../test-support/edge-fakes.js';
import { keyOf } from '../test-support/task-reader-in-memory.js';
import type { EdgeConfig } from '../tokens.js';
import { Dispatch } from './dispatch.service.js';

/** A queue in memory. While it is away, every call fails. */
class FakeQueue {
  readonly tickets: SyncTicket[] = [];
  readonly removed: string[] = [];
  isAway = false;

  async enqueue(ticket: SyncTicket): Promise<void> {
    if (this.isAway) throw new Error('connection refused at 10.0.0.7');
    this.tickets.push(ticket);
  }

  async remove(requestId: string): Promise<boolean> {
    if (this.isAway) throw new Error('connection refused at 10.0.0.7');
    this.removed.push(requestId);
    return true;
  }
}

function dispatcher() {
  const [sync, video, syncTest, videoTest] = [new FakeQueue(), new FakeQueue(), new FakeQueue(), new FakeQueue()];
  const queuesOf = (vendor: string, queue: FakeQueue) => new Map([[vendor, queue as unknown as SyncQueue]]) as never;
  const config = { relayAdvertisedUrl: 'ws://edge-1' } as EdgeConfig;
  const text = admittedRequest().model.vendor;
  const queues = {
    sync: queuesOf(text, sync),
    video: queuesOf(admittedVideo().model.vendor, video),
    'sync-test': queuesOf(text, syncTest),
    'video-test': queuesOf(admittedVideo().model.vendor, videoTest),
  };
  return { dispatch: new Dispatch(queues, config), sync, video, syncTest, videoTest };
}

describe('Dispatch', () => {
  it('queues a ticket with the money and the address of this edge', async () => {
    const { dispatch, sync, video } = dispatcher();
    await dispatch.enqueue(admittedRequest(), 'token');
    expect(sync.tickets).toEqual([
      {
        schemaVersion: 1,
        requestId: REQUEST_ID,
        accountId: 'acct_a',
        keyId: 'key_a',
        endpoint: 'chat.completions',
        model: 'cl-sonnet-4-6',
        price: admittedRequest().price,
        holdNanoUsd: '5',
        deadlineMs: 2,
        admittedAtMs: 1,
        replyTo: 'ws://edge-1',
        claimToken: 'token',
        abortContract: 'stops',
        queuedAtMs: expect.any(Number),
      },
    ]);
    expect(video.tickets).toEqual([]);
  });

  it('passes on the test mark, the trace and the forwarded headers', async () => {
    const { dispatch, sync, syncTest } = dispatcher();
    const forward = { headers: { 'anthropic-version': '1' }, query: '' };
    const caller = { key: keyOf({ isTest: true }) };
    const more = { traceparent: '00-1', forward, idempotencyHash: 'hash', idempotencyKey: 'k' };
    const changes = { filled: { n: '1' }, dropped: ['top_k'] };
    await dispatch.enqueue(admittedRequest({ caller, changes, ...more }), 'token');
    expect(syncTest.tickets).toMatchObject([{ isTest: true, changes, ...more }]);
    expect(sync.tickets).toEqual([]);
  });

  it('queues video tasks apart', async () => {
    const { dispatch, sync, video } = dispatcher();
    await dispatch.enqueue(admittedVideo(), 'token');
    expect([sync.tickets.length, video.tickets.length]).toEqual([0, 1]);
  });

  it('queues the video tasks of test keys apart from the paid ones, and withdraws from the same queue', async () => {
    const { dispatch, video, videoTest } = dispatcher();
    const request = admittedVideo({ caller: { key: keyOf({ isTest: true }) } });
    await dispatch.enqueue(request, 'token');
    await dispatch.withdraw(request);
    expect([video.tickets.length, videoTest.tickets.length, videoTest.removed]).toEqual([0, 1, [request.requestId]]);
  });

  it('refuses with a retryable 503 while the queue is away, without naming it', async () => {
    const { dispatch, sync } = dispatcher();
    sync.isAway = true;
    const refused = dispatch.enqueue(admittedRequest(), 'token');
    await expect(refused).rejects.toMatchObject({
      code: 'service_unavailable',
      details: { retryAfterMs: 1_000 },
      message: expect.not.stringContaining('10.0.0.7'),
    });
  });

  it('refuses a request of a vendor that has no queue', async () => {
    const { dispatch } = dispatcher();
    const model = { ...admittedRequest().model, vendor: 'gemini' as const };
    await expect(dispatch.enqueue(admittedRequest({ model }), 'token')).rejects.toMatchObject({
      code: 'service_unavailable',
    });
  });

  it('withdraws a ticket, and ignores a queue that is away', async () => {
    const { dispatch, sync } = dispatcher();
    await dispatch.withdraw(admittedRequest());
    expect(sync.removed).toEqual([REQUEST_ID]);
    sync.isAway = true;
    await expect(dispatch.withdraw(admittedRequest())).resolves.toBeUndefined();
  });
});
