import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createJpeg, createPng, eventually, fullResponse, startTestStack } from '@gateway/testing';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import OpenAI, { BadRequestError, toFile } from 'openai';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';
import { ImageRequests, imageAt, imageIn } from './image-requests.js';

const PATH = '/v1/images/edits';
const MEBIBYTE = 1024 * 1024;
const uploads = await mkdtemp(join(tmpdir(), 'edits-'));
const stack = await startTestStack({ env: { 'api-edge': { UPLOAD_DIRECTORY: uploads } } });
afterAll(async () => {
  await stack.stop();
  await rm(uploads, { recursive: true, force: true });
});
afterEach(() => stack.simulator.clearFaults());

const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });
const imageRequests = await ImageRequests.open(stack, customer, PATH);
/** The official client: only its address and its key are changed. */
const client = new OpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey: customer.apiKey, maxRetries: 0 });

const png = (options: Parameters<typeof createPng>[0]) => toFile(createPng(options), 'a.png', { type: 'image/png' });
const square = () => png({ width: 64, height: 64 });
const edge = stack.system.instance('api-edge');
const folder = join(uploads, `edge-${edge.ports.RELAY_PORT}`);

async function memoryOfEdge(): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(edge.pid)]);
  return Number(stdout) * 1024;
}

/** An image that the simulator made. */
const imageBase64 = await client.images
  .edit({ model: 'gp-image-2', prompt: 'x', image: await square(), output_format: 'webp', quality: 'low' })
  .then(({ data }) => data?.[0]?.b64_json ?? '');

describe('GP image', () => {
  it.each(['gp-image-2', 'gp-image-1.5', 'gp-image-1'])('%s streams an edit, with its cost', async (model) => {
    const money = await imageRequests.moneyOf(async () => {
      const stream = await client.images.edit({
        model,
        prompt: 'Replace the sky',
        image: [await square(), await square()],
        n: 2,
        quality: 'low',
        stream: true,
        partial_images: 1,
      });
      const events = [];
      for await (const event of stream) events.push(event);
      const one = ['image_edit.partial_image', 'image_edit.completed'];
      expect(events.map(({ type }) => type)).toEqual([...one, ...one]);
      for (const { b64_json } of events) expect(imageIn(b64_json)).toEqual({ type: 'png', width: 1024, height: 1024 });
    });
    expect(money.settlements[0]).toMatchObject({ isEstimated: false });
    imageRequests.expectExact(model, money);
  });

  it('charges a client that leaves its stream the whole images', async () => {
    const money = await imageRequests.moneyOf(async () => {
      const stream = await client.images.edit({
        model: 'gp-image-1',
        prompt: 'leave {{sim chunk_ms=200}}',
        image: await square(),
        stream: true,
        partial_images: 3,
      });
      for await (const { type } of stream) if (type === 'image_edit.partial_image') break;
    });
    expect(money.settlements[0]).toMatchObject({ outcome: 'completed', isEstimated: false });
    imageRequests.expectExact('gp-image-1', money);
  });

  it.each(['gp-image-2', 'gp-image-1.5', 'gp-image-1'])('%s edits an image', async (model) => {
    const money = await imageRequests.moneyOf(async () => {
      const response = await client.images.edit({
        model,
        prompt: 'Replace the sky',
        image: await square(),
        n: 2,
        size: '1024x1536',
        quality: 'low',
        background: 'transparent',
        output_format: 'webp',
        user: 'u-1',
      });
      expect(response).toMatchObject({
        created: expect.any(Number),
        background: 'transparent',
        output_format: 'webp',
        quality: 'low',
        size: '1024x1536',
      });
      expect(response.data?.map(({ b64_json }) => imageIn(b64_json))).toEqual(
        new Array(2).fill({ type: 'webp', width: 1024, height: 1536 }),
      );
      expect(response.usage?.input_tokens_details).toEqual({ text_tokens: 4, image_tokens: 194 });
    });
    expect(money.calls).toMatchObject([{ path: '/openai/v1/images/edits', model: model.replace('gp', 'gpt') }]);
    expect(money.settlements[0]?.units).toMatchObject({ input_token: 4, input_image_token: 194 });
    imageRequests.expectExact(model, money);
  });

  it('accepts several references of every format, a mask, and old names of qualities', async () => {
    const since = await stack.simulator.lastSeq();
    const money = await imageRequests.moneyOf(async () => {
      const response = await client.images.edit({
        model: 'gp-image-1',
        prompt: 'Put them together',
        image: [
          await square(),
          await toFile(createJpeg(30, 20), 'wrong-name.png', { type: 'image/png' }),
          await toFile(Buffer.from(imageBase64, 'base64'), 'c.webp', { type: 'image/webp' }),
        ],
        mask: await png({ width: 64, height: 64, hasAlpha: true }),
        quality: 'standard',
        response_format: 'url',
        input_fidelity: 'high',
      });
      expect(response).toMatchObject({ quality: 'medium' });
      expect(response.data?.[0]?.b64_json).toBeDefined();
    });
    const [received] = await stack.simulator.requests(since);
    expect(received?.body).toContain('content-type: image/jpeg');
    expect(received?.body).not.toContain('response_format');
    expect(money.settlements[0]?.units).toMatchObject({ input_image_token: 3 * 194 });
    imageRequests.expectExact('gp-image-1', money);
  });

  // Node collects the buffers of a stream only after some 64 MiB of them, so the uploads are larger than that.
  it('forwards every byte of large uploads, and never holds them whole in memory', async () => {
    const content = createPng({ width: 2048, height: 2048, bytes: 24 * MEBIBYTE });
    const upload = async () => {
      const image = [await toFile(content, 'a.png'), await toFile(content, 'b.png')];
      return client.images.edit({ model: 'gp-image-2', prompt: 'x', image, quality: 'low' });
    };
    const before = await memoryOfEdge();
    let highest = before;
    let isOver = false;
    const watching = (async () => {
      while (!isOver) highest = Math.max(highest, await memoryOfEdge());
    })();
    const since = await stack.simulator.lastSeq();
    const money = await imageRequests.moneyOf(() => Promise.all([upload(), upload()]));
    isOver = true;
    await watching;
    expect(highest - before).toBeLessThan(3.5 * content.length);
    expect(money.settlements.map(({ outcome }) => outcome)).toEqual(['completed', 'completed']);
    const received = await stack.simulator.requests(since);
    const sizes = received.map(({ headers }) => Number(headers['content-length']));
    expect(sizes.filter((size) => size > 2 * content.length)).toHaveLength(2);
  });
});

describe('the legacy family', () => {
  it.each([
    ['256x256', 'image_256'],
    ['512x512', 'image_512'],
    ['1024x1024', 'image_1024'],
  ] as const)('returns images of %s at their price', async (size, unit) => {
    const money = await imageRequests.moneyOf(async () => {
      const response = await client.images.edit({
        model: 'de-2',
        prompt: 'A hat',
        image: await square(),
        mask: await png({ width: 64, height: 64, hasAlpha: true }),
        n: 2,
        size,
        response_format: 'url',
      });
      const [side] = size.split('x').map(Number);
      expect(Object.keys(response).filter((name) => !name.startsWith('_'))).toEqual(['created', 'data']);
      expect(await imageAt(response.data?.[1]?.url ?? '')).toEqual({ type: 'png', width: side, height: side });
    });
    expect(money.settlements[0]?.units).toEqual({ [unit]: 2 });
    imageRequests.expectExact('de-2', money);
  });

  it('returns base64 by default', async () => {
    const response = await client.images.edit({ model: 'dall-e-2', prompt: 'A hat', image: await square() });
    expect(imageIn(response.data?.[0]?.b64_json)).toEqual({ type: 'png', width: 1024, height: 1024 });
  });
});

describe('rejected edits', () => {
  type Edit = OpenAI.Images.ImageEditParamsNonStreaming;
  const wide = () => png({ width: 64, height: 32, hasAlpha: true });
  const gif = () => toFile(Buffer.alloc(100, 'GIF89a'), 'a.png', { type: 'image/png' });
  const rejected: readonly (readonly [string, string, string, () => Promise<object>])[] = [
    ['a mask of another size', 'invalid_mask', 'mask', async () => ({ mask: await wide() })],
    ['a mask without alpha', 'invalid_mask', 'mask', async () => ({ mask: await square() })],
    ['a mask that is not PNG', 'invalid_mask', 'mask', async () => ({ mask: await gif() })],
    ['an unknown format', 'invalid_request', 'image', async () => ({ image: await gif() })],
    ['seventeen images', 'invalid_request', 'image', async () => ({ image: new Array(17).fill(await square()) })],
    ['no image', 'invalid_request', 'image', async () => ({ image: undefined })],
    ['no prompt', 'invalid_request', 'prompt', async () => ({ prompt: '' })],
    ['eleven images', 'invalid_request', 'n', async () => ({ n: 11 })],
    ['no images', 'invalid_request', 'n', async () => ({ n: 0 })],
    ['an unsupported large size', 'unsupported_value', 'size', async () => ({ size: '2048x2048' })],
    ['an unsupported small size', 'unsupported_value', 'size', async () => ({ size: '256x256' })],
    ['an unknown quality', 'invalid_request', 'quality', async () => ({ quality: 'best' })],
    ['an unknown output format', 'invalid_request', 'output_format', async () => ({ output_format: 'gif' })],
    [
      'a transparent JPEG',
      'invalid_request',
      'background',
      async () => ({ background: 'transparent', output_format: 'jpeg' }),
    ],
    ['an unknown field', 'unknown_parameter', 'style', async () => ({ style: 'vivid' })],
    ['a legacy stream', 'unsupported_parameter', 'stream', async () => ({ model: 'de-2', stream: true })],
    ['four partial images', 'invalid_request', 'partial_images', async () => ({ stream: true, partial_images: 4 })],
    ['an unsupported fidelity', 'unsupported_parameter', 'input_fidelity', async () => ({ input_fidelity: 'low' })],
    ['an unknown model', 'model_not_found', 'model', async () => ({ model: 'no-such-model' })],
    ['a model of another path', 'endpoint_model_mismatch', 'model', async () => ({ model: 'qn-image-max' })],
    [
      'a legacy image that is not square',
      'invalid_request',
      'image',
      async () => ({ model: 'de-2', image: await wide() }),
    ],
    [
      'two legacy images',
      'invalid_request',
      'image',
      async () => ({ model: 'de-2', image: [await square(), await square()] }),
    ],
    ['an unsupported legacy size', 'unsupported_value', 'size', async () => ({ model: 'de-2', size: '1536x1024' })],
    [
      'an unsupported legacy format',
      'unsupported_parameter',
      'output_format',
      async () => ({ model: 'de-2', output_format: 'png' }),
    ],
    [
      'a legacy image above the size limit',
      'invalid_request',
      'image',
      async () => ({ model: 'de-2', image: await png({ width: 8, height: 8, bytes: 4 * MEBIBYTE }) }),
    ],
  ];

  it.each(rejected)('rejects %s: %s', async (_what, code, param, invalid) => {
    const money = await imageRequests.moneyOf(async () => {
      const request = { model: 'gp-image-2', prompt: 'x', image: await square(), ...(await invalid()) };
      const error = await client.images.edit(request as Edit).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(BadRequestError);
      expect(error).toMatchObject({ code, param, type: 'invalid_request_error' });
    });
    expect(money).toEqual({ calls: [], settlements: [] });
  });

  it("returns the vendor's own rejection unchanged", async () => {
    const request = { model: 'gp-image-2', prompt: '{{sim blocked}}', image: await square() };
    await expect(client.images.edit(request)).rejects.toMatchObject({ status: 400, code: 'moderation_blocked' });
  });

  it("takes OpenAI's JSON in place of a form, and bills the same", async () => {
    const uri = (bytes: Buffer): string => `data:image/png;base64,${bytes.toString('base64')}`;
    const image = { image_url: uri(createPng({ width: 64, height: 64 })) };
    const mask = { image_url: uri(createPng({ width: 64, height: 64, hasAlpha: true })) };
    const edit = (more: object) =>
      fullResponse(stack.baseUrl, {
        path: PATH,
        key: customer.apiKey,
        body: { model: 'gp-image-2', prompt: 'Add a hat', n: 2, quality: 'low', user: null, ...more },
      });
    const money = await imageRequests.moneyOf(async () => {
      const response = await edit({ images: [image, image], mask });
      expect(response.status).toBe(200);
      expect(response.json<OpenAI.ImagesResponse>().data).toHaveLength(2);
    });
    expect(money.calls[0]?.path).toBe('/openai/v1/images/edits');
    expect(money.settlements).toHaveLength(1);
    const refused = await imageRequests.moneyOf(async () => {
      for (const [more, param] of [
        [{ images: [{ image_url: 'https://cdn.example.com/a.png' }] }, 'images[0].image_url'],
        [{ images: [{ file_id: 'file-abc' }] }, 'images[0].image_url'],
        [{ images: [{ image_url: 'data:image/png;base64,AAAA' }] }, 'image'],
        [{ images: [image], size: { width: 1 } }, 'size'],
      ] as const) {
        const response = await edit(more);
        expect(response.status).toBe(400);
        expect(response.json()).toMatchObject({ error: { param } });
      }
    });
    expect(refused).toEqual({ calls: [], settlements: [] });
  });

  it('accepts complete forms only', async () => {
    const json = await fullResponse(stack.baseUrl, { path: PATH, key: customer.apiKey, body: { model: 'gp-image-2' } });
    expect(json.status).toBe(415);
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    for (const body of [
      '',
      '--x\r\nbroken',
      '--x\r\ncontent-disposition: form-data; name="image"; filename="a"\r\n\r\nabc',
    ]) {
      const response = await fullResponse(stack.baseUrl, { path: PATH, key: customer.apiKey, headers, body });
      expect({ body, status: response.status }).toEqual({ body, status: 400 });
    }
    const elsewhere = { path: '/v1/chat/completions', key: customer.apiKey, headers, body: '--x--\r\n' };
    expect((await fullResponse(stack.baseUrl, elsewhere)).status).toBe(415);
    const tooLong = { ...headers, 'content-length': String(200 * MEBIBYTE) };
    const large = await fullResponse(stack.baseUrl, { path: PATH, key: customer.apiKey, headers: tooLong, body: 'x' });
    expect(large.status).toBe(413);
  });
});

describe('uploaded files', () => {
  it('are deleted after responses and rejections', async () => {
    await eventually(async () => expect(await readdir(folder)).toEqual([]), { intervalMs: 50 });
  });

  it('are deleted after a client disconnects during its upload', async () => {
    const head = '--x\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\n';
    const leaving = new AbortController();
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': String(10 * MEBIBYTE) };
    const body = head + 'x'.repeat(MEBIBYTE);
    const pending = fullResponse(stack.baseUrl, { path: PATH, key: customer.apiKey, headers, body }, leaving.signal);
    await eventually(async () => expect(await readdir(folder)).toHaveLength(1), { intervalMs: 20 });
    leaving.abort();
    await expect(pending).rejects.toThrow();
    await eventually(async () => expect(await readdir(folder)).toEqual([]), { intervalMs: 50 });
  });

  it('of a crashed process are deleted at its next start', async () => {
    await waitUntilSettled(stack, [customer]);
    await edge.kill();
    await writeFile(join(folder, 'left-behind'), 'x');
    await edge.start();
    expect(await readdir(folder)).toEqual([]);
  });
});

it('leaves a consistent ledger', async () => {
  await waitUntilSettled(stack, [customer]);
  await expectConsistentLedger(stack, [customer]);
});
