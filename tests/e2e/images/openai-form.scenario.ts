import { createPng, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import OpenAI, { BadRequestError, toFile } from 'openai';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { ImageRequests, imageAt, imageIn } from './image-requests.js';

const stack = await startTestStack();
afterAll(() => stack.stop());

const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });
const imageRequests = await ImageRequests.open(stack, customer);
/** The official client: only its address and its key are changed. */
const client = new OpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey: customer.apiKey, maxRetries: 0 });

const ids = imageRequests.models.map(({ id }) => id);
const editsOnly = (id: string): boolean => id.startsWith('qn-image-edit');
const editors = imageRequests.models
  .filter(({ endpoints }) => endpoints.includes('/v1/images/edits'))
  .map(({ id }) => id);
/** These always return base64, and refuse to be asked for it otherwise. */
const isOwnForm = (id: string): boolean => id.startsWith('gp-');

const headOf = ({ url, b64_json: base64 }: OpenAI.Images.Image) =>
  url === undefined || url.startsWith('data:') ? imageIn(base64 ?? url?.split(',')[1]) : imageAt(url);

const png = (side = 512) => toFile(createPng({ width: side, height: side }), 'a.png', { type: 'image/png' });

describe("the client's images.generate", () => {
  it.each(ids.filter((id) => !editsOnly(id)))(
    'makes two images by %s, each charged as the vendor bills it',
    async (model) => {
      const money = await imageRequests.moneyOf(async () => {
        const request = client.images.generate({ model, prompt: 'A kite', n: 2, size: '1024x1024' });
        const { data: response, response: raw } = await request.withResponse();
        expect(response.created).toBeGreaterThan(1_700_000_000);
        expect(response.data).toHaveLength(2);
        for (const image of response.data ?? [])
          expect(await headOf(image)).toMatchObject({ width: expect.any(Number) });
        expect(raw.headers.get('x-cost-usd')).not.toBe('0');
      });
      imageRequests.expectExact(model, money);
    },
  );

  it.each(ids.filter((id) => !editsOnly(id) && !isOwnForm(id)))(
    'returns the image itself by %s on request',
    async (model) => {
      const money = await imageRequests.moneyOf(async () => {
        const { data } = await client.images.generate({ model, prompt: 'A kite', response_format: 'b64_json' });
        expect(data).toHaveLength(1);
        expect(imageIn(data?.[0]?.b64_json).width).toBeGreaterThan(100);
      });
      imageRequests.expectExact(model, money);
    },
  );

  it('reports what it made of a size, and which hints are not sent', async () => {
    const changes = async (model: string, more: object) => {
      const body = {
        model,
        prompt: 'A kite',
        size: '1536x1024',
        style: 'vivid',
        user: 'u',
        safety_identifier: 'h',
        ...more,
      } as const;
      const { headers } = await imageRequests.post(body);
      return [headers['x-gateway-filled'], headers['x-gateway-dropped']];
    };
    expect(await changes('qn-image-2.0', {})).toEqual([
      expect.stringContaining('size=1472x1140'),
      'style, user, safety_identifier',
    ]);
    expect(await changes('gm-3-pro-image-preview', {})).toEqual([
      expect.stringContaining('size=1K%203:2'),
      'style, user, safety_identifier',
    ]);
    expect(await changes('grok-imagine-image', {})).toEqual([
      expect.stringContaining('size=2k%203:2'),
      'style, user, safety_identifier',
    ]);
  });

  it('stores nothing with the vendor where the family would', async () => {
    await client.images.generate({ model: 'gm-2.5-flash-image', prompt: 'A kite' });
    expect(await imageRequests.lastReceived()).toMatchObject({ store: false });
  });

  it.each([
    ['a quality that the family lacks', 'qn-image-2.0', { quality: 'high' }, 'quality'],
    ['a transparent background', 'seedream-4.5', { background: 'transparent' }, 'background'],
    ['a stream', 'gm-3-pro-image-preview', { stream: true }, 'stream'],
    ['an impossible size', 'qn-image-2.0', { size: '1024*1024' }, 'size'],
    ['a format that the family lacks', 'gm-2.5-flash-image', { output_format: 'webp' }, 'output_format'],
    ['an unknown field', 'qn-image-2.0', { steps: 5 }, 'steps'],
    ['too many images', 'qn-image-2.0', { n: 11 }, 'n'],
    ['a model that only edits', 'qn-image-edit', {}, 'image'],
  ])('refuses %s for free, in words that the client shows', async (_what, model, more, param) => {
    const money = await imageRequests.moneyOf(async () => {
      const body = { model, prompt: 'A kite', ...more } as OpenAI.Images.ImageGenerateParamsNonStreaming;
      const error = await client.images.generate(body).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(BadRequestError);
      expect(error).toMatchObject({ status: 400, param, message: expect.stringContaining(`'${param}'`) });
    });
    expect(money).toEqual({ calls: [], settlements: [] });
  });

  it("shows the vendor's own refusal in the client's form", async () => {
    const error = await client.images
      .generate({ model: 'qn-image-2.0', prompt: '{{sim blocked}} something bad' })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 400, message: expect.stringContaining('inappropriate content') });
  });

  it('costs what its quote says', async () => {
    const body = { model: 'qn-image-2.0', prompt: 'A kite', n: 3 };
    const quoted = await stack.accounts.quote(customer.apiKey, { endpoint: 'images.generations', body });
    expect(quoted).toMatchObject({ valid: true, hold_units: { image: 3 } });
    const edit = { model: 'grok-imagine-image-2.0', prompt: 'A kite', image: 2 };
    const quotedEdit = await stack.accounts.quote(customer.apiKey, { endpoint: 'images.edits', body: edit });
    expect(quotedEdit).toMatchObject({ valid: true, hold_units: { input_image: 2, image_1k_medium: 1 } });
  });
});

describe("the client's images.edit", () => {
  it.each(editors.filter((id) => !isOwnForm(id)))('edits an image by %s', async (model) => {
    const money = await imageRequests.moneyOf(async () => {
      const { data } = await client.images.edit({ model, prompt: 'Make it night', image: await png() });
      expect(data).toHaveLength(1);
      expect(imageIn(data?.[0]?.b64_json).width).toBeGreaterThan(100);
    });
    imageRequests.expectExact(model, money);
    expect(JSON.stringify(await imageRequests.lastReceived())).toContain('Make it night');
  });

  it.each(editors.filter((id) => !isOwnForm(id)))('returns an address by %s on request', async (model) => {
    const { data } = await client.images.edit({ model, prompt: 'x', image: await png(), response_format: 'url' });
    expect(await headOf({ url: data?.[0]?.url ?? '' })).toMatchObject({ width: expect.any(Number) });
  });

  it('takes several references, and makes several images of them', async () => {
    const money = await imageRequests.moneyOf(async () => {
      const image = [await png(), await png(400)];
      const { data } = await client.images.edit({ model: 'qn-image-edit-plus', prompt: 'Join them', image, n: 2 });
      expect(data).toHaveLength(2);
    });
    expect(money.calls).toHaveLength(2);
    imageRequests.expectExact('qn-image-edit-plus', money);
  });

  it.each([
    ['a mask', { mask: true }, 'mask'],
    ['a fidelity', { input_fidelity: 'high' }, 'input_fidelity'],
    ['too many images', { count: 4 }, 'image'],
  ] as const)('refuses %s', async (_what, more, param) => {
    const count = 'count' in more ? more.count : 1;
    const body = {
      model: 'qn-image-edit',
      prompt: 'x',
      image: await Promise.all(Array.from({ length: count }, () => png())),
      ...('mask' in more && { mask: await png() }),
      ...('input_fidelity' in more && { input_fidelity: more.input_fidelity }),
    };
    await expect(client.images.edit(body)).rejects.toMatchObject({ status: 400, param });
  });
});

it('leaves a consistent ledger', async () => {
  await expectConsistentLedger(stack, [customer]);
});
