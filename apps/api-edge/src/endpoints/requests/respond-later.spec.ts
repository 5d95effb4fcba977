import { type DurableRequest, GatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { OpenWaits } from '../../follow-tasks/open-waits.service.js';
import { FakeReply, REQUEST_ID } from '../../test-support/edge-fakes.js';
import type { AttachStream } from './attach-stream.service.js';
import type { FollowRequest } from './follow-request.service.js';
import { NO_EVENT, RespondLater } from './respond-later.service.js';
import type { SendResult } from './send-result.service.js';

const requestOf = (status: DurableRequest['status']): DurableRequest =>
  ({
    requestId: REQUEST_ID,
    status,
    endpoint: 'chat.completions',
    ticket: { holdNanoUsd: '5' },
    response: null,
    error: null,
    settlement: { costNanoUsd: '3' },
  }) as unknown as DurableRequest;

const away = async (): Promise<never> => {
  throw new GatewayError('service_unavailable', 'The store is away.');
};

/** A request that ends while its client waits, and whose response cannot be read then. */
function respond(options: { readonly waitMs: number; readonly isReading: boolean }) {
  const later = new RespondLater(
    new OpenWaits(),
    { untilEnded: async () => requestOf('completed') } as unknown as FollowRequest,
    { send: away } as unknown as SendResult,
    { send: away } as unknown as AttachStream,
  );
  const reply = new FakeReply();
  const reading = options.isReading ? new AbortController().signal : undefined;
  return {
    reply,
    done: later.respond(requestOf('queued'), reply.asReply, { ...options, reading, recording: undefined }),
  };
}

describe('a request that is admitted', () => {
  it.each([
    ['whose client waits', { waitMs: 1_000, isReading: false }],
    ['whose client reads its stream', { waitMs: 0, isReading: true }],
  ])('%s is answered with its record if its response cannot be read', async (_whose, options) => {
    const { reply, done } = respond(options);
    await done;
    expect([reply.status, reply.body]).toMatchObject([
      202,
      { id: REQUEST_ID, status_url: `/v1/requests/${REQUEST_ID}` },
    ]);
    expect(reply.sentHeaders.location).toBe(`/v1/requests/${REQUEST_ID}`);
  });

  it('says nothing of its cost at the head of its stream', async () => {
    const later = new RespondLater(
      new OpenWaits(),
      undefined as unknown as FollowRequest,
      undefined as unknown as SendResult,
      { send: async () => undefined } as unknown as AttachStream,
    );
    const options = { waitMs: 0, reading: new AbortController().signal, recording: undefined };
    for (const respondTo of [
      (reply: FakeReply) => later.respond(requestOf('queued'), reply.asReply, options),
      (reply: FakeReply) => later.respondQueued(requestOf('queued'), reply.asReply, { response: '{}', ...options }),
    ]) {
      const reply = new FakeReply();
      reply.asReply.header('x-cost-usd', '0.00');
      await respondTo(reply);
      expect(reply.sentHeaders).not.toHaveProperty('x-cost-usd');
    }
  });

  it('ends its connection if its stream breaks off', async () => {
    const { reply, done } = respond({ waitMs: 0, isReading: true });
    Object.assign(reply.raw, { headersSent: true });
    await expect(done).rejects.toThrow('The store is away.');
    expect(reply.body).toBeUndefined();
  });
});

describe('a repeated idempotency key of a kept request', () => {
  const NOTHING = { 'x-cost-usd': '0.00' };
  const again = async (ended: DurableRequest, options: { readonly waitMs: number; readonly isReading: boolean }) => {
    const taken: unknown[] = [];
    const later = new RespondLater(
      new OpenWaits(),
      { untilEnded: async () => ended } as unknown as FollowRequest,
      { send: async ({ status }: DurableRequest) => void taken.push(status) } as unknown as SendResult,
      { send: async (_reader: unknown, position: unknown) => void taken.push(position) } as unknown as AttachStream,
    );
    const reply = new FakeReply();
    reply.asReply.headers(NOTHING);
    const reading = options.isReading ? new AbortController().signal : undefined;
    await later.respondAgain(requestOf('queued'), reply.asReply, { ...options, reading, position: NO_EVENT });
    return { reply, taken };
  };

  it('gets the response that it waits for, and costs nothing', async () => {
    const { reply, taken } = await again(requestOf('completed'), { waitMs: 1_000, isReading: false });
    expect(taken).toEqual(['completed']);
    expect(reply.sentHeaders).toEqual({ ...NOTHING, location: `/v1/requests/${REQUEST_ID}` });
  });

  it('gets the record as it is when its wait is over', async () => {
    const { reply, taken } = await again(requestOf('in_progress'), { waitMs: 1_000, isReading: false });
    expect([taken, reply.status, reply.body]).toMatchObject([[], 202, { status: 'in_progress' }]);
  });

  it('gets its stream from the beginning, and costs nothing', async () => {
    const { reply, taken } = await again(requestOf('in_progress'), { waitMs: 0, isReading: true });
    expect(taken).toEqual([NO_EVENT]);
    expect(reply.sentHeaders).toMatchObject(NOTHING);
  });
});
