import type { QwenImageResponse } from '@gateway/contracts';
import { nanoOf, openResponse, readEvents, startTestStack } from '@gateway/testing';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import OpenAI, { BadRequestError } from 'openai';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';
import { PIXEL_PNG } from '../support/samples.js';
import { IMAGES_PATH, ImageRequests, imageAt, imageIn } from './image-requests.js';

interface StyleB {
  readonly code: string;
  readonly message: string;
  readonly request_id: string;
}

const stack = await startTestStack();
afterAll(() => stack.stop());
afterEach(() => stack.simulator.clearFaults());

const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });
const imageRequests = await ImageRequests.open(stack, customer);
/** The official client: only its address and its key are changed. */
const client = new OpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey: customer.apiKey, maxRetries: 0 });

type Generate = OpenAI.Images.ImageGenerateParamsNonStreaming;
/** Vendor fields that the client library does not type. */
const generate = (body: object) => client.images.generate(body as Generate);

const text = { text: 'A poster that says HELLO' };
const image = { image: 'https://cdn.example.com/1.png' };
const qwen = (model: string, content: readonly object[], parameters?: object) =>
  imageRequests.post({ model, input: { messages: [{ role: 'user', content }] }, ...(parameters && { parameters }) });

describe('the Qwen-style family', () => {
  it.each([
    ['qn-image-2.0', [text]],
    ['qn-image-2.0-pro', [text]],
    ['qn-image-max', [text]],
    ['qn-image-edit', [image, text]],
    ['qn-image-edit-plus', [image, image, text]],
    ['qn-image-edit-max', [image, image, image, text]],
  ])('%s returns an image that can be fetched, at the price of one', async (model, content) => {
    let url = '';
    const money = await imageRequests.moneyOf(async () => {
      const response = await qwen(model, content, { watermark: false, seed: 12, prompt_extend: true });
      expect({ status: response.status, text: response.text }).toMatchObject({ status: 200 });
      const { request_id, output, usage } = response.json<QwenImageResponse>();
      expect(request_id).not.toBe('');
      expect(output.choices).toHaveLength(1);
      expect(output.choices[0]).toMatchObject({ finish_reason: 'stop', message: { role: 'assistant' } });
      expect(usage).toEqual({ image_count: 1, width: 1024, height: 1024 });
      expect(nanoOf(String(response.headers['x-cost-usd']))).toBeGreaterThan(0n);
      url = output.choices[0]?.message.content[0]?.image ?? '';
    });
    expect(await imageAt(url)).toEqual({ type: 'png', width: 1024, height: 1024 });
    expect(money.calls[0]?.billed?.units).toEqual({ image: 1 });
    imageRequests.expectExact(model, money);
  });

  it('accepts every size and returns the nearest one that the vendor supports', async () => {
    for (const [size, width, height] of [
      ['1024*1024', 1024, 1024],
      ['1664*928', 1664, 928],
      ['1472*1140', 1472, 1104],
      ['1328*1328', 1328, 1328],
      ['1140*1472', 1104, 1472],
      ['928*1664', 928, 1664],
      ['1280*720', 1280, 720],
      ['720*1280', 720, 1280],
    ] as const) {
      for (const model of ['qn-image-2.0', 'qn-image-max']) {
        const response = await qwen(model, [text], { size, n: 1 });
        expect({ size, status: response.status }).toEqual({ size, status: 200 });
        expect(response.json<QwenImageResponse>().usage).toMatchObject({ width, height });
      }
    }
  });

  it('forwards input and parameters unchanged, except for the default size', async () => {
    const parameters = { negative_prompt: 'blur', prompt_extend: false, some_new_field: { a: 1 } };
    const input = { messages: [{ role: 'user', content: [text] }], some_other: true };
    await imageRequests.post({ model: 'qwen-image-2.0', input, parameters });
    expect(await imageRequests.lastReceived()).toEqual({
      model: 'qwen-image-2.0',
      input,
      parameters: { ...parameters, size: '1024*1024' },
    });
    await qwen('qn-image-edit', [image, text]);
    expect(await imageRequests.lastReceived()).toMatchObject({ model: 'qwen-image-edit', parameters: {} });
  });

  it.each([
    ['an editing model without an image', 'qn-image-edit', [text], undefined],
    ['four images', 'qn-image-edit-plus', [image, image, image, image, text], undefined],
    ['a missing text', 'qn-image-edit', [image], undefined],
    ['two images to make', 'qn-image-2.0', [text], { n: 2 }],
    ['an invalid size', 'qn-image-2.0', [text], { size: '100*100' }],
    ['an address without https', 'qn-image-edit', [{ image: 'http://a.example/1.png' }, text], undefined],
  ])('rejects %s in Style B for free', async (_what, model, content, parameters) => {
    const money = await imageRequests.moneyOf(async () => {
      const response = await qwen(model, content, parameters);
      expect(response.status).toBe(400);
      const body = response.json<StyleB>();
      expect(body).toMatchObject({ code: 'InvalidParameter', message: expect.stringContaining("'") });
      expect(body.request_id).toBe(response.headers['x-request-id']);
    });
    expect(money).toEqual({ calls: [], settlements: [] });
  });

  it("returns the vendor's own rejection unchanged", async () => {
    const money = await imageRequests.moneyOf(async () => {
      const response = await qwen('qn-image-2.0', [{ text: '{{sim blocked}} something bad' }]);
      expect(response.status).toBe(400);
      expect(response.json<StyleB>()).toMatchObject({
        code: 'DataInspectionFailed',
        message: 'Input data may contain inappropriate content.',
        request_id: expect.any(String),
      });
      const unreachable = await qwen('qn-image-edit', [{ image: 'https://nowhere.invalid/1.png' }, text]);
      expect(unreachable.json<StyleB>().message).toBe('download image failed');
    });
    expect(money.settlements.map(({ costNanoUsd }) => costNanoUsd)).toEqual([0n, 0n]);
  });

  it('returns 402 and 429 in its own style', async () => {
    const poor = await stack.createCustomer();
    const body = { model: 'qn-image-2.0', input: { messages: [{ role: 'user', content: [text] }] } };
    const rejected = await imageRequests.post(body, poor.apiKey);
    expect([rejected.status, rejected.headers['x-balance-usd']]).toEqual([402, '0.00']);
    expect(rejected.json<{ error: { message: string } }>().error.message).not.toBe('');
    const { key } = await customer.newKey({ rpm: 1 });
    await imageRequests.post(body, key);
    const throttled = await imageRequests.post(body, key);
    expect(throttled.status).toBe(429);
    expect(throttled.json<StyleB>()).toMatchObject({
      code: 'Throttling.RateQuota',
      request_id: throttled.headers['x-request-id'],
    });
  });
});

describe('GP image', () => {
  it.each(['gp-image-2', 'gp-image-1.5', 'gp-image-1'])('%s works with the official client', async (model) => {
    const money = await imageRequests.moneyOf(async () => {
      const response = await client.images.generate({
        model,
        prompt: 'A red kite',
        n: 2,
        size: '1536x1024',
        quality: 'low',
        background: 'transparent',
        output_format: 'webp',
        moderation: 'low',
        user: 'u-1',
      });
      expect(response).toMatchObject({
        output_format: 'webp',
        quality: 'low',
        size: '1536x1024',
        background: 'transparent',
      });
      expect(response.data?.map(({ b64_json }) => imageIn(b64_json))).toEqual(
        new Array(2).fill({ type: 'webp', width: 1536, height: 1024 }),
      );
      expect(response.usage?.input_tokens_details).toEqual({ text_tokens: 3, image_tokens: 0 });
    });
    expect(money.settlements[0]?.units).toMatchObject({ input_token: 3, output_image_token: expect.any(Number) });
    expect(money.settlements[0]?.isEstimated).toBe(false);
    imageRequests.expectExact(model, money);
  });

  it('accepts response_format base64, which is its only format', async () => {
    const { data } = await client.images.generate({ model: 'gp-image-1', prompt: 'kite', response_format: 'b64_json' });
    expect(imageIn(data?.[0]?.b64_json)).toMatchObject({ type: 'png' });
  });

  it('returns images of any allowed size', async () => {
    const response = await client.images.generate({
      model: 'gp-image-2',
      prompt: 'x',
      size: '3840x1280',
      quality: 'low',
    });
    expect(imageIn(response.data?.[0]?.b64_json)).toEqual({ type: 'png', width: 3840, height: 1280 });
  });

  it('streams partial images, then the whole one with its cost', async () => {
    const money = await imageRequests.moneyOf(async () => {
      const stream = await client.images.generate({
        model: 'gp-image-2',
        prompt: 'A red kite',
        quality: 'high',
        stream: true,
        partial_images: 3,
      });
      const events = [];
      for await (const event of stream) events.push(event);
      const partial = 'image_generation.partial_image';
      expect(events.map(({ type }) => type)).toEqual([partial, partial, partial, 'image_generation.completed']);
      for (const event of events) expect(imageIn(event.b64_json)).toEqual({ type: 'png', width: 1024, height: 1024 });
      const last = events.at(-1);
      expect(last?.type === 'image_generation.completed' && last.usage.output_tokens).toBe(7_334);
    });
    imageRequests.expectExact('gp-image-2', money);
  });

  it('charges a client that leaves after a partial image the whole image', async () => {
    const money = await imageRequests.moneyOf(async () => {
      const body = { model: 'gp-image-1', prompt: 'leave {{sim chunk_ms=200}}', stream: true, partial_images: 3 };
      const response = await openResponse(stack.baseUrl, { path: IMAGES_PATH, key: customer.apiKey, body });
      let events = 0;
      for await (const piece of readEvents(response.message)) {
        if (piece.kind === 'data') events += 1;
        if (events === 2) return response.disconnect();
      }
    });
    expect(money.settlements[0]).toMatchObject({ outcome: 'completed', isEstimated: false });
    imageRequests.expectExact('gp-image-1', money);
  });

  it('charges the documented table where the vendor returns no usage', async () => {
    const money = await imageRequests.moneyOf(() =>
      client.images.generate({
        model: 'gp-image-1',
        prompt: '{{sim no_usage}} kite',
        size: '1024x1536',
        quality: 'medium',
      }),
    );
    expect(money.settlements[0]).toMatchObject({ isEstimated: true, units: { output_image_token: 1_584 } });
    imageRequests.expectExact('gp-image-1', money);
  });

  it("returns the vendor's own rejections", async () => {
    const request = { model: 'gp-image-2', prompt: 'x' } as const;
    await expect(client.images.generate({ ...request, response_format: 'url' })).rejects.toMatchObject({
      status: 400,
      code: 'unknown_parameter',
      param: 'response_format',
      message: "400 Unknown parameter: 'response_format'.",
    });
    await expect(client.images.generate({ ...request, size: '1000x1000' as '1024x1024' })).rejects.toMatchObject({
      status: 400,
      param: 'size',
    });
    await expect(client.images.generate({ ...request, prompt: '{{sim blocked}}' })).rejects.toMatchObject({
      status: 400,
      code: 'moderation_blocked',
      type: 'image_generation_user_error',
    });
    await expect(generate({ ...request, style: 'vivid' })).rejects.toBeInstanceOf(BadRequestError);
  });
});

describe('the Seedream family', () => {
  it.each(['seedream-4.0', 'seedream-4.5', 'seedream-5.0-lite'])('%s works with the official client', async (model) => {
    const money = await imageRequests.moneyOf(async () => {
      const response = await generate({ model, prompt: 'A glass chess set on snow.', size: '2K', watermark: false });
      expect(response).toMatchObject({ model, usage: { generated_images: 1, output_tokens: 16_384 } });
      expect(await imageAt(response.data?.[0]?.url ?? '')).toEqual({ type: 'jpeg', width: 2048, height: 2048 });
    });
    expect(money.calls[0]?.billed?.units).toEqual({ image: 1 });
    imageRequests.expectExact(model, money);
  });

  it('charges the images of a sequence that were generated and returns the errors of the others', async () => {
    const money = await imageRequests.moneyOf(async () => {
      const response = await generate({
        model: 'seedream-4.5',
        prompt: 'Four seasons of the same street. {{sim failed_images=1}}',
        image: [PIXEL_PNG, 'https://cdn.example.com/style.png'],
        size: '2048x1024',
        sequential_image_generation: 'auto',
        sequential_image_generation_options: { max_images: 4 },
        response_format: 'b64_json',
      });
      const [failed, ...made] = response.data ?? [];
      expect(failed).toMatchObject({ error: { code: 'OutputImageSensitiveContentDetected' } });
      expect(made.map(({ b64_json }) => imageIn(b64_json))).toEqual(
        new Array(3).fill({ type: 'jpeg', width: 2048, height: 1024 }),
      );
    });
    expect(money.settlements[0]?.units).toEqual({ image: 3 });
    imageRequests.expectExact('seedream-4.5', money);
  });

  it("streams the vendor's own events under the public model id", async () => {
    const money = await imageRequests.moneyOf(async () => {
      const stream = await generate({
        model: 'seedream-4-5-251128',
        prompt: 'Two posters.',
        sequential_image_generation: 'auto',
        sequential_image_generation_options: { max_images: 2 },
        stream: true,
      });
      const events: Record<string, unknown>[] = [];
      for await (const event of stream as unknown as AsyncIterable<Record<string, unknown>>) events.push(event);
      expect(events).toMatchObject([
        { type: 'image_generation.partial_succeeded', image_index: 0, size: '2048x2048' },
        { type: 'image_generation.partial_succeeded', image_index: 1, size: '2048x2048' },
        { type: 'image_generation.completed', usage: { generated_images: 2 } },
      ]);
      expect(events.map(({ model }) => model)).toEqual(new Array(3).fill('seedream-4.5'));
    });
    imageRequests.expectExact('seedream-4.5', money);
  });

  it('charges the images of a stream that arrived, after failures and after a client left', async () => {
    const send = async (directive: string, readEventsAtMost: number): Promise<string[]> => {
      const body = {
        model: 'seedream-4.0',
        prompt: `Three posters. {{sim ${directive}}}`,
        sequential_image_generation: 'auto',
        sequential_image_generation_options: { max_images: 3 },
        stream: true,
      };
      const response = await openResponse(stack.baseUrl, { path: IMAGES_PATH, key: customer.apiKey, body });
      const events: string[] = [];
      for await (const piece of readEvents(response.message)) {
        if (piece.kind === 'data') events.push(piece.text);
        if (events.length === readEventsAtMost) response.disconnect();
      }
      return events;
    };
    const whole = await imageRequests.moneyOf(async () => {
      const events = await send('failed_images=1', 99);
      expect(events.at(-1)).toBe('[DONE]');
      expect(events[0]).toContain('OutputImageSensitiveContentDetected');
    });
    expect(whole.settlements).toMatchObject([{ units: { image: 2 }, isEstimated: false }]);
    imageRequests.expectExact('seedream-4.0', whole);
    const left = await imageRequests.moneyOf(() => send('hang_after=2', 2).catch(() => undefined));
    expect(left.settlements).toMatchObject([{ units: { image: 2 }, isEstimated: true, outcome: 'aborted' }]);
    imageRequests.expectExact('seedream-4.0', left);
  });

  it("returns the vendor's rejection unchanged and charges nothing", async () => {
    const money = await imageRequests.moneyOf(async () => {
      await expect(generate({ model: 'seedream-4.5', prompt: 'x', seed: 5 })).rejects.toMatchObject({
        status: 400,
        code: 'InvalidParameter',
        param: 'seed',
        message: expect.stringContaining('is not supported by the current model'),
      });
    });
    expect(money.settlements).toMatchObject([{ costNanoUsd: 0n }]);
  });
});

describe('the Grok family', () => {
  it.each([
    ['grok-imagine-image', {}, { image: 3 }],
    ['grok-imagine-image-quality', { resolution: '2k' }, { image: 3 }],
    ['grok-imagine-image-2.0', { resolution: '1.5k', quality: 'low' }, { image_1_5k_low: 3 }],
  ])('%s works with the official client', async (model, more, units) => {
    const money = await imageRequests.moneyOf(async () => {
      const response = await generate({
        model,
        prompt: 'A red kite over a lake.',
        n: 3,
        aspect_ratio: '16:9',
        ...more,
      });
      expect(response.data).toHaveLength(3);
      const head = await imageAt(response.data?.[2]?.url ?? '');
      expect(head.width / head.height).toBeCloseTo(16 / 9, 1);
      expect(response.created).toEqual(expect.any(Number));
      expect(response.usage).toMatchObject({ input_tokens: 0, output_tokens: 0, total_tokens: 0 });
      expect(response.usage).not.toHaveProperty('cost_in_usd_ticks');
    });
    expect(money.settlements[0]?.units).toEqual(units);
    imageRequests.expectExact(model, money);
  });

  it('makes images from images on the same path and counts them', async () => {
    const money = await imageRequests.moneyOf(async () => {
      const images = [{ url: PIXEL_PNG, type: 'image_url' }, { url: 'https://cdn.example.com/kite.png' }];
      const response = await generate({
        model: 'grok-imagine-image-2.0',
        prompt: 'Make the kite blue.',
        images,
        response_format: 'b64_json',
      });
      expect(imageIn(response.data?.[0]?.b64_json)).toMatchObject({ type: 'jpeg' });
    });
    expect(money.calls[0]?.path).toBe('/xai/v1/images/edits');
    expect(money.settlements[0]?.units).toEqual({ image_1k_medium: 1, input_image: 2 });
    imageRequests.expectExact('grok-imagine-image-2.0', money);
  });

  it("edits by xAI's JSON on the path of edits, and by no other model's", async () => {
    const edit = (model: string, more: object) =>
      fetch(`${stack.baseUrl}/v1/images/edits`, {
        method: 'POST',
        headers: { authorization: `Bearer ${customer.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, prompt: 'Make it blue.', response_format: 'b64_json', ...more }),
      });
    const image = { url: PIXEL_PNG, type: 'image_url' };
    const money = await imageRequests.moneyOf(async () => {
      const response = await edit('grok-imagine-image-2.0', { image, aspect_ratio: '16:9' });
      const { data } = (await response.json()) as OpenAI.ImagesResponse;
      expect(imageIn(data?.[0]?.b64_json)).toMatchObject({ type: 'jpeg' });
    });
    expect(money.calls[0]?.path).toBe('/xai/v1/images/edits');
    expect(money.settlements[0]?.units).toEqual({ image_1k_medium: 1, input_image: 1 });
    imageRequests.expectExact('grok-imagine-image-2.0', money);
    const refused = await imageRequests.moneyOf(async () => {
      for (const [model, body, status, param] of [
        ['grok-imagine-image', {}, 400, 'image'],
        ['gp-image-2', { image }, 415, null],
      ] as const) {
        const response = await edit(model, body);
        expect(response.status).toBe(status);
        expect(await response.json()).toMatchObject({ error: { param } });
      }
    });
    expect(refused.calls).toEqual([]);
  });

  it('charges nothing for images that moderation withholds', async () => {
    const money = await imageRequests.moneyOf(() =>
      generate({ model: 'grok-imagine-image', prompt: '{{sim failed_images=2}}', n: 3 }),
    );
    expect(money.settlements[0]?.units).toEqual({ image: 1 });
    imageRequests.expectExact('grok-imagine-image', money);
  });

  it('refuses a size that is none', async () => {
    await expect(generate({ model: 'grok-imagine-image', prompt: 'x', size: '2k' })).rejects.toMatchObject({
      status: 400,
      param: 'size',
      message: expect.stringContaining('WIDTHxHEIGHT'),
    });
  });
});

describe('an unhealthy upstream', () => {
  it.each([
    ['dashscope', { model: 'qn-image-max', input: { messages: [{ role: 'user', content: [text] }] } }],
    ['openai', { model: 'gp-image-2', prompt: 'x' }],
    ['ark', { model: 'seedream-4.0', prompt: 'x' }],
    ['xai', { model: 'grok-imagine-image', prompt: 'x' }],
  ])('%s costs nothing', async (vendor, body) => {
    await stack.simulator.fault({ vendor, status: 503 });
    const money = await imageRequests.moneyOf(async () => {
      expect((await imageRequests.post(body)).status).toBeGreaterThanOrEqual(502);
    });
    expect(money.settlements).toMatchObject([{ costNanoUsd: 0n, outcome: 'failed' }]);
  });
});

it('leaves a consistent ledger', async () => {
  await waitUntilSettled(stack, [customer]);
  await expectConsistentLedger(stack, [customer]);
});
