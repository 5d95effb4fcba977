import { callJson, createPng, eventually, fullResponse, type Quote, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';

const stack = await startTestStack();
afterAll(() => stack.stop());

const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });

interface Receipt {
  readonly hold_usd: string;
  readonly cost_usd: string;
  readonly price_version: string;
  readonly abort_contract: string;
  readonly lines: readonly { readonly unit: string; readonly count: number }[];
}

const quote = (body: object, token = customer.apiKey): Promise<Quote> => stack.accounts.quote(token, body);

const messagesOf = (content: string) => [{ role: 'user', content }];

/** One request for each endpoint and each way to count. */
const REQUESTS: readonly (readonly [endpoint: string, path: string, body: Record<string, unknown>])[] = [
  ['chat.completions', '/v1/chat/completions', { model: 'gm-2.5-flash', messages: messagesOf('Say hello') }],
  [
    'chat.completions',
    '/v1/chat/completions',
    { model: 'cl-sonnet-4-6', max_tokens: 30, messages: messagesOf('Say it') },
  ],
  [
    'chat.completions',
    '/v1/chat/completions',
    {
      model: 'gp-5.4-pro',
      messages: messagesOf('{{sim prompt_tokens=300000 cached_tokens=200000 reasoning_tokens=900}} go'),
    },
  ],
  ['responses', '/v1/responses', { model: 'gp-5.4-mini', input: 'Say hello' }],
  ['responses', '/v1/responses', { model: 'cl-sonnet-4-6', input: 'Say hello', max_output_tokens: 40 }],
  ['messages', '/v1/messages', { model: 'cl-opus-4-7', max_tokens: 300, messages: messagesOf('Say hello') }],
  ['messages', '/v1/messages', { model: 'gm-2.5-pro', max_tokens: 300, messages: messagesOf('Say hello') }],
  ['embeddings', '/v1/embeddings', { model: 'text-embedding-v4', input: Array(25).fill('the same text') }],
  ['embeddings', '/v1/embeddings', { model: 'vg-4-lite', input: 'one text' }],
  ['audio.speech', '/v1/audio/speech', { model: 'qn3-tts-flash', input: 'Hello 你好' }],
  ['images.generations', '/v1/images/generations', { model: 'gp-image-1', prompt: 'A kite', n: 2, quality: 'low' }],
  ['images.generations', '/v1/images/generations', { model: 'gm-2.5-flash-image', input: 'A kite' }],
  ['images.generations', '/v1/images/generations', { model: 'seedream-4.5', prompt: 'A kite' }],
  ['images.generations', '/v1/images/generations', { model: 'grok-imagine-image', prompt: 'A kite', n: 3 }],
];

async function receiptOf(path: string, body: object): Promise<Receipt> {
  const response = await fullResponse(stack.baseUrl, { path, key: customer.apiKey, body });
  expect([path, response.status]).toEqual([path, 200]);
  const requestId = String(response.headers['x-request-id']);
  return eventually(() => customer.receipt<Receipt>(requestId));
}

const unitsOf = ({ lines }: Receipt) => Object.fromEntries(lines.map(({ unit, count }) => [unit, count]));

describe('a quote', () => {
  it.each(REQUESTS)(
    'of %s at %s equals the hold of admission and the charge of settlement (%#)',
    async (endpoint, path, body) => {
      const before = await quote({ endpoint, body });
      expect(before).toMatchObject({ valid: true, is_affordable: true });
      const receipt = await receiptOf(path, body);
      const admitted = [receipt.hold_usd, receipt.price_version, receipt.abort_contract];
      expect([before.hold_usd, before.price_version, before.abort_contract]).toEqual(admitted);
      const after = await quote({ endpoint: path, body, units: unitsOf(receipt) });
      expect(after.estimate_usd).toBe(receipt.cost_usd);
    },
  );

  it('by a key with a spend cap is the hold that admission chooses within the cap', async () => {
    const { key } = await customer.newKey({ spend_cap_usd: '1' });
    const body = { model: 'gp-5.4-pro', messages: messagesOf('Be brief') };
    const capped = await quote({ endpoint: 'chat.completions', body }, key);
    expect(capped).toMatchObject({ valid: true, is_affordable: true, key_room_usd: '1.00' });
    const free = await quote({ endpoint: 'chat.completions', body });
    expect(free).toMatchObject({ key_room_usd: null });
    expect(Number(free.hold_usd)).toBeGreaterThan(Number(capped.hold_usd));
    const response = await fullResponse(stack.baseUrl, { key, body });
    expect(response.status).toBe(200);
    const receipt = await eventually(() => customer.receipt<Receipt>(String(response.headers['x-request-id'])));
    expect(receipt.hold_usd).toBe(capped.hold_usd);

    const { key: poor } = await customer.newKey({ spend_cap_usd: '0.0001' });
    expect(await quote({ endpoint: 'chat.completions', body }, poor)).toMatchObject({ is_affordable: false });
    const dollars = await customer.newKey({ caps: [{ period: 'day', measure: 'usd', limit: '0.0001' }] });
    expect(await quote({ endpoint: 'chat.completions', body }, dollars.key)).toMatchObject({
      is_affordable: false,
      key_room_usd: '0.0001',
    });
    const { key: few } = await customer.newKey({ caps: [{ period: 'month', measure: 'tokens', limit: 5_000 }] });
    const ofTokens = await quote({ endpoint: 'chat.completions', body }, few);
    expect(ofTokens).toMatchObject({ key_room_usd: null });
    const { status, headers } = await fullResponse(stack.baseUrl, { key: few, body });
    expect([status, ofTokens.is_affordable]).toEqual(ofTokens.is_affordable ? [200, true] : [402, false]);
    if (status === 200) expect(headers['x-gateway-filled']).toContain(`${ofTokens.output_cap}`);
  });

  it('of a form takes the number of its files', async () => {
    const fields = { model: 'gp-image-1', prompt: 'A hat', size: '1024x1024', quality: 'low', n: 2 };
    const before = await quote({ endpoint: 'images.edits', body: { ...fields, image: 2, mask: true } });
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
    const png = new Blob([Uint8Array.from(createPng({ width: 64, height: 64, hasAlpha: true }))], {
      type: 'image/png',
    });
    for (const name of ['image[]', 'image[]', 'mask']) form.append(name, png, 'a.png');
    const response = await fetch(`${stack.baseUrl}/v1/images/edits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.apiKey}` },
      body: form,
    });
    expect([response.status, (await response.bytes()).length > 0]).toEqual([200, true]);
    const receipt = await eventually(() => customer.receipt<Receipt>(String(response.headers.get('x-request-id'))));
    expect(before.hold_usd).toBe(receipt.hold_usd);
    const after = await quote({ endpoint: 'images.edits', body: { ...fields, image: 2 }, units: unitsOf(receipt) });
    expect(after.estimate_usd).toBe(receipt.cost_usd);
  });

  it('of an invalid request names the error and moves no money', async () => {
    const since = await stack.simulator.lastSeq();
    const before = await customer.balance();
    const wrong = { model: 'gp-5-pro', max_tokens: 5, messages: messagesOf('x') };
    const rejected = await quote({ endpoint: 'chat.completions', body: wrong });
    expect(rejected).toMatchObject({ valid: false, errors: [{ status: 400, param: 'max_tokens' }] });
    const unknown = await quote({ endpoint: 'embeddings', body: { model: 'unknown', input: 'x' } });
    expect(unknown).toMatchObject({ valid: false, errors: [{ code: 'model_not_found', param: 'model' }] });
    const misplaced = await quote({ endpoint: 'embeddings', body: { model: 'gm-2.5-pro', input: 'x' } });
    expect(misplaced).toMatchObject({ valid: false, errors: [{ code: 'endpoint_model_mismatch' }] });
    expect(await customer.balance()).toEqual(before);
    expect(await stack.simulator.lastSeq()).toBe(since);
  });

  it('applies the restrictions of its key and is free for a test key', async () => {
    const restricted = await customer.newKey({ models: ['gm-2.5-flash'] });
    const body = { model: 'gm-2.5-pro', messages: messagesOf('x') };
    const rejected = await quote({ endpoint: 'chat.completions', body }, restricted.key);
    expect(rejected).toMatchObject({ valid: false, errors: [{ status: 403, code: 'permission_denied' }] });
    const test = await customer.newKey({ test: true });
    const free = await quote({ endpoint: 'chat.completions', body }, test.key);
    expect(free).toMatchObject({ valid: true, estimate_usd: '0.00', hold_usd: '0.00' });
  });

  it("applies a customer's own price at once, as does the charge", async () => {
    const special = await stack.createCustomer({ creditUsd: '10' });
    const body = { model: 'grok-imagine-image', prompt: 'A kite' };
    const request = { endpoint: 'images.generations', body };
    const listed = await quote(request, special.apiKey);
    const { accountId } = special;
    const wrong = { model: 'grok-imagine-image', per_million: { output_token: '1' }, reason: 'a slip' };
    await expect(stack.accounts.addPrice(accountId, wrong)).rejects.toMatchObject({
      status: 400,
      body: { error: { param: 'per_million', message: expect.stringContaining('its units are image') } },
    });
    const { id } = await stack.accounts.addPrice(accountId, {
      model: 'grok-imagine-image',
      per_million: { image: '10000' },
      reason: 'a large customer',
    });
    const lower = await quote(request, special.apiKey);
    expect([listed.estimate_usd, lower.estimate_usd]).toEqual(['0.02', '0.01']);
    expect(lower.price_version).toBe(`${listed.price_version}+${id}`);
    const response = await fullResponse(stack.baseUrl, { path: '/v1/images/generations', key: special.apiKey, body });
    const receipt = await eventually(() => special.receipt<Receipt>(String(response.headers['x-request-id'])));
    expect(receipt).toMatchObject({ cost_usd: '0.01', hold_usd: '0.01', price_version: lower.price_version });
    const models = await callJson<{ data: { id: string; pricing: { version: string } }[] }>(
      `${stack.baseUrl}/v1/models`,
      { token: special.apiKey },
    );
    expect(models.data.find((model) => model.id === body.model)?.pricing.version).toBe(lower.price_version);
    await stack.accounts.addPrice(accountId, { model: 'grok-imagine-image', per_million: null, reason: 'it is over' });
    expect((await quote(request, special.apiKey)).price_version).toBe(listed.price_version);
    await expectConsistentLedger(stack, [special]);
  });

  it('names the invalid field of the quote request itself', async () => {
    const body = { model: 'gm-2.5-pro', messages: messagesOf('x') };
    for (const [request, param] of [
      [{ body }, 'endpoint'],
      [{ endpoint: 'nothing', body }, 'endpoint'],
      [{ endpoint: 'chat.completions' }, 'body'],
      [{ endpoint: 'chat.completions', body, units: { output_token: -1 } }, 'units.output_token'],
      [{ endpoint: 'chat.completions', body, more: 1 }, 'more'],
    ] as const) {
      await expect(quote(request)).rejects.toMatchObject({ status: 400, body: { error: { param } } });
    }
    await expect(quote({ endpoint: 'chat.completions', body }, 'sk-unknown')).rejects.toMatchObject({ status: 401 });
  });

  it('leaves a consistent ledger', () => expectConsistentLedger(stack, [customer]));
});
