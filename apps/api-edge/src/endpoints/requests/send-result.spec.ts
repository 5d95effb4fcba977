import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type DurableRequest, GatewayError } from '@gateway/contracts';
import { expect, it } from '@jest/globals';
import type { OpenReads } from '../../files/open-reads.service.js';
import type { KeptRequests } from '../../keep-requests/kept-requests.service.js';
import { FakeReply, REQUEST_ID } from '../../test-support/edge-fakes.js';
import { SendResult } from './send-result.service.js';

const LONG_BYTES = 300_000;
const reads = { begin: () => undefined } as unknown as OpenReads;

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
    createdAtMs: 1,
  } as unknown as DurableRequest;
  const reply = new FakeReply();
  await new SendResult({ open: async () => stored } as unknown as KeptRequests, reads).send(request, reply.asReply);
  return { stored, reply, body: reply.body as Readable };
}

it('ends a long stream that broke off with its error', async () => {
  const { reply, body } = await brokenStream();
  const sent = await text(body);
  expect(sent.slice(LONG_BYTES)).toContain('The vendor failed.');
  expect(reply.sentHeaders['content-length']).toBe(Buffer.byteLength(sent));
});

it.each(['models.generate_content', 'interactions'])("sends an error of %s in Google's form", async (endpoint) => {
  const error = new GatewayError('invalid_request', 'No.').toRecord();
  const request = {
    ...{ requestId: REQUEST_ID, status: 'failed', endpoint, model: 'gm-3-pro-image-preview', response: null, error },
    createdAtMs: 1,
  } as unknown as DurableRequest;
  const reply = new FakeReply();
  await new SendResult({} as unknown as KeptRequests, reads).send(request, reply.asReply);
  expect(JSON.parse(String(reply.body))).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } });
});

it('warns of the end of its model, as the response did', async () => {
  const headersAt = async (day: string) => {
    const request = {
      ...{ requestId: REQUEST_ID, status: 'completed', endpoint: 'chat.completions', model: 'gm-2.5-pro', error: null },
      response: { status: 200, headers: { 'content-type': 'application/json' }, bytes: 2 },
      createdAtMs: Date.parse(day),
    } as unknown as DurableRequest;
    const reply = new FakeReply();
    const requests = { read: async () => Buffer.from('{}') } as unknown as KeptRequests;
    await new SendResult(requests, reads).send(request, reply.asReply);
    return reply.sentHeaders;
  };
  expect(await headersAt('2026-10-31')).not.toHaveProperty('sunset');
  expect(await headersAt('2026-11-01')).toMatchObject({
    deprecation: '@1793491200',
    sunset: 'Tue, 01 Dec 2026 00:00:00 GMT',
  });
});

it('closes a long stream whose client leaves before it reads', async () => {
  const { stored, body } = await brokenStream();
  body.destroy();
  await once(body, 'close');
  expect(stored.destroyed).toBe(true);
});
