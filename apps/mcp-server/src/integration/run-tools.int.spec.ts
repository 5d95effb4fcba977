import type { ServerResponse } from 'node:http';
import type { ModelEntry } from '@gateway/contracts';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CHAT, COMPLETION, QUESTION, refusal, textOf } from '../test-support/samples.js';
import { TestServer } from '../test-support/test-server.js';

const server = await TestServer.start();
afterAll(() => server.stop());
const { gateway } = server;
beforeEach(() => {
  gateway.reset();
});

describe('each tool', () => {
  const png = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64');

  it('sends an idempotency key as a header, not in the body', async () => {
    gateway.on(`POST ${CHAT}`, { json: COMPLETION });
    await server.call('chat', { ...QUESTION, idempotency_key: 'once' });
    expect(gateway.requestsTo(CHAT)[0]).toMatchObject({ json: QUESTION, headers: { 'idempotency-key': 'once' } });
    expect(textOf(await server.call('chat', { ...QUESTION, idempotency_key: 'ü' }))).toContain("'idempotency_key'");
  });

  it('continues the trace of a call', async () => {
    gateway.on(`POST ${CHAT}`, { json: COMPLETION });
    const traceparent = `00-${'c'.repeat(32)}-${'d'.repeat(16)}-01`;
    await server.using((client) => client.callTool({ name: 'chat', arguments: QUESTION, _meta: { traceparent } }));
    expect(gateway.requestsTo(CHAT)[0]?.headers.traceparent).toMatch(new RegExp(`^00-${'c'.repeat(32)}-`));
  });

  it('message: returns blocks, and tool uses as text', async () => {
    const response = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'cl-sonnet-4-6',
      content: [{ type: 'tool_use', id: 't1', name: 'look', input: { at: 'it' } }],
      stop_reason: 'tool_use',
      usage: { input_tokens: 1, output_tokens: 2 },
    };
    gateway.on('POST /v1/messages', { json: response });
    const result = await server.call('message', { model: 'cl-sonnet-4-6', max_tokens: 5, messages: QUESTION.messages });
    expect(JSON.parse(textOf(result))).toEqual({ tool_uses: response.content });
    expect(result.structuredContent).toMatchObject(response);
  });

  it('generate_image: returns images as content, and no image data as text', async () => {
    gateway.on('POST /v1/images/generations', { json: { created: 1, data: [{ b64_json: png }], size: '1024x1024' } });
    const result = await server.call('generate_image', { model: 'gp-image-2', prompt: 'a red square' });
    expect(result.content[0]).toEqual({ type: 'image', data: png, mimeType: 'image/png' });
    expect(JSON.stringify([result.structuredContent, textOf(result)])).not.toContain(png);
    expect(result.structuredContent).toMatchObject({ size: '1024x1024', gateway: {} });
  });

  it('generate_image: links to files of the vendor, and reports a blocked request', async () => {
    const image = 'https://vendor.example/a.png?sig=1';
    const choices = [{ finish_reason: 'stop', message: { role: 'assistant', content: [{ image }] } }];
    gateway.on('POST /v1/images/generations', {
      json: { request_id: 'r', output: { choices }, usage: { image_count: 1 } },
    });
    const linked = await server.call('generate_image', { model: 'qn-image-2.0', prompt: 'a cat', size: '1280x720' });
    expect(linked.content[0]).toMatchObject({ type: 'resource_link', uri: image, mimeType: 'image/png' });
    expect(gateway.requestsTo('/v1/images/generations')[0]?.json).toEqual({
      model: 'qn-image-2.0',
      input: { messages: [{ role: 'user', content: [{ text: 'a cat' }] }] },
      parameters: { size: '1280*720' },
    });
    const errors = [{ code: 'blocked_by_safety', message: 'It was blocked.' }];
    gateway.on('POST /v1/images/generations', { json: { id: 'v1_x', status: 'failed', steps: [], errors } });
    const blocked = await server.call('generate_image', { model: 'gm-2.5-flash-image', prompt: 'x' });
    expect([blocked.isError, textOf(blocked)]).toEqual([
      true,
      expect.stringContaining('blocked_by_safety: It was blocked.'),
    ]);
  });

  it('edit_image: sends a form with the images as files', async () => {
    gateway.on('POST /v1/images/edits', { json: { created: 1, data: [{ b64_json: png }] } });
    gateway.on('POST /account/quote', { json: { valid: true, hold_usd: '0.01' } });
    const images = [`data:image/png;base64,${png}`, png];
    const args = { model: 'gp-image-2', prompt: 'bluer', images, mask: png, n: 2, max_cost_usd: 1 };
    const result = await server.call('edit_image', args);
    expect(result.content[0]).toMatchObject({ type: 'image', data: png });
    const [received] = gateway.requestsTo('/v1/images/edits');
    const form = await new Response(new Uint8Array(received?.bytes ?? []), {
      headers: { 'content-type': received?.headers['content-type'] ?? '' },
    }).formData();
    expect([...form.keys()]).toEqual(['model', 'prompt', 'n', 'image[]', 'image[]', 'mask']);
    expect(form.get('n')).toBe('2');
    expect(Buffer.from(await (form.get('mask') as File).arrayBuffer()).toString('base64')).toBe(png);
    expect(gateway.requestsTo('/account/quote')[0]?.json).toEqual({
      endpoint: 'images.edits',
      body: { model: 'gp-image-2', prompt: 'bluer', n: 2, image: 2, mask: true },
    });
  });

  it.each([[{}], [{ images: [] }], [{ images: ['https://a.example/1.png'] }], [{ images: [png], mask: '?' }]])(
    'edit_image: rejects %j without a request',
    async (args) => {
      const result = await server.call('edit_image', { model: 'gp-image-2', prompt: 'x', ...args });
      expect([result.isError, textOf(result)]).toEqual([
        true,
        expect.stringMatching(/^invalid_request: '(images|mask)/),
      ]);
      expect(gateway.requestsTo('/v1/images/edits')).toEqual([]);
    },
  );

  it('speak: returns the audio', async () => {
    const audio = Buffer.from('ID3 audio');
    gateway.on('POST /v1/audio/speech', { bytes: audio, headers: { 'content-type': 'audio/mpeg' } });
    const result = await server.call('speak', { model: 'qn3-tts-flash', input: 'Hello' });
    expect(result.content[0]).toEqual({ type: 'audio', data: audio.toString('base64'), mimeType: 'audio/mpeg' });
    expect(result.structuredContent).toMatchObject({ mime_type: 'audio/mpeg', bytes: 9 });
  });

  it('embed: returns structured vectors and a text summary', async () => {
    const data = [0, 1].map((index) => ({ object: 'embedding', index, embedding: [0.5, index] }));
    const list = { object: 'list', data, model: 'vg-4', usage: { prompt_tokens: 4, total_tokens: 4 } };
    gateway.on('POST /v1/embeddings', { json: list });
    const result = await server.call('embed', { model: 'vg-4', input: ['a', 'b'] });
    expect(result.structuredContent).toMatchObject(list);
    expect(textOf(result)).toBe('2 vectors of 2 dimensions by vg-4, of 4 tokens.');
  });

  it('list_models: filters by endpoint and family', async () => {
    const shown = async (args: object) =>
      ((await server.call('list_models', args)).structuredContent as { data: ModelEntry[] }).data.map(({ id }) => id);
    expect(await shown({ endpoint: '/v1/audio/speech' })).toEqual(['qn3-tts-flash', 'qn3-tts-instruct-flash']);
    expect((await shown({ family: 'vg' })).every((id) => id.startsWith('vg-'))).toBe(true);
  });

  it('quote: accepts a tool with arguments, or an endpoint with a body', async () => {
    gateway.on('POST /account/quote', { json: { valid: true, model: 'x', hold_usd: '0.01', estimate_usd: '0.01' } });
    const args = { model: 'seedream-4.5', prompt: 'a cat', max_cost_usd: 1 };
    expect((await server.call('quote', { tool: 'generate_image', arguments: args })).structuredContent).toMatchObject({
      hold_usd: '0.01',
    });
    await server.call('quote', { endpoint: 'embeddings', body: { model: 'vg-4', input: 'x' } });
    expect(gateway.requestsTo('/account/quote').map(({ json }) => json)).toEqual([
      {
        endpoint: 'images.generations',
        body: { model: 'seedream-4.5', prompt: 'a cat', response_format: 'b64_json' },
      },
      { endpoint: 'embeddings', body: { model: 'vg-4', input: 'x' } },
    ]);
    expect(textOf(await server.call('quote', { tool: 'get_balance' }))).toContain("'tool': expected one of chat");
    expect(textOf(await server.call('quote', {}))).toContain("'tool': expected");
  });

  it('get_balance: reads the account interface', async () => {
    const balance = { balance_usd: '5.00', held_usd: '0.00', available_usd: '5.00' };
    gateway.on('GET /account/balance', { json: balance });
    expect((await server.call('get_balance', {})).structuredContent).toMatchObject(balance);
  });
});

describe('a failure', () => {
  it.each([
    [
      'style A',
      402,
      { error: { message: 'Top up.', type: 'insufficient_balance', code: 'insufficient_balance' } },
      'insufficient_balance: Top up.',
    ],
    [
      'style B',
      400,
      { code: 'InvalidParameter', message: 'Wrong size.', request_id: 'req_b' },
      'InvalidParameter: Wrong size.',
    ],
    [
      'the native messages format',
      529,
      { type: 'error', error: { type: 'overloaded_error', message: 'Busy.' } },
      'overloaded_error: Busy.',
    ],
    ['a vendor without a code', 400, { error: { message: 'Nope.' } }, 'upstream_error: Nope.'],
    ['an empty body', 502, {}, 'upstream_error: The gateway refused the request (502).'],
  ])('in %s is an error result', async (_, status, json, message) => {
    gateway.on(`POST ${CHAT}`, { status, json, headers: { 'x-request-id': 'req_x' } });
    const result = await server.call('chat', QUESTION);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe(`${message} (request req_x)`);
    expect(result._meta?.['gateway/error']).toMatchObject({ status, request_id: 'req_x' });
  });

  it('shows the retry time', async () => {
    const limited = refusal(429, 'rate_limit_exceeded', 'Too fast.');
    gateway.on(`POST ${CHAT}`, { ...limited, headers: { 'retry-after': '7' } });
    expect(textOf(await server.call('chat', QUESTION))).toContain('rate_limit_exceeded: Too fast. Try again in 7 s.');
  });

  it('during a stream is an error result, never a partial response', async () => {
    const error = { error: { message: 'It broke.', type: 'upstream_error', code: 'upstream_error' } };
    gateway.on(`POST ${CHAT}`, (_request, raw) => {
      raw.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req_s' });
      raw.end(`data: {"choices":[{"delta":{"content":"Hal"}}]}\n\ndata: ${JSON.stringify(error)}\n\n`);
      return undefined;
    });
    const watch = { onprogress: () => undefined };
    const stream = () => server.using((client) => client.callTool({ name: 'chat', arguments: QUESTION }, watch));
    expect(textOf(await stream())).toBe('upstream_error: It broke. (request req_s)');
    gateway.on(`POST ${CHAT}`, (_request, raw) => {
      raw.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req_s' });
      raw.end('data: {"choices":[{"delta":{"content":"Hal"}}]}\n\n');
      return undefined;
    });
    expect(textOf(await stream())).toBe(
      'upstream_error: The stream ended before the response was complete. (request req_s)',
    );
  });

  it('of the connection is retried for a read, and never for a paid call', async () => {
    const response = { json: { object: 'list', data: [] } };
    const disconnect = (raw: ServerResponse) => {
      raw.destroy();
      return undefined;
    };
    gateway.on('GET /v1/videos/generations', (_request, raw) =>
      gateway.requestsTo('/v1/videos/generations').length === 1 ? disconnect(raw) : response,
    );
    gateway.on(`POST ${CHAT}`, (_request, raw) => disconnect(raw));
    expect((await server.call('list_videos', {})).isError).not.toBe(true);
    expect(gateway.requestsTo('/v1/videos/generations')).toHaveLength(2);
    expect((await server.call('chat', QUESTION)).isError).toBe(true);
    expect(gateway.requestsTo(CHAT)).toHaveLength(1);
  });

  it('of the connection hides the internal address', async () => {
    gateway.on(`POST ${CHAT}`, (_request, raw) => {
      raw.destroy();
      return undefined;
    });
    const result = await server.call('chat', QUESTION);
    expect(textOf(result)).toBe('service_unavailable: The gateway is not available, try again shortly.');
  });
});
