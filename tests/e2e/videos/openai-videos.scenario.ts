import { eventually, fullResponse, nanoOf, startTestStack } from '@gateway/testing';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import OpenAI, { APIError, toFile } from 'openai';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';
import { PIXEL_PNG } from '../support/samples.js';
import { shareDispatcher } from '../support/share-dispatcher.js';
import { TASK_WITHIN_MS, VIDEOS_PATH, VideoRequests } from './video-requests.js';

shareDispatcher();

const stack = await startTestStack();
// The gateway keeps videos where it knows its own address. The batch-worker fetches them.
await stack.system.instance('video-worker').stop();
await stack.system.add('video-worker', { PUBLIC_API_URL: stack.baseUrl });
await stack.system.add('batch-worker');
afterAll(() => stack.stop());
afterEach(() => stack.simulator.clearFaults());

const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });
const stranger = await stack.createCustomer({ creditUsd: '10' });
const videoRequests = await VideoRequests.open(stack, customer);
const clientOf = ({ apiKey }: { readonly apiKey: string }) =>
  new OpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey, maxRetries: 0 });
const client = clientOf(customer);

const PNG = Buffer.from(PIXEL_PNG.split(',')[1] ?? '', 'base64');
const LONG_IMAGE = `data:image/png;base64,${Buffer.concat([PNG, Buffer.alloc(400_000, 7)]).toString('base64')}`;
const USUAL = { model: 'wn2.7-t2v', prompt: 'A paper boat', seconds: '4', size: '1280x720' } as const;

type Creation = Parameters<typeof client.videos.create>[0];

/** The video once it has ended. */
const untilEnded = (id: string) =>
  eventually(
    async () => {
      const video = await client.videos.retrieve(id);
      expect(['completed', 'failed']).toContain(video.status);
      return video;
    },
    { withinMs: TASK_WITHIN_MS, intervalMs: 200 },
  );

async function refusalOf(run: () => PromiseLike<unknown>): Promise<APIError> {
  try {
    await run();
  } catch (error) {
    if (error instanceof APIError) return error;
    throw error;
  }
  throw new Error('expected an error of the API');
}

/** What the vendor was sent for the last video. */
async function lastInput(tag: string): Promise<string> {
  const requests = await stack.simulator.requests(0);
  return requests.filter(({ body }) => body?.includes(tag) === true).at(-1)?.body ?? '';
}

describe("OpenAI's client", () => {
  it('creates a video, polls it, downloads it, and pays for its seconds', async () => {
    const before = nanoOf((await customer.balance()).balance_usd);
    const created = await client.videos.create(USUAL);
    expect(created).toMatchObject({
      object: 'video',
      model: 'wn2.7-t2v',
      status: 'queued',
      progress: 0,
      prompt: USUAL.prompt,
      seconds: '4',
      size: '1280x720',
      completed_at: null,
      error: null,
    });
    const video = await untilEnded(created.id);
    expect(video).toMatchObject({
      ...{ id: created.id, status: 'completed', progress: 100, seconds: '4', size: '1280x720', error: null },
      ...{ prompt: null, created_at: created.created_at, completed_at: expect.any(Number) },
    });
    const bytes = Buffer.from(await (await client.videos.downloadContent(created.id)).arrayBuffer());
    expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
    const record = await videoRequests.record(created.id);
    expect(record).toMatchObject({ id: created.id, status: 'succeeded', duration: 4, resolution: '720p' });
    await waitUntilSettled(stack, [customer]);
    const spent = before - nanoOf((await customer.balance()).balance_usd);
    expect(spent).toBe(videoRequests.costOf('wn2.7-t2v', 'second_720p', 4));
    expect(nanoOf(record.cost ?? '0')).toBe(spent);
  });

  it.each([
    ['wn2.6-i2v', { seconds: '5' }, '"img_url":"data:image/png;base64,'],
    ['wn2.7-i2v', { seconds: '5' }, '"type":"first_frame","url":"data:image/png;base64,'],
    ['wn2.7-r2v', { seconds: '5' }, '"type":"reference_image","url":"data:image/png;base64,'],
    ['seedance-2.0', { seconds: '4', size: '720x1280' }, '"role":"first_frame"'],
    ['grok-imagine-video', { seconds: '2' }, '"image":{"url":"data:image/png;base64,'],
    ['happyhorse-1.1-i2v', { seconds: '3' }, '"type":"first_frame","url":"data:image/png;base64,'],
  ])('begins a video of %s with an image, uploaded or kept', async (model, more, sent) => {
    const file = await client.files.create({
      file: await toFile(PNG, 'boat.png', { type: 'image/png' }),
      purpose: 'vision',
    });
    const references = [
      await toFile(PNG, 'boat.png', { type: 'image/png' }),
      { image_url: PIXEL_PNG },
      // OpenAI's library writes it as a text of its form.
      { image_url: LONG_IMAGE },
      { file_id: file.id },
    ];
    for (const input_reference of references) {
      const tag = videoRequests.tag();
      const body = { model, prompt: `A boat ${tag}`, ...more, input_reference } as Creation;
      const { id } = await client.videos.create(body);
      expect(await untilEnded(id)).toMatchObject({ status: 'completed', model });
      expect(await lastInput(tag)).toContain(sent);
    }
  });

  it('gets the same video for the same idempotency key, as a form too', async () => {
    const create = async () =>
      client.videos.create(
        {
          ...USUAL,
          model: 'wn2.6-i2v',
          input_reference: await toFile(PNG, 'boat.png', { type: 'image/png' }),
        },
        { headers: { 'Idempotency-Key': 'one-boat' } },
      );
    const [first, second] = [await create(), await create()];
    expect(second).toEqual(first);
    const other = await refusalOf(() =>
      client.videos.create({ ...USUAL, prompt: 'Another' }, { headers: { 'Idempotency-Key': 'one-boat' } }),
    );
    expect(other).toMatchObject({ status: 409, code: 'idempotency_conflict' });
  });

  it('passes the model’s own parameters, and a webhook', async () => {
    const tag = videoRequests.tag();
    const { id } = await client.videos.create({
      ...USUAL,
      prompt: `A boat ${tag}`,
      parameters: { watermark: true, seed: 7 },
      webhook_url: 'https://example.com/hook',
    } as Creation);
    await untilEnded(id);
    expect(JSON.parse(await lastInput(tag))).toMatchObject({ parameters: { watermark: true, seed: 7, duration: 4 } });
  });

  it('lists the videos of both forms, page by page, in both orders', async () => {
    const mine = await stack.createCustomer({ creditUsd: '100', limits: { rpm: 0, concurrency: 0 } });
    const own = clientOf(mine);
    const ids: string[] = [];
    for (const prompt of ['one', 'two', 'three']) ids.push((await own.videos.create({ ...USUAL, prompt })).id);
    const native = { model: 'seedance-2.0', duration: 4, input: { content: [{ type: 'text', text: 'four' }] } };
    ids.push((await videoRequests.submit(native, { key: mine.apiKey })).id);
    const listed = async (order: 'asc' | 'desc') => {
      const found: string[] = [];
      for await (const { id } of own.videos.list({ limit: 2, order })) found.push(id);
      return found;
    };
    // A Seedance task has its vendor's id once it is submitted.
    await eventually(async () => expect((await own.videos.list({ limit: 1 })).data[0]?.id).toMatch(/^cgt-/));
    const [newest] = (await own.videos.list({ limit: 1 })).data;
    const all = [...ids.slice(0, 3), newest?.id];
    expect(await listed('asc')).toEqual(all);
    expect(await listed('desc')).toEqual([...all].reverse());
    const refused = await refusalOf(() => own.videos.list({ after: 'task_nothing' }));
    expect(refused).toMatchObject({ status: 400, param: 'after' });
  });

  it('learns why a video failed, which costs nothing', async () => {
    const { id } = await client.videos.create({ ...USUAL, prompt: 'A boat {{sim task_fail=DataInspectionFailed}}' });
    const video = await untilEnded(id);
    expect(video).toMatchObject({ status: 'failed', completed_at: null, error: { code: expect.any(String) } });
    expect(video.error?.message).toMatch(/\w/);
    const refused = await refusalOf(() => client.videos.downloadContent(id));
    expect(refused).toMatchObject({ status: 404 });
    expect(nanoOf((await videoRequests.record(id)).cost ?? '')).toBe(0n);
  });

  it('waits for what is not completed, and deletes what is', async () => {
    const { id } = await client.videos.create(USUAL);
    const early = await refusalOf(() => client.videos.downloadContent(id));
    expect(early).toMatchObject({ status: 409, code: 'request_in_progress' });
    await untilEnded(id);
    // The gateway fetches the vendor's file after the end. Until then, it sends the client there.
    const content = {
      method: 'HEAD',
      redirect: 'manual',
      headers: { authorization: `Bearer ${customer.apiKey}` },
    } as const;
    await eventually(
      async () => expect((await fetch(`${stack.baseUrl}/v1/videos/${id}/content`, content)).status).toBe(200),
      { withinMs: TASK_WITHIN_MS },
    );
    const part = await client.videos.downloadContent(id, {}, { headers: { range: 'bytes=0-7' } });
    expect({ status: part.status, length: (await part.arrayBuffer()).byteLength }).toEqual({ status: 206, length: 8 });
    expect(await client.videos.delete(id)).toEqual({ id, object: 'video.deleted', deleted: true });
    expect(await refusalOf(() => client.videos.downloadContent(id))).toMatchObject({ status: 404 });
    expect(await client.videos.retrieve(id)).toMatchObject({ id, status: 'completed' });
  });

  it.each([
    [{ ...USUAL, seconds: '99' }, 'seconds'],
    [{ ...USUAL, seconds: 'five' }, 'seconds'],
    [{ ...USUAL, size: '1792x1024' }, 'size'],
    [{ ...USUAL, model: 'wn2.6-i2v' }, 'input_reference'],
    [{ ...USUAL, input_reference: { image_url: PIXEL_PNG } }, 'input_reference'],
    [{ ...USUAL, input_reference: { image_url: PIXEL_PNG, file_id: 'file-1' } }, 'input_reference'],
    [{ ...USUAL, model: 'wn2.6-i2v', input_reference: { file_id: 'file-1' } }, 'input_reference.file_id'],
    [{ ...USUAL, parameters: { duration: 5 } }, 'parameters.duration'],
    [{ ...USUAL, n: 2 }, 'n'],
    [{ model: 'wn2.7-t2v' }, 'prompt'],
    [{ ...USUAL, model: 'gm-2.5-flash' }, 'model'],
    [{ prompt: 'A boat' }, 'model'],
  ])('is refused %j by name, free', async (body, param) => {
    const before = (await customer.balance()).balance_usd;
    const refused = await refusalOf(() => client.videos.create(body as unknown as Creation));
    expect({ param: refused.param, isRefused: /^4\d\d$/.test(String(refused.status)) }).toEqual({
      param,
      isRefused: true,
    });
    expect(refused.message).toContain(param === 'model' ? 'model' : `'${param}'`);
    expect((await customer.balance()).balance_usd).toBe(before);
  });

  it('is refused a file that is no image, and a second one', async () => {
    const text = await toFile(Buffer.from('no image'), 'boat.txt', { type: 'text/plain' });
    const refused = await refusalOf(() =>
      client.videos.create({ ...USUAL, model: 'wn2.6-i2v', input_reference: text } as Creation),
    );
    expect(refused).toMatchObject({ status: 400, param: 'input_reference' });
    const stored = await client.files.create({ file: text, purpose: 'user_data' });
    const kept = await refusalOf(() =>
      client.videos.create({ ...USUAL, model: 'wn2.6-i2v', input_reference: { file_id: stored.id } }),
    );
    expect(kept).toMatchObject({ status: 400, param: 'input_reference.file_id' });
  });

  it('sees no video of a stranger, and none with a key for other endpoints', async () => {
    const { id } = await client.videos.create(USUAL);
    const other = clientOf(stranger);
    for (const run of [
      () => other.videos.retrieve(id),
      () => other.videos.downloadContent(id),
      () => other.videos.delete(id),
    ]) {
      expect(await refusalOf(run)).toMatchObject({ status: 404 });
    }
    expect((await other.videos.list()).data).toEqual([]);
    await untilEnded(id);
  });

  it.each(['thumbnail', 'spritesheet'] as const)('is refused the %s, which no vendor makes', async (variant) => {
    const refused = await refusalOf(() => client.videos.downloadContent('task_x', { variant }));
    expect(refused).toMatchObject({ status: 400, param: 'variant' });
  });

  it('reads the hold', async () => {
    const response = await fullResponse(stack.baseUrl, { path: '/v1/videos', key: customer.apiKey, body: USUAL });
    expect(response.status).toBe(200);
    const held = nanoOf(String(response.headers['x-held-usd']));
    expect(held).toBe(videoRequests.costOf('wn2.7-t2v', 'second_720p', 4));
    const { id } = response.json<{ id: string }>();
    await untilEnded(id);
  });
});

it('leaves the other form as it was', async () => {
  const response = await fullResponse(stack.baseUrl, { method: 'GET', path: VIDEOS_PATH, key: customer.apiKey });
  expect(response.json<{ data: readonly { object: string }[] }>().data[0]?.object).toBe('video.task');
});

it('leaves a consistent ledger', async () => {
  await waitUntilSettled(stack, [customer, stranger]);
  await eventually(async () => expectConsistentLedger(stack, [customer]), { withinMs: 60_000 });
});
