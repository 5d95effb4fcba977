import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CHAT, COMPLETION, QUESTION, refusal, textOf } from '../test-support/samples.js';
import { TestServer } from '../test-support/test-server.js';

const server = await TestServer.start();
afterAll(() => server.stop());
const { gateway } = server;
beforeEach(() => {
  gateway.reset();
});

const REQUEST = '/v1/requests/req_1';
const record = (status: string, endpoint = CHAT, charged: string | null = null) => ({
  id: 'req_1',
  object: 'request',
  status,
  endpoint,
  model: 'gm-2.5-flash',
  cost: { held_usd: '0.01', charged_usd: charged },
});

describe('a tool whose result is read later', () => {
  it('returns the request if it takes longer, and its own result otherwise', async () => {
    gateway.on(`POST ${CHAT}`, { status: 202, json: record('queued') });
    const begun = await server.call('chat', { ...QUESTION, wait_seconds: 20, idempotency_key: 'k' });
    expect(begun.structuredContent).toMatchObject({ request: { id: 'req_1', status: 'queued' } });
    expect(textOf(begun)).toContain('Call get_result');
    expect(gateway.requestsTo(CHAT)[0]).toMatchObject({
      json: QUESTION,
      headers: { prefer: 'respond-async, wait=20', 'idempotency-key': 'k' },
    });
    gateway.on(`POST ${CHAT}`, { json: COMPLETION });
    const whole = await server.call('chat', { ...QUESTION, wait_seconds: 0 });
    expect([textOf(whole), gateway.requestsTo(CHAT)[1]?.headers.prefer]).toEqual(['Hello!', 'respond-async']);
  });

  it('is read by get_result as the tool would have returned it, with its cost', async () => {
    const states = ['in_progress', 'completed'];
    gateway.on(`GET ${REQUEST}`, () => ({ json: record(states.shift() ?? 'completed', CHAT, '0.002') }));
    gateway.on(`GET ${REQUEST}/result`, { json: COMPLETION });
    const result = await server.call('get_result', { request_id: 'req_1' });
    expect(textOf(result)).toBe('Hello!');
    expect(result.structuredContent).toMatchObject({ choices: [{}], request: { cost: { charged_usd: '0.002' } } });
  });

  it('returns audio and its request, and the error of a request that failed', async () => {
    gateway.on(`GET ${REQUEST}`, { json: record('completed', '/v1/audio/speech') });
    gateway.on(`GET ${REQUEST}/result`, { bytes: Buffer.from('mp3'), headers: { 'content-type': 'audio/mpeg' } });
    const audio = await server.call('get_result', { request_id: 'req_1' });
    expect(audio.content[0]).toMatchObject({ type: 'audio', mimeType: 'audio/mpeg' });
    gateway.on(`GET ${REQUEST}`, { json: record('failed') });
    gateway.on(`GET ${REQUEST}/result`, refusal(502, 'upstream_error', 'It broke.'));
    const failed = await server.call('get_result', { request_id: 'req_1' });
    expect([failed.isError, textOf(failed)]).toEqual([true, expect.stringContaining('upstream_error')]);
  });

  it('returns the request of a stream, with the address of its events', async () => {
    const response = { status: 200, content_type: 'text/event-stream; charset=utf-8', bytes: 9 };
    gateway.on(`GET ${REQUEST}`, {
      json: { ...record('completed', CHAT, '0.002'), response, result_url: `${REQUEST}/result` },
    });
    const result = await server.call('get_result', { request_id: 'req_1' });
    expect(result.isError).not.toBe(true);
    expect(textOf(result)).toContain(`event stream: read it over HTTP at ${REQUEST}/result`);
    expect(result.structuredContent).toMatchObject({ request: { status: 'completed' } });
  });

  it('is returned unfinished after the time-out, and cancelled', async () => {
    gateway.on(`GET ${REQUEST}`, { json: record('in_progress') });
    const waiting = await server.call('get_result', { request_id: 'req_1', timeout_seconds: 0 });
    expect(waiting.structuredContent).toMatchObject({ request: { status: 'in_progress' } });
    gateway.on(`POST ${REQUEST}/cancel`, { json: record('cancelled', CHAT, '0.00') });
    const cancelled = await server.call('cancel_request', { request_id: 'req_1' });
    expect(cancelled.structuredContent).toMatchObject({ request: { status: 'cancelled' } });
  });

  it.each([
    ['chat', { ...QUESTION, wait_seconds: -1 }, 'wait_seconds'],
    ['chat', { ...QUESTION, wait_seconds: 301 }, 'wait_seconds'],
    ['submit_video', { model: 'wn2.7-t2v', prompt: 'a cat', wait_seconds: 5 }, 'wait_seconds'],
    ['get_result', { request_id: '' }, 'request_id'],
    ['get_result', { request_id: 'req_1', timeout_seconds: 301 }, 'timeout_seconds'],
  ])('%s of %j is refused by its argument, before anything is sent', async (tool, args, argument) => {
    const refused = await server.call(tool, args);
    expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining(`'${argument}'`)]);
    expect(gateway.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});
