import { Readable } from 'node:stream';
import { type DurableRequest, GatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { OpenWaits } from '../../follow-tasks/open-waits.service.js';
import type { KeptRequests } from '../../keep-requests/kept-requests.service.js';
import { FakeReply, REQUEST_ID } from '../../test-support/edge-fakes.js';
import { AttachStream } from './attach-stream.service.js';
import type { FollowRequest } from './follow-request.service.js';
import type { SendResult } from './send-result.service.js';
import type { SharedReads } from './shared-reads.service.js';

const requestOf = (status: DurableRequest['status']): DurableRequest =>
  ({
    requestId: REQUEST_ID,
    status,
    endpoint: 'responses',
    model: 'gpt-5.4',
    response: { status: 200, headers: { 'content-type': 'text/event-stream' }, bytes: 4 },
    error: null,
    createdAtMs: Date.parse('2026-11-01'),
  }) as unknown as DurableRequest;

const away = async (): Promise<never> => {
  throw new GatewayError('service_unavailable', 'The store is away.');
};

const deleted = async (): Promise<never> => {
  throw new GatewayError('not_found', 'There is no such request.');
};

interface Stores {
  /** What Redis has of the stream. */
  readonly live?: string;
  readonly read?: FollowRequest['read'];
  readonly open?: KeptRequests['open'];
  /** False: the client does not read. */
  readonly reads?: boolean;
  readonly method?: string;
}

/** A reader of a stream that has ended. */
function attach({ live = '', read, open, reads = true, method = 'GET' }: Stores) {
  const stream = new AttachStream(
    { open: open ?? (async () => Readable.from([Buffer.from('abcd')])) } as unknown as KeptRequests,
    { read: read ?? (async () => requestOf('completed')) } as unknown as FollowRequest,
    undefined as unknown as SendResult,
    new OpenWaits(),
    { read: async (_id: string, offset: number) => Buffer.from(live.slice(offset)) } as unknown as SharedReads,
    { responseLimits: { heartbeatMs: 60_000, slowClientTimeoutMs: 20 } } as ConstructorParameters<
      typeof AttachStream
    >[5],
  );
  const reply = new FakeReply();
  Object.defineProperty(reply.raw, 'headersSent', { get: () => reply.socket.head !== undefined });
  Object.assign(reply.request, { method });
  reply.socket.hasRoom = reads;
  return { reply, done: stream.attach(requestOf('in_progress'), reply.asReply, { bytes: 0 }) };
}

describe('a stream that its client follows', () => {
  it('continues from the store where Redis has no more', async () => {
    const { reply, done } = attach({ live: 'ab' });
    await done;
    expect([reply.socket.text, reply.socket.writableFinished]).toEqual(['abcd', true]);
  });

  it('ends with its head for a HEAD', async () => {
    const { reply, done } = attach({ live: 'ab', method: 'HEAD' });
    await done;
    expect(reply.socket).toMatchObject({ head: { status: 200 }, text: '', writableFinished: true });
  });

  it.each([
    ['the store is away', { open: away }],
    ['the request was deleted', { read: deleted }],
  ])('ends its connection if %s after its head: its client resumes', async (_why, stores) => {
    const { reply, done } = attach({ live: 'ab', ...stores });
    await expect(done).rejects.toThrow();
    expect([reply.socket.text, reply.socket.destroyed]).toEqual(['ab', true]);
  });

  it.each([
    ['what runs', 'ab'],
    ['what the store has', ''],
  ])('is cut off if its client does not read %s', async (_what, live) => {
    const { reply, done } = attach({ live, reads: false });
    reply.socket.destroy = () => reply.socket.leave();
    await done.catch(() => undefined);
    expect(reply.socket.destroyed).toBe(true);
  });

  it('leaves its connection open for the error if nothing was sent', async () => {
    const { reply, done } = attach({ open: away });
    await expect(done).rejects.toThrow('The store is away.');
    expect([reply.socket.head, reply.socket.destroyed]).toEqual([undefined, false]);
  });
});
