import { beforeEach, describe, expect, it } from '@jest/globals';
import { readMovie } from '../../../test-support/read-mp4.js';
import { TaskClient } from '../../../test-support/task-client.js';

const client = await TaskClient.start('/xai/v1/videos');
beforeEach(() => client.useNewAccount());

const PLAIN = 'grok-imagine-video';
const NEWER = 'grok-imagine-video-1.5';
const image = { url: 'https://cdn.example.com/cat.png' };
const clip = { url: 'https://cdn.example.com/clip.mp4' };
const bodyOf = (more: object = {}): object => ({ model: PLAIN, prompt: 'a rocket', ...more });
const directed = (words: string, more: object = {}) => bodyOf({ prompt: `a rocket {{sim ${words}}}`, ...more });
const create = (body: object, work = 'generations') => client.post(`/${work}`, body);
const started = async (body: object, work?: string): Promise<string> => (await create(body, work)).body.request_id;
const query = (id: string) => client.get(`/${id}`);
const finished = async (body: object, work?: string) => {
  const id = await started(body, work);
  await client.move('finish');
  return (await query(id)).body;
};

describe('creating a video', () => {
  it.each([
    ['from text', bodyOf({ duration: 5, aspect_ratio: '16:9', resolution: '480p' })],
    ['from references', bodyOf({ duration: 8, reference_images: [image, image] })],
    ['from an image alone', { model: NEWER, resolution: '1080p', image: image }],
    ['from a file', bodyOf({ image: { file_id: 'file-1' } })],
    ['with voices', bodyOf({ model: NEWER, reference_audios: [{ voice_id: 'eve' }] })],
    ['of an alias', bodyOf({ model: 'grok-imagine-video-1.5-preview' })],
  ])('accepts a task %s', async (_what, body) => {
    const { status, body: completion } = await create(body);
    expect([status, completion]).toEqual([200, { request_id: expect.stringMatching(/^[0-9a-f-]{36}$/) }]);
  });

  it.each([
    ['no model', { model: undefined }, 422, 'missing field `model`'],
    ['another model', { model: 'grok-9' }, 404, 'does not exist'],
    ['no prompt', { prompt: '' }, 422, 'missing field `prompt`'],
    ['an image as a string', { image: 'https://a.example/1.png' }, 422, 'image: invalid type: string, expected a map'],
    ['an image without an address', { image: {} }, 422, 'image: missing field `url`'],
    ['an unreachable image', { image: { url: 'https://x.invalid/1.png' } }, 400, 'Failed to fetch'],
    ['one reference for many', { reference_images: image }, 422, 'expected a sequence'],
    ['eight references', { reference_images: new Array(8).fill(image) }, 400, 'At most 7'],
    ['references beside an image', { image: image, reference_images: [image] }, 400, 'cannot be combined'],
    ['a ratio', { aspect_ratio: '21:9' }, 422, 'aspect_ratio: unknown variant `21:9`'],
    ['a resolution', { resolution: '4k' }, 422, 'resolution: unknown variant `4k`'],
    ['a resolution of another model', { resolution: '1080p' }, 400, 'resolution 1080p is not supported'],
    [
      'a large one from references',
      { model: NEWER, resolution: '1080p', reference_images: [image] },
      400,
      'resolution 1080p',
    ],
    ['no length at all', { duration: 0 }, 400, 'between 1 and 15'],
    ['too long a one', { duration: 16 }, 400, 'between 1 and 15'],
    ['too long a one from references', { duration: 11, reference_images: [image] }, 400, 'between 1 and 10'],
    ['a length in a string', { duration: '5' }, 422, 'duration: invalid type: string'],
    ['voices of another model', { reference_audios: [{ voice_id: 'eve' }] }, 400, 'Argument not supported'],
    ['an unknown voice', { model: NEWER, reference_audios: [{ voice_id: 'bob' }] }, 400, 'Available voices: ara'],
    ['four voices', { model: NEWER, reference_audios: new Array(4).fill({ voice_id: 'eve' }) }, 400, 'At most 3'],
    ['a blocked prompt', { prompt: 'a rocket {{sim blocked}}' }, 400, 'content moderation'],
  ])('refuses %s', async (_what, body, status, words) => {
    expect(await create(bodyOf(body))).toMatchObject({ status, text: expect.stringContaining(words) });
  });

  it('reports a rate limit in its own format', async () => {
    expect(await create(directed('status=429 retry_after=2'))).toMatchObject({
      status: 429,
      body: {
        error: { message: 'Rate limit reached.', type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' },
      },
    });
  });

  it('refuses credentials', async () => {
    const wrong = (credential: string) =>
      client.post('/generations', bodyOf(), { authorization: `Bearer ${credential}` });
    expect([(await wrong('bad')).status, (await wrong('broke')).status]).toEqual([400, 403]);
  });
});

describe('a task', () => {
  it('is pending under 202, then done', async () => {
    const id = await started(directed('task_seconds=1000', { duration: 5 }));
    expect(await query(id)).toMatchObject({ status: 202, body: { status: 'pending', progress: 0 } });
    await client.move(id, { state: 'running' });
    expect((await query(id)).status).toBe(202);
    await client.move(id, { state: 'succeeded' });
    expect(await query(id)).toMatchObject({
      status: 200,
      body: {
        status: 'done',
        video: { url: expect.stringMatching(/\.mp4$/), duration: 5, respect_moderation: true },
        model: PLAIN,
        usage: { cost_in_usd_ticks: 2_500_000_000 },
        progress: 100,
      },
    });
  });

  it('returns a video of the requested shape', async () => {
    const { video } = await finished(bodyOf({ aspect_ratio: '2:3', duration: 3 }));
    const movie = readMovie(Buffer.from(await (await fetch(video.url)).arrayBuffer()));
    expect(movie.seconds.movie).toBe(3);
    expect(movie.width / movie.height).toBeCloseTo(2 / 3, 1);
  });

  it('is done and billed, without a video, if moderation rejects it', async () => {
    expect(await finished(directed('task_fail=moderation'))).toEqual({
      status: 'done',
      video: { duration: 6, respect_moderation: false },
      model: PLAIN,
      usage: { cost_in_usd_ticks: 6 * 500_000_000 },
      progress: 100,
    });
    expect(await client.lastInvoice()).toMatchObject({ task_state: 'failed', billed: { units: { second_480p: 6 } } });
  });

  it('fails under 200', async () => {
    expect(await finished(directed('task_fail'))).toEqual({
      status: 'failed',
      video: { duration: 0, respect_moderation: true },
      model: '',
      error: { code: 'internal_error', message: 'Video generation failed.' },
    });
  });

  it('may have an empty body while pending', async () => {
    expect(await query(await started(directed('task_hang poll_empty')))).toMatchObject({ status: 202, text: '' });
  });

  it('expires', async () => {
    expect(await finished(directed('task_times_out'))).toEqual({ status: 'expired', model: PLAIN });
  });

  it('is not found if unknown, vanished or of another account', async () => {
    const notFound = {
      status: 404,
      body: { code: 'Some requested entity was not found', error: 'Deferred request not found.' },
    };
    expect(await query('nothing')).toMatchObject(notFound);
    const id = await started(bodyOf());
    expect(await client.get(`/${id}`, 'other')).toMatchObject(notFound);
    expect(await query(await started(directed('task_vanish')))).toMatchObject(notFound);
  });

  it('reports a false state once, or errors, by directive', async () => {
    const id = await started(directed('task_seconds=0 task_lies poll_status=503 poll_times=1'));
    const statuses: number[] = [];
    for (let poll = 0; poll < 4; poll += 1) statuses.push((await query(id)).status);
    expect(statuses).toEqual([503, 200, 202, 200]);
  });
});

describe('changing a video', () => {
  it('edits a video at the same length', async () => {
    const source = (await finished(bodyOf({ duration: 7, resolution: '720p' }))).video.url;
    const edited = await finished(bodyOf({ video: { url: source } }), 'edits');
    expect(edited).toMatchObject({ video: { duration: 7 }, usage: { cost_in_usd_ticks: 7 * 700_000_000 } });
    expect((await client.lastInvoice())?.billed?.units).toEqual({ second_720p: 7 });
  });

  it('extends a video and bills the added seconds', async () => {
    const longer = await finished(bodyOf({ video: clip, duration: 4 }), 'extensions');
    expect(longer).toMatchObject({ video: { duration: 9 }, usage: { cost_in_usd_ticks: 2_000_000_000 } });
    expect((await client.lastInvoice())?.billed?.units).toEqual({ second_480p: 4 });
  });

  it.each([
    ['edits', {}, 422, 'missing field `video`'],
    ['edits', { video: clip, duration: 5 }, 400, 'Argument not supported: duration'],
    ['edits', { video: { url: 'https://x.invalid/1.mp4' } }, 400, 'Failed to fetch'],
    ['edits', { video: clip, prompt: 'x {{sim input_seconds=9}}' }, 400, 'at most 8.7 seconds'],
    ['extensions', { video: clip, duration: 11 }, 400, 'between 2 and 10'],
    ['extensions', { video: clip, resolution: '480p' }, 400, 'Argument not supported: resolution'],
  ])('refuses a %s with %j', async (work, more, status, words) => {
    expect(await create(bodyOf(more), work)).toMatchObject({ status, text: expect.stringContaining(words) });
  });
});

describe('the invoice', () => {
  it('bills seconds and, for the newer model, images', async () => {
    await finished(bodyOf({ resolution: '720p' }));
    expect((await client.lastInvoice())?.billed?.units).toEqual({ second_720p: 6 });
    const record = await finished(bodyOf({ model: NEWER, reference_images: [image, image], duration: 4 }));
    expect((await client.lastInvoice())?.billed?.units).toEqual({ second_480p: 4, input_image: 2 });
    expect(record.usage.cost_in_usd_ticks).toBe((4 * 8 + 2) * 100_000_000);
  });

  it('bills a task whose response was lost', async () => {
    await expect(create(directed('accept_then_drop task_seconds=0'))).rejects.toThrow();
    expect(await client.lastInvoice()).toMatchObject({ status: null, billed: { units: { second_480p: 6 } } });
  });
});
