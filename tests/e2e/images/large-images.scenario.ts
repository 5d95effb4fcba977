import { createPng, encodedForm, MCP_CLIENTS, type RawRequest, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { expectReplay, IdempotentRequests, newKey, requestIdOf, withKey } from '../idempotency/idempotency-requests.js';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { IMAGES_PATH, ImageRequests, imageIn } from './image-requests.js';

/** Real models return megabytes; the simulator does on request. */
const IMAGE_BYTES = 6_000_000;
/** Any long string of the JSON. */
const imagesIn = (text: string): string[] => text.split('"').filter(({ length }) => length > 1_000_000);
const prompt = `{{sim picture_bytes=${IMAGE_BYTES}}} A lighthouse`;

const stack = await startTestStack();
afterAll(() => stack.stop());
await stack.system.add('mcp-server');
const otherEdge = await stack.system.add('api-edge');

const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });
const imageRequests = await ImageRequests.open(stack, customer);
const requests = new IdempotentRequests(stack, customer);

interface LargeCall extends RawRequest {
  readonly model: string;
  readonly images: number;
}

const generation = (images: number, body: { readonly model: string } & Record<string, unknown>): LargeCall => ({
  model: body.model,
  images,
  path: IMAGES_PATH,
  body,
});

async function edit(): Promise<LargeCall> {
  const form = new FormData();
  form.set('model', 'gp-image-2');
  form.set('prompt', prompt);
  form.set('image', new File([Uint8Array.from(createPng({ width: 64, height: 64 }))], 'a.png', { type: 'image/png' }));
  return { model: 'gp-image-2', images: 1, path: '/v1/images/edits', ...(await encodedForm(form)) };
}

const sequence = { sequential_image_generation: 'auto', sequential_image_generation_options: { max_images: 3 } };
const base64 = { response_format: 'b64_json' };

const CALLS: readonly (readonly [string, LargeCall])[] = [
  ['four of GP image', generation(4, { model: 'gp-image-2', prompt, n: 4 })],
  ['a stream of GP image', generation(3, { model: 'gp-image-2', prompt, stream: true, partial_images: 2 })],
  ['an edit', await edit()],
  [
    'a sequence of Seedream',
    generation(3, { model: 'seedream-4.5', prompt: `three ${prompt}`, ...sequence, ...base64 }),
  ],
  ['Grok', generation(1, { model: 'grok-imagine-image', prompt, ...base64 })],
  ['an interaction', generation(1, { model: 'gm-3.1-flash-image-preview', input: prompt })],
];

describe('images of six megabytes', () => {
  it.each(CALLS)('arrive whole and are replayed under their key: %s', async (_what, { model, images, ...raw }) => {
    const headers = withKey(newKey(), raw.headers);
    const money = await imageRequests.moneyOf(async () => {
      const response = await requests.send({ ...raw, headers });
      expect({ status: response.status, text: response.status === 200 ? '' : response.text }).toEqual({
        status: 200,
        text: '',
      });
      const found = imagesIn(response.text);
      expect(found.map((data) => Buffer.from(data, 'base64').length)).toEqual(new Array(images).fill(IMAGE_BYTES));
      for (const data of found) expect(imageIn(data).width).toBeGreaterThan(0);
      expectReplay(response, await requests.send({ ...raw, headers }, otherEdge.url));
      expect(await stack.ledger.storedChunks(requestIdOf(response))).toBeGreaterThanOrEqual(images * 7);
    });
    expect(money.calls).toHaveLength(1);
    imageRequests.expectExact(model, money);
  });

  it('are read by the official client, whole and as a stream', async () => {
    const client = new OpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey: customer.apiKey, maxRetries: 0 });
    const { data = [] } = await client.images.generate({ model: 'gp-image-1.5', prompt, n: 2 });
    expect(data.map(({ b64_json = '' }) => Buffer.from(b64_json, 'base64').length)).toEqual([IMAGE_BYTES, IMAGE_BYTES]);
    const stream = await client.images.generate({ model: 'gp-image-1.5', prompt, stream: true, partial_images: 1 });
    const sizes: number[] = [];
    for await (const { b64_json } of stream) sizes.push(Buffer.from(b64_json, 'base64').length);
    expect(sizes).toEqual([IMAGE_BYTES, IMAGE_BYTES]);
  });

  it('arrive as content of a tool', async () => {
    const client = await MCP_CLIENTS['current release']({
      url: stack.system.mcpUrl as string,
      apiKey: customer.apiKey,
    });
    try {
      const { isError, content } = await client.call('generate_image', { model: 'gp-image-2', prompt });
      expect({ isError: isError ?? false, type: content[0]?.type }).toEqual({ isError: false, type: 'image' });
      const [image] = content;
      expect(Buffer.from(image?.type === 'image' ? image.data : '', 'base64').length).toBe(IMAGE_BYTES);
    } finally {
      await client.close();
    }
  });
});

it('leaves a consistent ledger', async () => {
  await expectConsistentLedger(stack, [customer]);
});
