import { fullResponse, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import OpenAI, { BadRequestError } from 'openai';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';

const stack = await startTestStack();
afterAll(() => stack.stop());

const customer = await stack.createCustomer({ creditUsd: '100' });
const client = new OpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey: customer.apiKey, maxRetries: 0 });
const FAIL = '{{sim status=400}}';

const chat = (model: string) => ({ model, messages: [{ role: 'user', content: FAIL }] });
const image = (model: string) => ({ model, prompt: FAIL });
const qwenImage = (model: string) => ({ model, input: { messages: [{ role: 'user', content: [{ text: FAIL }] }] } });

/** One model of each protocol with the OpenAI form of errors. */
const STYLE_A = [
  ['/v1/chat/completions', chat('cl-sonnet-4-6')],
  ['/v1/chat/completions', chat('gm-2.5-flash')],
  ['/v1/chat/completions', chat('gp-5.4-mini')],
  ['/v1/chat/completions', chat('gp-5.4-pro')],
  ['/v1/chat/completions', chat('qn3.8-omni-flash')],
  ['/v1/embeddings', { model: 'vg-4', input: FAIL }],
  ['/v1/embeddings', { model: 'gm-embedding-001', input: FAIL }],
  ['/v1/embeddings', { model: 'text-embedding-v4', input: FAIL }],
  ['/v1/images/generations', image('gp-image-2')],
  ['/v1/images/generations', image('seedream-4.5')],
  ['/v1/images/generations', image('grok-imagine-image')],
  ['/v1/audio/speech', { model: 'qn3-tts-flash', input: FAIL }],
] as const;

const STYLE_B = [
  ['/v1/images/generations', qwenImage('qn-image-2.0')],
  ['/v1/audio/speech', { model: 'qn3-tts-flash', input: FAIL }],
  ['/v1/videos/generations', { model: 'grok-imagine-video', duration: 1, resolution: '480p', input: { prompt: FAIL } }],
  ['/v1/videos/generations', { model: 'wn2.7-t2v', duration: 5, resolution: '720p', input: { prompt: FAIL } }],
  [
    '/v1/videos/generations',
    { model: 'seedance-2.0', duration: 5, resolution: '480p', input: { content: [{ type: 'text', text: FAIL }] } },
  ],
] as const;

const FORM_A = { message: expect.stringMatching(/\w/), type: expect.any(String), code: expect.any(String) };

const post = (path: string, body: object) => fullResponse(stack.baseUrl, { key: customer.apiKey, path, body });

describe('a 4xx of an upstream', () => {
  it.each(STYLE_A)('%s of %j has the OpenAI form, and the vendor body in `upstream`', async (path, body) => {
    const response = await post(path, body);
    expect(response.status).toBe(400);
    expect(response.headers['x-should-retry']).toBe('false');
    const { error } = response.json<{ error: Record<string, unknown> }>();
    expect(error).toMatchObject({ ...FORM_A, upstream: expect.any(Object) });
    expect(Object.keys(error.upstream as object).length).toBeGreaterThan(0);
  });

  it.each(STYLE_B)('%s of %j has both forms', async (path, body) => {
    const response = await post(path, body);
    expect(response.status).toBe(400);
    expect(response.json()).toMatchObject({
      code: expect.any(String),
      message: expect.stringMatching(/\w/),
      request_id: response.headers['x-request-id'],
      error: { ...FORM_A, upstream: expect.any(Object) },
    });
  });

  it.each(['cl-sonnet-4-6', 'gm-2.5-flash', 'gp-5.4-mini', 'qn3.8-omni-flash'])(
    '/v1/messages of %s has the native form',
    async (model) => {
      const response = await post('/v1/messages', { ...chat(model), max_tokens: 50 });
      expect(response.status).toBe(400);
      expect(response.json()).toMatchObject({
        type: 'error',
        error: { type: 'invalid_request_error', message: expect.stringMatching(/\w/) },
      });
    },
  );

  it('is shown by the official client with its words and its code', async () => {
    const failed = client.embeddings.create({ model: 'vg-4', input: FAIL });
    const error = (await failed.catch((thrown: unknown) => thrown)) as BadRequestError;
    expect(error).toBeInstanceOf(BadRequestError);
    expect([typeof error.code, typeof error.type]).toEqual(['string', 'string']);
    expect(error.message).not.toContain('{');
  });
});

describe('a refusal of our own', () => {
  it.each([
    ['/v1/images/generations', { model: 'qn-image-2.0', input: 5 }],
    ['/v1/audio/speech', { model: 'qn3-tts-flash', input: '' }],
    ['/v1/videos/generations', { model: 'wn2.7-t2v', duration: 5, resolution: '720p' }],
  ])('%s has `error` beside `code`, so that clients show it: %j', async (path, body) => {
    const response = await post(path, body);
    expect(response.status).toBe(400);
    const rendered = response.json<{ message: string }>();
    expect(rendered).toMatchObject({ code: 'InvalidParameter', error: { ...FORM_A, message: rendered.message } });
    expect(rendered.message).not.toMatch(/Invalid input|Too small|expected record|undefined|>=/);
  });
});

describe('afterwards', () => {
  it('leaves a consistent ledger', async () => {
    await expectConsistentLedger(stack, [customer]);
  });
});
