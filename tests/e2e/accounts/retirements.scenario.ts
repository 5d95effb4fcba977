import type { ModelEntry } from '@gateway/contracts';
import {
  callJson,
  createPng,
  encodedForm,
  eventually,
  expectedCost,
  fullResponse,
  startTestStack,
} from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';

/** After the end of gemini-2.5-pro and gpt-image-1, and ten days before the one of gpt-5-pro. */
const stack = await startTestStack({ commonEnv: { CATALOGUE_AT: '2026-12-01' } });
afterAll(() => stack.stop());

const customer = await stack.createCustomer({ creditUsd: '100' });
const messages = [{ role: 'user', content: 'Say hello' }];

const send = (path: string, body: object) => fullResponse(stack.baseUrl, { path, key: customer.apiKey, body });
const modelOf = (id: string) => callJson<ModelEntry>(`${stack.baseUrl}/v1/models/${id}`, { token: customer.apiKey });

/** Sends a request; returns its response, its receipt, and what the vendor billed. */
async function paid(path: string, body: object) {
  const since = await stack.simulator.lastSeq();
  const response = body instanceof FormData ? await sendForm(path, body) : await send(path, body);
  expect([path, response.status]).toEqual([path, 200]);
  const requestId = String(response.headers['x-request-id']);
  const receipt = await eventually(() =>
    customer.receipt<{ model: string; price_version: string; cost_usd: string }>(requestId),
  );
  const [call] = await stack.simulator.closedJournal(since);
  if (call?.billed == null) throw new Error('the simulator billed nothing');
  return { response, receipt, call, billed: call.billed };
}

const sendForm = async (path: string, form: FormData) =>
  fullResponse(stack.baseUrl, { path, key: customer.apiKey, ...(await encodedForm(form)) });

const contents = [{ role: 'user', parts: [{ text: 'Say hello' }] }];
const google = (method: string): string => `/v1beta/models/gp-5-pro:${method}`;

/** Each client dialect, whole and streamed, with a model near its end. */
const EVERY_DIALECT: readonly (readonly [name: string, path: string, body: object])[] = [
  ...[false, true].flatMap((stream) =>
    (
      [
        ['/v1/chat/completions', { messages }],
        ['/v1/completions', { prompt: 'Say hello', max_tokens: 200 }],
        ['/v1/messages', { messages, max_tokens: 200 }],
        ['/v1/responses', { input: 'Say hello' }],
      ] as const
    ).map(
      ([path, fields]) =>
        [`${path}${stream ? ', streamed' : ''}`, path, { model: 'gp-5-pro', stream, ...fields }] as const,
    ),
  ),
  ['generateContent', google('generateContent'), { contents }],
  ['streamGenerateContent', google('streamGenerateContent'), { contents }],
  ['streamGenerateContent, as events', `${google('streamGenerateContent')}?alt=sse`, { contents }],
];

const nanoOf = (usd: string): bigint => BigInt(Math.round(Number(usd) * 1e9));

describe('a retired model', () => {
  it('is served by its successor, at its price, and every response says so', async () => {
    const request = {
      model: 'gemini-2.5-pro',
      messages,
      temperature: 0.2,
      presence_penalty: 1,
      reasoning_effort: 'minimal',
    };
    const { response, receipt, call, billed } = await paid('/v1/chat/completions', request);
    expect(call.model).toBe('gemini-3.8-flash');
    expect(response.headers['x-gateway-filled']).toContain('upstream_model=gemini-3.8-flash');
    expect(response.headers.deprecation).toBe('@1793491200');
    expect(response.headers.link).toBe('</v1/models/gm-3.8-flash>; rel="successor-version"');
    expect(JSON.parse(response.body.toString())).toMatchObject({ model: 'gm-2.5-pro' });
    expect(receipt).toMatchObject({ model: 'gm-2.5-pro', price_version: 'gm-3.8-flash@2026-09-02' });
    const cost = expectedCost(await modelOf('gm-3.8-flash'), billed);
    expect(nanoOf(receipt.cost_usd)).toBe(cost);
    expect(cost).toBeLessThan(expectedCost({ id: 'old', pricing: { per_million: OLD_PRICE } }, billed));
  });

  it('costs what its quote says', async () => {
    const body = { model: 'gm-2.5-pro', max_tokens: 20, messages };
    const quoted = await stack.accounts.quote(customer.apiKey, { endpoint: 'messages', body });
    expect(quoted).toMatchObject({ valid: true, model: 'gm-2.5-pro', price_version: 'gm-3.8-flash@2026-09-02' });
    const { receipt } = await paid('/v1/messages', body);
    expect(receipt.price_version).toBe('gm-3.8-flash@2026-09-02');
  });

  it('makes and edits images too', async () => {
    const made = await paid('/v1/images/generations', { model: 'gp-image-1', prompt: 'A kite', quality: 'low' });
    expect(made.call.model).toBe('gpt-image-2');
    expect(made.response.headers['x-gateway-filled']).toContain('upstream_model=gpt-image-2');
    expect(nanoOf(made.receipt.cost_usd)).toBe(expectedCost(await modelOf('gp-image-2'), made.billed));
    const form = new FormData();
    for (const [field, value] of Object.entries({ model: 'gp-image-1.5', prompt: 'x', quality: 'low' }))
      form.set(field, value);
    form.set(
      'image',
      new Blob([Uint8Array.from(createPng({ width: 64, height: 64 }))], { type: 'image/png' }),
      'a.png',
    );
    const edited = await paid('/v1/images/edits', form);
    expect(edited.receipt).toMatchObject({ model: 'gp-image-1.5', price_version: 'gp-image-2@2026-04-21' });
    expect(edited.response.headers['x-gateway-filled']).toContain('upstream_model=gpt-image-2');
  });

  it('keeps the form of the legacy edits: its sizes, its URLs, and about its price', async () => {
    const form = new FormData();
    const fields = { model: 'de-2', prompt: 'x', size: '256x256', response_format: 'url' };
    for (const [field, value] of Object.entries(fields)) form.set(field, value);
    form.set(
      'image',
      new Blob([Uint8Array.from(createPng({ width: 64, height: 64 }))], { type: 'image/png' }),
      'a.png',
    );
    const { response, receipt, call, billed } = await paid('/v1/images/edits', form);
    expect(call.model).toBe('gpt-image-2');
    expect(response.headers['x-gateway-filled']).toBe('upstream_model=gpt-image-2, size=1024x1024, quality=low');
    const { data } = JSON.parse(response.body.toString()) as { data: { url: string; b64_json?: string }[] };
    expect(data[0]?.b64_json).toBeUndefined();
    const image = Buffer.from(String(data[0]?.url).replace('data:image/png;base64,', ''), 'base64');
    expect(image.subarray(1, 4).toString()).toBe('PNG');
    expect(nanoOf(receipt.cost_usd)).toBe(expectedCost(await modelOf('gp-image-2'), billed));
    expect(Number(receipt.cost_usd)).toBeLessThan(0.016);
  });

  it('embeds under its old name, and has said so since its end', async () => {
    const { response, receipt } = await paid('/v1/embeddings', { model: 'text-embedding-004', input: 'x' });
    expect(response.headers['x-gateway-filled']).toBe('upstream_model=gemini-embedding-001');
    expect(receipt.price_version).toBe('gm-embedding-001@2025-07-14');
  });

  it('shows its end and its successor in the list', async () => {
    expect(await modelOf('gm-2.5-pro')).toMatchObject({
      shutdown_date: '2026-12-01',
      successor: 'gm-3.8-flash',
      served_by: 'gm-3.8-flash',
      upstream_model: 'gemini-3.8-flash',
    });
    expect(await modelOf('cl-opus-4-7')).toMatchObject({ shutdown_date: null, successor: null });
  });

  it('is refused without charge if nothing serves it, and the refusal names another model', async () => {
    const { status, body } = await send('/v1/images/generations', { model: 'dall-e-3', prompt: 'A kite' });
    expect([status, JSON.parse(body.toString())]).toMatchObject([
      400,
      { error: { code: 'model_not_found', message: expect.stringContaining("Use 'gp-image-2'.") } },
    ]);
  });
});

describe('a model that retires within 30 days', () => {
  it('warns of its end in every response, errors included', async () => {
    const { response } = await paid('/v1/chat/completions', { model: 'gp-5-pro', messages });
    const refused = await send('/v1/chat/completions', { model: 'gp-5-pro', messages, max_tokens: 1 });
    expect(refused.status).toBe(400);
    for (const { headers } of [response, refused]) {
      expect(headers.sunset).toBe('Fri, 11 Dec 2026 00:00:00 GMT');
      expect(headers.link).toBe('</v1/models/gp-5.4-pro>; rel="successor-version"');
      expect(headers['x-gateway-filled'] ?? '').not.toContain('upstream_model');
    }
  });

  it.each(EVERY_DIALECT)('warns of its end on %s', async (_name, path, body) => {
    const response = await send(path, body);
    const refused = await send(path, { ...body, temperature: 'warm', generationConfig: 'warm' });
    expect([response.status, refused.status]).toEqual([200, 400]);
    for (const { headers } of [response, refused])
      expect(headers).toMatchObject({
        deprecation: '@1794355200',
        sunset: 'Fri, 11 Dec 2026 00:00:00 GMT',
        link: '</v1/models/gp-5.4-pro>; rel="successor-version"',
      });
  });

  it('warns of its end with the result that is kept', async () => {
    const request = { path: '/v1/chat/completions', key: customer.apiKey, body: { model: 'gp-5-pro', messages } };
    const taken = await fullResponse(stack.baseUrl, { ...request, headers: { prefer: 'wait=60' } });
    expect(taken.status).toBe(200);
    const result = await fullResponse(stack.baseUrl, {
      method: 'GET',
      path: `/v1/requests/${taken.headers['x-request-id']}/result`,
      key: customer.apiKey,
    });
    for (const { headers } of [taken, result]) expect(headers.sunset).toBe('Fri, 11 Dec 2026 00:00:00 GMT');
  });

  it('warns of its end on every turn of a socket, errors included', async () => {
    const socket = new WebSocket(`${stack.baseUrl.replace('http', 'ws')}/v1/responses`, {
      headers: { authorization: `Bearer ${customer.apiKey}` },
    } as never);
    const events: { readonly type: string; readonly headers?: object }[] = [];
    socket.addEventListener('message', ({ data }) => events.push(JSON.parse(String(data))));
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    const turn = async (more: object) => {
      events.length = 0;
      socket.send(JSON.stringify({ type: 'response.create', model: 'gp-5-pro', input: 'Say hello', ...more }));
      await eventually(async () => expect(events.at(-1)?.type).toMatch(/^(response\.completed|error)$/));
      return [...events];
    };
    const warning = {
      sunset: 'Fri, 11 Dec 2026 00:00:00 GMT',
      link: '</v1/models/gp-5.4-pro>; rel="successor-version"',
    };
    const served = await turn({});
    expect(served[0]).toMatchObject({ type: 'response.created', headers: warning });
    expect(served.at(-1)?.type).toBe('response.completed');
    expect((await turn({ temperature: 'warm' })).at(-1)).toMatchObject({ type: 'error', headers: warning });
    const retired = await turn({ model: 'gm-2.5-pro' });
    expect(retired[0]).toMatchObject({
      headers: { deprecation: '@1793491200', 'x-gateway-filled': expect.stringContaining('upstream_model=') },
    });
    expect((await turn({ model: 'dall-e-3' })).at(-1)).toMatchObject({
      error: { message: expect.stringContaining("Use 'gp-image-2'.") },
    });
    socket.close();
  });

  it('leaves the books consistent', async () => {
    await waitUntilSettled(stack, [customer]);
    await expectConsistentLedger(stack, [customer]);
  });
});

const OLD_PRICE = { input_token: '1.25', cached_input_token: '0.125', output_token: '10' };
