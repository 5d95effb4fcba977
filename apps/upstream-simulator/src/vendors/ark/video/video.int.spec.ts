import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readImageSize } from '../../../media/image-size.js';
import { readMovie } from '../../../test-support/read-mp4.js';
import { TaskClient } from '../../../test-support/task-client.js';

const client = await TaskClient.start('/ark/api/v3/contents/generations/tasks');
beforeEach(() => client.useNewAccount());

const V20 = 'dreamina-seedance-2-0-260128';
const V15 = 'seedance-1-5-pro-251215';
const V10 = 'seedance-1-0-pro-250528';
const LITE = 'seedance-1-0-lite-i2v-250428';
const text = (words: string) => ({ type: 'text', text: words });
const item = (type: 'image_url' | 'video_url' | 'audio_url', role?: string, url = 'https://cdn.example.com/a') => ({
  type,
  [type]: { url },
  ...(role !== undefined && { role }),
});
const image = (role?: string) => item('image_url', role);
const images = (count: number) => new Array(count).fill(image('reference_image'));
const toVideoDraft = (id: string) => ({ type: 'draft_task', draft_task: { id } });
const bodyOf = (model: string, more: object = {}): object => ({ model, content: [text('a fox')], ...more });
const UNREACHABLE = 'https://x.invalid/1';
const withContent = (...content: readonly object[]) => bodyOf(V20, { content });
const withImage = (address: string) => withContent(item('image_url', undefined, address));
const directed = (words: string, more: object = {}) =>
  bodyOf(V20, { content: [text(`a fox {{sim ${words}}}`)], ...more });

const create = (body: object) => client.post('', body);
const started = async (body: object): Promise<string> => (await create(body)).body.id;
const query = async (id: string) => (await client.get(`/${id}`)).body;
const finished = async (body: object) => {
  const id = await started(body);
  await client.move('finish');
  return query(id);
};
const remove = (id: string) =>
  client.call('DELETE', `/${id}`, undefined, { authorization: `Bearer ${client.credential}` });

type Row = [what: string, body: object, status: number, code: string, words: string];
const invalid = (what: string, body: object, words: string): Row => [what, body, 400, 'InvalidParameter', words];

describe('creating a video', () => {
  it.each([
    ['from text', bodyOf(V20)],
    ['of a Chinese name', bodyOf('doubao-seedance-2-0-260128')],
    ['from one image', bodyOf(V10, { content: [image()] })],
    ['between two images', bodyOf(V15, { content: [text('x'), image('first_frame'), image('last_frame')] })],
    ['from references', withContent(image('reference_image'), item('audio_url', 'reference_audio'))],
    ['from references of the lite model', bodyOf(LITE, { content: images(4) })],
    ['from the vendor library', withContent(item('image_url', 'first_frame', 'asset://a-1'))],
    ['of 57 frames', bodyOf(V10, { frames: 57 })],
    ['offline', bodyOf(V15, { service_tier: 'flex', execution_expires_after: 86_400 })],
    ['with a search', bodyOf(V20, { tools: [{ type: 'web_search' }], safety_identifier: 'u1', priority: 3 })],
  ])('accepts a task %s', async (_what, body) => {
    const { status, body: completion } = await create(body);
    expect({ status, completion }).toEqual({
      status: 200,
      completion: { id: expect.stringMatching(/^cgt-\d{14}-[0-9a-z]{5}$/) },
    });
  });

  it.each<Row>([
    ['no model', bodyOf(''), 400, 'MissingParameter', 'model'],
    ['no content', withContent(), 400, 'MissingParameter', 'content'],
    ['no prompt text', withContent(text('')), 400, 'MissingParameter', 'content.text'],
    ['another model', bodyOf('seedance-9'), 404, 'InvalidEndpointOrModel.NotFound', ''],
    invalid('an unsupported length', bodyOf(V20, { duration: 3 }), 'duration'),
    invalid('a length in a string', bodyOf(V20, { duration: '5' }), 'duration'),
    invalid('the length of another model', bodyOf(V15, { duration: 13 }), 'duration'),
    invalid('a resolution', bodyOf(V15, { resolution: '4k' }), 'resolution'),
    invalid('a ratio', bodyOf(V20, { ratio: '2:1' }), 'ratio'),
    invalid('a seed', bodyOf(V20, { seed: 2 ** 32 }), 'seed'),
    invalid('frames of a new model', bodyOf(V20, { frames: 57 }), 'frames'),
    invalid('frames between the steps', bodyOf(V10, { frames: 58 }), 'frames'),
    invalid('audio for a silent model', bodyOf(V10, { generate_audio: true }), 'generate_audio'),
    invalid('a fixed camera of a new model', bodyOf(V20, { camera_fixed: true }), 'camera_fixed'),
    invalid('a new model offline', bodyOf(V20, { service_tier: 'flex' }), 'service_tier'),
    invalid('an early expiry', bodyOf(V20, { execution_expires_after: 60 }), 'execution_expires_after'),
    invalid('a draft of another model', bodyOf(V20, { draft: true }), 'draft'),
    invalid('a large draft', bodyOf(V15, { draft: true, resolution: '720p' }), 'resolution'),
    invalid('a last frame of a draft', bodyOf(V15, { draft: true, return_last_frame: true }), 'return_last_frame'),
    invalid('a callback to nowhere', bodyOf(V20, { callback_url: 'nowhere' }), 'callback_url'),
    invalid('a flag out of bounds', bodyOf(V10, { content: [text('a fox --dur 99')] }), 'duration'),
    invalid('an unknown kind of content', withContent({ type: 'poem' }), 'content[0].type'),
    invalid('a role of another kind', withContent(item('video_url', 'first_frame')), 'content[0].role'),
    ['an image without an address', withImage(''), 400, 'MissingParameter', 'content[0].image_url.url'],
    ['an unreachable image', withImage(UNREACHABLE), 400, 'InvalidImageURL.InvalidFormat', 'content[0].image_url'],
    invalid(
      'an unreachable video',
      withContent(item('video_url', 'reference_video', UNREACHABLE)),
      'content[0].video_url.url',
    ),
    invalid('frames and references', withContent(image('first_frame'), image('reference_image')), 'content'),
    invalid('two images without roles', withContent(image(), image()), 'content'),
    invalid('references of a model without', bodyOf(V10, { content: images(1) }), 'content'),
    invalid('ten references', bodyOf(V20, { content: images(10) }), 'content'),
    invalid('audio alone', withContent(item('audio_url', 'reference_audio')), 'content'),
    ['a blocked prompt', directed('blocked'), 400, 'InputTextSensitiveContentDetected', ''],
  ])('refuses %s', async (_what, body, status, code, param) => {
    expect(await create(body)).toMatchObject({
      status,
      body: { error: { code, param, message: expect.stringMatching(/ Request id: \w+$/) } },
    });
  });

  it('names the bounds of a parameter', async () => {
    expect((await create(bodyOf(V20, { duration: 16 }))).body.error.message).toContain(
      'The parameter `duration` specified in the request is not valid: must be between 4 and 15.',
    );
  });

  it('reports a rate limit by requests, not images', async () => {
    expect(await create(directed('status=429 retry_after=7'))).toMatchObject({
      status: 429,
      body: { error: { code: 'ModelAccountRpmRateLimitExceeded', type: 'TooManyRequests' } },
    });
  });
});

describe('a task', () => {
  it('is queued, runs and succeeds', async () => {
    const id = await started(directed('task_seconds=1000', { return_last_frame: true, seed: 7 }));
    const common = { id, model: V20, service_tier: 'default', execution_expires_after: 172_800 };
    const times = { created_at: expect.any(Number), updated_at: expect.any(Number) };
    expect(await query(id)).toEqual({ ...common, ...times, status: 'queued' });
    await client.move(id, { state: 'running' });
    expect(await query(id)).toEqual({ ...common, ...times, status: 'running' });
    await client.move(id, { state: 'succeeded' });
    expect(await query(id)).toEqual({
      ...common,
      ...times,
      status: 'succeeded',
      error: null,
      content: { video_url: expect.stringMatching(/\.mp4$/), last_frame_url: expect.stringMatching(/\.png$/) },
      seed: 7,
      resolution: '720p',
      ratio: '16:9',
      duration: 5,
      framespersecond: 24,
      generate_audio: true,
      draft: false,
      usage: { completion_tokens: 108_900, total_tokens: 108_900 },
    });
  });

  it('returns a video, and its last frame on request', async () => {
    const { content } = await finished(bodyOf(V10, { frames: 57, ratio: '9:16', return_last_frame: true }));
    const bytes = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());
    const movie = readMovie(await bytes(content.video_url));
    expect(movie).toMatchObject({ width: 1088, height: 1920 });
    expect(movie.seconds.movie).toBe(57 / 24);
    expect(readImageSize(await bytes(content.last_frame_url))).toEqual({ format: 'png', width: 1088, height: 1920 });
    expect((await finished(bodyOf(V10))).content.last_frame_url).toBeUndefined();
  });

  it('reports frames instead of seconds if frames were requested', async () => {
    const record = await finished(bodyOf(V10, { frames: 57 }));
    expect([record.frames, record.duration]).toEqual([57, undefined]);
  });

  it('reads the flags of its text', async () => {
    const words = 'A fox wakes up. --rs 720p --rt 16:9 --dur 6 --fps 24 --seed 11 --cf false --wm true';
    expect(await finished(bodyOf(V10, { content: [text(words)] }))).toMatchObject({
      resolution: '720p',
      ratio: '16:9',
      duration: 6,
      seed: 11,
    });
  });

  it('has the ratio of a readable first frame', async () => {
    const made = await finished(bodyOf(V20, { ratio: '3:4', return_last_frame: true }));
    const frame = { type: 'image_url', image_url: { url: made.content.last_frame_url } };
    expect((await finished(withContent(frame))).ratio).toBe('3:4');
    expect((await finished(withContent(image()))).ratio).toBe('16:9');
  });

  it.each([
    ['task_fail', 'InternalServiceError', 'unexpected internal error'],
    ['task_fail=OutputVideoSensitiveContentDetected', 'OutputVideoSensitiveContentDetected', 'the output video may'],
  ])('with %s fails with %s', async (words, code, message) => {
    const record = await finished(directed(words));
    expect(record).toMatchObject({ status: 'failed', error: { code, message: expect.stringContaining(message) } });
    expect(record.content).toBeUndefined();
  });

  it('expires', async () => {
    expect(await finished(directed('task_times_out'))).toMatchObject({ status: 'expired' });
  });

  it('is not found if unknown, vanished or of another account', async () => {
    const notFound = { status: 404, body: { error: { code: 'NotFound.id', type: 'NotFound' } } };
    expect(await client.get('/cgt-1')).toMatchObject(notFound);
    const id = await started(bodyOf(V20));
    expect(await client.get(`/${id}`, 'other')).toMatchObject(notFound);
    expect(await client.get(`/${await started(directed('task_vanish'))}`)).toMatchObject(notFound);
  });

  it('reports a false state once, or errors, by directive', async () => {
    const id = await started(directed('task_seconds=0 task_lies poll_status=500 poll_times=1'));
    expect((await client.get(`/${id}`)).body.error.code).toBe('InternalServiceError');
    const reported: string[] = [];
    for (let poll = 0; poll < 3; poll += 1) reported.push((await query(id)).status);
    expect(reported).toEqual(['succeeded', 'running', 'succeeded']);
  });
});

describe('a draft', () => {
  const drafted = () =>
    started(
      bodyOf(V15, { content: [text('a girl holds a fox'), image()], draft: true, seed: 20, duration: 6, ratio: '1:1' }),
    );

  it('is small and cheap, and its final video repeats it', async () => {
    const id = await drafted();
    await client.move('finish');
    expect(await query(id)).toMatchObject({
      draft: true,
      resolution: '480p',
      usage: { completion_tokens: Math.floor((640 * 640 * 145 * 6) / 10_240) },
    });
    const own = { resolution: '1080p', duration: 4, seed: 1 };
    const final = await finished({ model: V15, content: [toVideoDraft(id)], ...own });
    const repeated = { ratio: '1:1', duration: 6, seed: 20 };
    expect(final).toMatchObject({ draft: false, draft_task_id: id, resolution: '1080p', ...repeated });
  });

  it('also repeats default values', async () => {
    const id = await started(bodyOf(V15, { draft: true }));
    await client.move('finish');
    const final = await finished({ model: V15, content: [toVideoDraft(id)], duration: 9, generate_audio: false });
    expect(final).toMatchObject({ duration: 5, generate_audio: true });
  });

  it('has a smaller discount without audio', async () => {
    const record = await finished(bodyOf(V15, { draft: true, generate_audio: false }));
    expect(record.usage.total_tokens).toBe(Math.floor((864 * 496 * 121 * 7) / 10_240));
    expect((await client.lastInvoice())?.billed?.units).toEqual({ video_token_silent: record.usage.total_tokens });
  });

  it('must be a success of the same model and account', async () => {
    const final = (id: string, model = V15) => create({ model, content: [toVideoDraft(id)] });
    const refusal = { status: 400, body: { error: { param: 'content.draft_task.id' } } };
    const id = await drafted();
    expect(await final(id)).toMatchObject(refusal);
    expect(await final('cgt-1')).toMatchObject(refusal);
    expect(await final(await started(bodyOf(V15)))).toMatchObject(refusal);
    expect(await final(id, V20)).toMatchObject({ status: 400, body: { error: { param: 'content' } } });
  });
});

describe('deleting', () => {
  const refusal = { status: 403, body: { error: { code: 'OperationDenied.InvalidState', type: 'Forbidden' } } };

  it('cancels a queued task, which is free', async () => {
    const id = await started(directed('queue_seconds=1000'));
    expect(await remove(id)).toMatchObject({ status: 200, body: {} });
    expect((await query(id)).status).toBe('cancelled');
    expect(await client.lastInvoice()).toMatchObject({ upstream_id: id, task_state: 'cancelled', billed: null });
    expect(await remove(id)).toMatchObject(refusal);
  });

  it('deletes the record of an ended task, which stays billed', async () => {
    const id = await started(directed('task_seconds=0'));
    expect((await remove(id)).status).toBe(200);
    expect((await client.get(`/${id}`)).status).toBe(404);
    expect(await client.lastInvoice()).toMatchObject({ upstream_id: id, billed: { units: { video_token: 108_900 } } });
  });

  it.each(['queue_seconds=0 task_hang', 'queue_seconds=1000 cancel_refused'])(
    'does not stop one with %s',
    async (words) => {
      expect(await remove(await started(directed(words)))).toMatchObject(refusal);
    },
  );
});

describe('the list', () => {
  it("contains the account's tasks, by page and filter", async () => {
    const done = await started(directed('task_seconds=0'));
    const failed = await started(directed('task_seconds=0 task_fail'));
    const flex = await started(bodyOf(V15, { service_tier: 'flex', content: [text('{{sim task_hang}}')] }));
    const list = async (filter: string): Promise<string[]> =>
      (await client.get(`?${filter}`)).body.items.map(({ id }: { id: string }) => id);
    expect((await client.get('?page_size=2')).body).toMatchObject({ total: 3, items: [{ id: flex }, { id: failed }] });
    expect(await list('page_size=2&page_num=2')).toEqual([done]);
    expect(await list('filter.status=succeeded')).toEqual([done]);
    expect(await list(`filter.model=${V15}`)).toEqual([flex]);
    expect(await list('filter.service_tier=flex')).toEqual([flex]);
    expect(await list(`filter.task_ids=${done}&filter.task_ids=${failed}`)).toEqual([failed, done]);
    expect((await client.get('?page_size=501')).status).toBe(400);
    expect((await client.get('', 'other')).body).toEqual({ total: 0, items: [] });
  });
});

describe('the invoice', () => {
  it.each([
    ['of 5 s', bodyOf(V20), { video_token: 108_900 }],
    ['of the first generation, which has no frame more', bodyOf(V10, { resolution: '720p' }), { video_token: 102_960 }],
    ['of its small tier', bodyOf(V10, { resolution: '480p' }), { video_token: 48_600 }],
    ['of its large tier', bodyOf(V10), { video_token: 244_800 }],
    ['of a higher-priced tier', bodyOf(V20, { resolution: '1080p' }), { video_token_1080p: 245_025 }],
    ['with a clip', withContent(item('video_url', 'reference_video')), { video_token_video_input: 108_900 }],
    [
      'silent, offline',
      bodyOf(V15, { generate_audio: false, service_tier: 'flex' }),
      { video_token_silent_flex: 108_900 },
    ],
    ['of other seconds than requested', directed('task_duration=10'), { video_token: 216_900 }],
  ])('bills the tokens %s', async (_what, body, units) => {
    const record = await finished(body);
    expect((await client.lastInvoice())?.billed?.units).toEqual(units);
    expect(record.usage.total_tokens).toBe(Object.values(units)[0]);
  });

  it('bills nothing for a failure, and all for a lost response', async () => {
    await finished(directed('task_fail'));
    expect(await client.lastInvoice()).toMatchObject({ task_state: 'failed', billed: null });
    await expect(create(directed('accept_then_drop task_seconds=0'))).rejects.toThrow();
    expect(await client.lastInvoice()).toMatchObject({ status: null, billed: { units: { video_token: 108_900 } } });
  });
});

describe('callbacks', () => {
  let listener: Server;
  let status: number;
  let reported: { status: string; id: string }[];

  beforeAll(async () => {
    listener = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => {
        body += part;
      });
      request.on('end', () => {
        reported.push(JSON.parse(body));
        response.writeHead(status).end();
      });
    });
    await new Promise<void>((ready) => listener.listen(0, '127.0.0.1', ready));
  });
  beforeEach(() => {
    status = 200;
    reported = [];
  });
  afterAll(() => new Promise((closed) => listener.close(closed)));

  const address = () => `http://127.0.0.1:${(listener.address() as AddressInfo).port}/hook`;
  /** Waits for that many callbacks. */
  const made = async (id: string, count: number) => {
    for (;;) {
      const { callbacks } = (await client.tasks()).tasks.find((task) => task.id === id) ?? { callbacks: [] };
      if (callbacks.length >= count) return callbacks;
    }
  };

  it('report each state of a task', async () => {
    const id = await started(directed('task_seconds=1000', { callback_url: address() }));
    await made(id, 1);
    await client.move(id, { state: 'running' });
    await made(id, 2);
    await client.move(id, { state: 'succeeded' });
    expect(await made(id, 3)).toEqual([
      { state: 'queued', status: 200 },
      { state: 'running', status: 200 },
      { state: 'succeeded', status: 200 },
    ]);
    expect(reported.map((body) => [body.id, body.status])).toEqual([
      [id, 'queued'],
      [id, 'running'],
      [id, 'succeeded'],
    ]);
    expect(reported[2]).toMatchObject({ content: { video_url: expect.any(String) }, usage: { total_tokens: 108_900 } });
  });

  it('retry the final state up to three times', async () => {
    status = 500;
    const id = await started(directed('task_hang', { callback_url: address() }));
    await made(id, 1);
    await client.move(id, { state: 'failed' });
    expect((await made(id, 5)).map(({ state }) => state)).toEqual(['queued', 'failed', 'failed', 'failed', 'failed']);
  });
});
