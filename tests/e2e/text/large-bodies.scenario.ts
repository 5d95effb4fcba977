import { eventually, fullResponse, openResponse, sendWithoutReading, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { DEFAULT_MODEL } from './chat-fields.js';

const MEBIBYTE = 1024 * 1024;

const stack = await startTestStack();
afterAll(() => stack.stop());

const customer = await stack.createCustomer({ creditUsd: '1' });
const customers = [customer];

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'multipart/form-data; boundary=x';
const FORM_HEAD = '--x\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\n';

/** Requests that are rejected while most of their body is still to be sent. */
const REJECTED_BODIES = [
  ['a JSON body', '/v1/chat/completions', JSON_TYPE, 33, 413, 'request_too_large'],
  ['a native message', '/v1/messages', JSON_TYPE, 33, 413, 'request_too_large'],
  ['a speech request', '/v1/audio/speech', JSON_TYPE, 8, 413, 'BadRequest.TooLarge'],
  ['a form', '/v1/images/edits', FORM_TYPE, 130, 413, 'request_too_large'],
  ['a form on a JSON endpoint', '/v1/chat/completions', FORM_TYPE, 20, 415, 'unsupported_media_type'],
  ['a body without a key', '/v1/chat/completions', JSON_TYPE, 20, 401, 'invalid_api_key'],
  ['a body of an unknown type', '/v1/embeddings', 'text/plain', 20, 415, 'unsupported_media_type'],
] as const;

const credential = (status: number): Record<string, string> =>
  status === 401 ? {} : { authorization: `Bearer ${customer.apiKey}` };

describe.each(REJECTED_BODIES)('%s that is rejected', (_what, path, type, mebibytes, status, code) => {
  const bytes = mebibytes * MEBIBYTE;

  it.each([false, true])(
    'returns its error to a client that reads only after sending everything; in chunks: %s',
    async (isChunked) => {
      const headers = { ...credential(status), 'content-type': type };
      const response = await sendWithoutReading(stack.baseUrl, { path, headers, bytes, isChunked });
      expect(response).toContain(`HTTP/1.1 ${status} `);
      expect(response).toContain(code);
      expect(response).toMatch(/\r\nx-request-id: req_/);
    },
  );

  it('returns its error to fetch', async () => {
    const headers = { ...credential(status), 'content-type': type };
    const body = Buffer.alloc(bytes, ' ');
    if (type === FORM_TYPE) body.write(FORM_HEAD);
    const response = await fetch(`${stack.baseUrl}${path}`, { method: 'POST', headers, body });
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(code);
  });

  it('returns its error at once to a client that waits before it sends', async () => {
    const headers = { 'content-type': type, 'content-length': String(bytes) };
    const response = await openResponse(stack.baseUrl, {
      path,
      headers: { ...credential(status), ...headers },
      body: FORM_HEAD,
    });
    expect(response.status).toBe(status);
    response.disconnect();
  });
});

describe('a body of more than a megabyte', () => {
  // Vendors count no white space between values.
  const padding = ' '.repeat(1.5 * MEBIBYTE);

  it.each([
    ['a chat', '/v1/chat/completions', { model: DEFAULT_MODEL, messages: [{ role: 'user', content: 'Hi' }] }, 200],
    [
      'a native message',
      '/v1/messages',
      { model: 'cl-haiku-4-5', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] },
      200,
    ],
    [
      'a video',
      '/v1/videos/generations',
      {
        model: 'wn2.6-i2v',
        duration: 2,
        resolution: '1080p',
        input: { prompt: 'a cat', img_url: 'https://cdn.example.com/1.png' },
        parameters: { duration: 2, resolution: '1080P' },
      },
      202,
    ],
  ])('runs as a short one does, once for each idempotency key: %s', async (_what, path, body, status) => {
    const rich = await stack.createCustomer({ creditUsd: '20' });
    customers.push(rich);
    const send = () =>
      fullResponse(stack.baseUrl, {
        key: rich.apiKey,
        path,
        body: JSON.stringify(body) + padding,
        headers: { 'content-type': JSON_TYPE, 'idempotency-key': 'one' },
      });
    const first = await send();
    expect([first.status, first.text]).toEqual([status, expect.stringContaining('id')]);
    const again = await send();
    expect([again.status, again.headers['idempotent-replayed'], again.text]).toEqual([status, 'true', first.text]);
  });

  it('that is invalid gets the error of its model', async () => {
    const invalid = { model: DEFAULT_MODEL, messages: [{ role: 'robot', content: padding }] };
    const { status, text } = await fullResponse(stack.baseUrl, { key: customer.apiKey, body: invalid });
    expect([status, text]).toEqual([400, expect.stringContaining('messages[0].role')]);
  });
});

it('serves other clients meanwhile and leaves a consistent ledger', async () => {
  const body = { model: DEFAULT_MODEL, messages: [{ role: 'user', content: 'Still there?' }] };
  expect((await fullResponse(stack.baseUrl, { key: customer.apiKey, body })).status).toBe(200);
  // One of the long bodies was a video.
  const expectNoHolds = async () => {
    for (const each of customers) expect(await each.balance()).toMatchObject({ held_usd: '0.00' });
  };
  await eventually(expectNoHolds, { withinMs: 60_000, intervalMs: 200 });
  await expectConsistentLedger(stack, customers);
});
