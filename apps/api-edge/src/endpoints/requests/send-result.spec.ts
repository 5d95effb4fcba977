import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type DurableRequest, GatewayError } from '@gateway/contracts';
import { expect, it } from '@jest/globals';
import type { KeptRequests } from '../../keep-requests/kept-requests.service.js';
import { FakeReply, REQUEST_ID } from '../../test-support/edge-fakes.js';
import { SendResult } from './send-result.service.js';

const LONG_BYTES = 300_000;

/** The reply to a stream that broke off, and what the store reads for it. */
async function brokenStream() {
  const stored = Readable.from([Buffer.alloc(LONG_BYTES, 'a')]);
  const request = {
    requestId: REQUEST_ID,
    status: 'failed',
    endpoint: 'chat.completions',
    model: 'gpt-5.4',
    response: { status: 200, headers: { 'content-type': 'text/event-stream' }, bytes: LONG_BYTES },
    error: new GatewayError('upstream_error', 'The vendor failed.').toRecord(),
  } as unknown as DurableRequest;
  const reply = new FakeReply();
  await new SendResult({ open: async () => stored } as unknown as KeptRequests).send(request, reply.asReply);
  return { stored, reply, body: reply.body as Readable };
}

it('ends a long stream that broke off with its error', async () => {
  const { reply, body } = await brokenStream();
  const sent = await text(body);
  expect(sent.slice(LONG_BYTES)).toContain('The vendor failed.');
  expect(reply.sentHeaders['content-length']).toBe(Buffer.byteLength(sent));
});

it('closes a long stream whose client leaves before it reads', async () => {
  const { stored, body } = await brokenStream();
  body.destroy();
  await once(body, 'close');
  expect(stored.destroyed).toBe(true);
});
