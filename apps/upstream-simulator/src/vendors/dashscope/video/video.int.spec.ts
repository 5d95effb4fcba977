import { beforeEach, describe, expect, it } from '@jest/globals';
import { TaskClient } from '../../../test-support/task-client.js';

const client = await TaskClient.start('/dashscope/api/v1');
beforeEach(() => client.useNewAccount());

const ASYNC = { 'x-dashscope-async': 'enable' };
const PATH = '/services/aigc/video-generation/video-synthesis';
const UNREACHABLE_URL = 'https://x.invalid/1.png';
const create = (body: object, headers: Record<string, string> = ASYNC) => client.post(PATH, body, headers);
const media = (...types: readonly string[]) => types.map((type) => ({ type, url: `https://cdn.example.com/${type}` }));

/** A valid request for each kind of model. */
const GOOD: Readonly<Record<string, { input: object; parameters?: object }>> = {
  'wan2.7-t2v': { input: { prompt: 'a boat' }, parameters: { resolution: '720P', ratio: '16:9', duration: 5 } },
  'wan2.7-i2v': { input: { media: media('first_frame', 'driving_audio') }, parameters: { duration: 10 } },
  'wan2.7-r2v': { input: { prompt: 'a cup', media: media('reference_video', 'reference_image') } },
  'wan2.6-t2v': { input: { prompt: 'two chefs' }, parameters: { size: '1280*720', shot_type: 'multi' } },
  'wan2.6-i2v': { input: { prompt: 'waves', img_url: 'https://cdn.example.com/sea.png' } },
  'wan2.6-i2v-flash': { input: { img_url: 'https://cdn.example.com/tree.jpg' }, parameters: { audio: false } },
  'wan2.6-r2v': { input: { prompt: 'skate', reference_urls: ['https://cdn.example.com/a.mp4'] } },
  'wan2.6-r2v-flash': { input: { prompt: 'skate', reference_urls: ['https://cdn.example.com/b.png'] } },
  'wan2.5-t2v-preview': { input: { prompt: 'fog' }, parameters: { size: '832*480' } },
  'wan2.5-i2v-preview': { input: { img_url: 'https://cdn.example.com/cat.png' }, parameters: { resolution: '480P' } },
  'wan3.0-video': { input: { prompt: 'dance', media: media('reference_image', 'reference_audio') } },
  'wan3.0-video-prime': { input: { prompt: 'dance' }, parameters: { duration: 30, ratio: '21:9' } },
  'happyhorse-1.1-t2v': { input: { prompt: 'a train' }, parameters: { ratio: '4:5' } },
  'happyhorse-1.1-i2v': { input: { media: media('first_frame') } },
  'happyhorse-1.0-r2v': { input: { prompt: 'a coat', media: media('reference_image', 'reference_image') } },
};

const bodyOf = (model: string, input: object = {}, parameters: object = {}): object => ({
  model,
  input: { ...GOOD[model]?.input, ...input },
  parameters: { ...GOOD[model]?.parameters, ...parameters },
});

const directed = (words: string) => bodyOf('wan2.7-t2v', { prompt: `a boat {{sim ${words}}}` });
const started = async (words: string): Promise<string> => (await create(directed(words))).body.output.task_id;
const query = async (id: string, credential = client.credential) => (await client.get(`/tasks/${id}`, credential)).body;
type Row = [what: string, body: object, status: number, code: string, words: string];
const refused = (what: string, body: object, code: string, words: string): Row => [what, body, 400, code, words];
const invalid = (what: string, body: object, words: string): Row => refused(what, body, 'InvalidParameter', words);
const withImage = (address: string): object => bodyOf('wan2.6-i2v', { img_url: address });

describe('creating a video', () => {
  it.each(Object.keys(GOOD))('accepts a task of %s', async (model) => {
    const { status, body, headers } = await create(bodyOf(model));
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        request_id: headers.get('x-request-id'),
        output: { task_id: expect.stringMatching(/^[0-9a-f-]{36}$/), task_status: 'PENDING' },
      },
    });
  });

  it('accepts dated model names', async () => {
    const pin = { ...bodyOf('wan2.7-t2v'), model: 'wan2.7-t2v-2026-06-12' };
    expect((await create(pin)).status).toBe(200);
  });

  it.each<Row>([
    invalid('no model', { model: '' }, 'Field required: model'),
    invalid('no input', { model: 'wan2.7-t2v' }, 'Field required: input'),
    invalid('a model of another path', { model: 'qwen-image-max', input: {} }, 'url error, check url!'),
    ['another model', { model: 'wan9-t2v', input: {} }, 404, 'ModelNotFound', 'Model can not be found.'],
    invalid(
      'a request of the previous generation',
      { model: 'wan2.7-i2v', input: { prompt: 'waves', img_url: 'https://cdn.example.com/sea.png' } },
      'Field required: input.media',
    ),
    invalid(
      'a new request format for an old model',
      { model: 'wan2.6-i2v', input: { media: media('first_frame') } },
      'Field required: input.img_url',
    ),
    invalid('no references', { model: 'wan2.6-r2v', input: { prompt: 'x' } }, 'Field required: input.reference_urls'),
    invalid('no prompt', bodyOf('wan2.7-t2v', { prompt: '' }), 'Field required: input.prompt'),
    invalid('neither prompt nor media', { model: 'wan3.0-video', input: {} }, 'Field required: input.prompt'),
    refused(
      'a blocked prompt',
      directed('blocked'),
      'DataInspectionFailed',
      'Input data may contain inappropriate content.',
    ),
    refused('an unreachable host', withImage(UNREACHABLE_URL), 'InvalidURL', 'Failed to download'),
    refused('an unresolved oss:// address', withImage('oss://a/1.png'), 'InvalidURL', 'Failed to download'),
    refused('broken image data', withImage('data:image/png;base64,AAAA'), 'InvalidFile.Format', 'not supported'),
  ])('refuses %s', async (_what, body, status, code, message) => {
    const reply = await create(body);
    expect(reply).toMatchObject({ status, body: { code, message: expect.stringContaining(message) } });
    expect(reply.body.request_id).toBe(reply.headers.get('x-request-id'));
  });

  it.each([
    ['wan2.7-t2v', { resolution: '720p' }, "Input should be '720P' or '1080P': parameters.resolution"],
    ['wan2.7-t2v', { resolution: '480P' }, 'parameters.resolution'],
    ['wan2.7-t2v', { ratio: '21:9' }, 'parameters.ratio'],
    ['wan2.7-t2v', { duration: '5' }, 'Input should be a valid integer: parameters.duration'],
    ['wan2.7-t2v', { duration: 16 }, 'Range of duration should be [2, 15]'],
    ['wan2.7-t2v', { duration: -1 }, 'Range of duration should be [2, 15]'],
    ['wan2.7-r2v', { duration: 11 }, 'Range of duration should be [2, 10]'],
    ['wan2.7-t2v', { seed: 2 ** 31 }, 'Range of seed should be [0, 2147483647]'],
    ['wan2.7-t2v', { watermark: 'no' }, 'Input should be a valid boolean: parameters.watermark'],
    ['wan2.6-t2v', { size: '1280x720' }, "Expected format: '<width>*<height>'"],
    ['wan2.6-t2v', { prompt_extend: false }, 'shot_type multi requires prompt_extend'],
    ['wan2.6-t2v', { shot_type: 'many' }, "Input should be 'single' or 'multi': parameters.shot_type"],
    ['wan2.5-t2v-preview', { duration: 7 }, 'Input should be 5 or 10: parameters.duration'],
    ['wan3.0-video', { duration: 31 }, 'Range of duration should be [2, 30]'],
    ['happyhorse-1.1-t2v', { duration: 2 }, 'Range of duration should be [3, 15]'],
    ['happyhorse-1.1-i2v', { ratio: '16:9' }, 'parameters.ratio is not supported by this model'],
    ['happyhorse-1.1-i2v', { prompt_extend: true }, 'parameters.prompt_extend is not supported by this model'],
  ])('refuses for %s the parameters %j', async (model, parameters, message) => {
    expect((await create(bodyOf(model, {}, parameters))).body).toMatchObject({
      code: 'InvalidParameter',
      message: expect.stringContaining(message),
    });
  });

  it.each([
    ['wan2.7-i2v', ['last_frame'], 'the combination [last_frame] is not supported'],
    ['wan2.7-i2v', ['first_frame', 'first_frame'], 'each type may be given once'],
    ['wan2.7-i2v', ['first_clip', 'driving_audio'], 'is not supported'],
    ['wan2.7-i2v', ['reference_image'], 'input.media.0.type'],
    ['wan2.7-r2v', ['first_frame'], 'at least one reference_image or reference_video'],
    ['wan2.7-r2v', new Array<string>(6).fill('reference_image'), 'should not be larger than 5'],
    ['wan2.7-r2v', ['reference_image', 'first_frame', 'first_frame'], 'first_frame should not be larger than 1'],
    ['wan3.0-video', new Array<string>(11).fill('reference_image'), 'reference_image should not be larger than 10'],
    ['wan3.0-video', ['file', 'link'], 'link can not be used together with file'],
    ['happyhorse-1.1-i2v', ['first_frame', 'first_frame'], 'exactly one first_frame'],
    ['happyhorse-1.0-r2v', new Array<string>(10).fill('reference_image'), 'between 1 and 9'],
  ])('refuses for %s the media %j', async (model, types, message) => {
    expect((await create(bodyOf(model, { media: media(...types) }))).body).toMatchObject({
      code: 'InvalidParameter',
      message: expect.stringContaining(message),
    });
  });

  it('refuses a synchronous call', async () => {
    expect(await create(bodyOf('wan2.7-t2v'), {})).toMatchObject({
      status: 403,
      body: { code: 'AccessDenied', message: 'current user api does not support synchronous calls.' },
    });
  });

  it('refuses credentials in the native format', async () => {
    const wrong = (key: string) => create(bodyOf('wan2.7-t2v'), { ...ASYNC, authorization: `Bearer ${key}` });
    expect(await wrong('bad')).toMatchObject({ status: 401, body: { code: 'InvalidApiKey' } });
    expect(await wrong('broke')).toMatchObject({ status: 429, body: { code: 'Throttling.AllocationQuota' } });
    expect(await wrong('arrears')).toMatchObject({ status: 400, body: { code: 'Arrearage' } });
  });
});

describe('a task', () => {
  const seconds = (duration: number, input: number) => ({
    duration,
    input_video_duration: input,
    output_video_duration: 5,
  });

  it('is queued, runs and succeeds, with Beijing times', async () => {
    const id = await started('task_seconds=1000');
    expect((await query(id)).output).toEqual({ task_id: id, task_status: 'PENDING' });
    await client.move(id, { state: 'running' });
    expect((await query(id)).output).toEqual({
      task_id: id,
      task_status: 'RUNNING',
      submit_time: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/),
      scheduled_time: expect.any(String),
    });
    await client.move(id, { state: 'succeeded' });
    const { output, usage } = await query(id);
    expect(output).toMatchObject({
      task_status: 'SUCCEEDED',
      end_time: expect.any(String),
      orig_prompt: 'a boat {{sim task_seconds=1000}}',
      video_url: expect.stringMatching(/\/__results\/\w+\.mp4$/),
    });
    const submittedMs = Date.parse(`${output.submit_time.replace(' ', 'T')}+08:00`);
    expect(Math.abs(Date.now() - submittedMs)).toBeLessThan(60_000);
    expect(usage).toEqual({ ...seconds(5, 0), video_count: 1, SR: 720, ratio: '16:9' });
  });

  it.each([
    ['wan2.7-r2v', { ...seconds(10, 5), video_count: 1, SR: 1080, ratio: '16:9' }],
    ['wan2.6-t2v', { duration: 5, video_count: 1, SR: 720 }],
    ['wan2.6-r2v', { video_count: 1, video_duration: 5 }],
    ['wan3.0-video', { ...seconds(5, 0), video_count: 1, fps: 30, SR: 1080, ratio: '16:9' }],
  ])('of %s has its own usage fields', async (model, usage) => {
    const { output } = (await create(bodyOf(model))).body;
    await client.move('finish');
    expect((await query(output.task_id)).usage).toEqual(usage);
  });

  it('contains the rewritten prompt for models that rewrite', async () => {
    const { output } = (await create(bodyOf('wan2.6-t2v'))).body;
    await client.move('finish');
    expect((await query(output.task_id)).output).toMatchObject({
      orig_prompt: 'two chefs',
      actual_prompt: 'two chefs (rewritten)',
    });
  });

  it('fails under 200, with code and message, without usage', async () => {
    const id = await started('task_seconds=0 task_fail=DataInspectionFailed');
    const { output, usage } = await query(id);
    expect(output).toMatchObject({
      task_status: 'FAILED',
      code: 'DataInspectionFailed',
      message: 'Output data may contain inappropriate content.',
    });
    expect(usage).toBeUndefined();
  });

  it.each([
    ['a size of no tier', bodyOf('wan2.6-t2v', {}, { size: '1000*1000' }), 'The size does not match'],
    [
      'both modes at once',
      bodyOf('wan3.0-video', { media: media('first_frame', 'reference_image') }),
      'The two modes are mutually exclusive.',
    ],
    [
      'more seconds than 30 in all',
      bodyOf('wan3.0-video', { media: media('reference_video') }, { duration: 26 }),
      'total duration',
    ],
  ])('fails while running for %s', async (_what, body, message) => {
    const { output } = (await create(body)).body;
    await client.move('finish');
    expect((await query(output.task_id)).output).toMatchObject({
      task_status: 'FAILED',
      code: 'InvalidParameter',
      message: expect.stringContaining(message),
    });
  });

  it('has its error beside `output` and another running word, by directive', async () => {
    const failed = await query(await started('task_seconds=0 task_fail=InternalError fail_on_top'));
    expect(failed).toMatchObject({ code: 'InternalError', message: expect.any(String) });
    expect(Object.keys(failed.output)).not.toContain('code');
    const running = await query(await started('queue_seconds=0 task_hang task_word=SUSPENDED'));
    expect(running.output.task_status).toBe('SUSPENDED');
  });

  it('fails on a time-out', async () => {
    expect((await query(await started('task_seconds=0 task_times_out'))).output).toMatchObject({
      task_status: 'FAILED',
      code: 'InternalError.Timeout',
      message: 'An asynchronous task returned no result within 3 hours',
    });
  });

  it('is UNKNOWN if never created, vanished or of another account', async () => {
    const unknown = (id: string) => ({
      request_id: expect.any(String),
      output: { task_id: id, task_status: 'UNKNOWN' },
    });
    expect(await query('nothing')).toEqual(unknown('nothing'));
    const mine = await started('task_seconds=0');
    expect(await query(mine, 'other')).toEqual(unknown(mine));
    const vanished = await started('task_seconds=0 task_vanish');
    expect(await query(vanished)).toEqual(unknown(vanished));
    const forgotten = await started('task_seconds=0 task_forget');
    expect(await query(forgotten)).toEqual(unknown(forgotten));
  });

  it('reports a false state once, by directive', async () => {
    const id = await started('task_seconds=0 task_lies');
    const reported: string[] = [];
    for (let poll = 0; poll < 4; poll += 1) reported.push((await query(id)).output.task_status);
    expect(reported).toEqual(['SUCCEEDED', 'RUNNING', 'SUCCEEDED', 'SUCCEEDED']);
  });

  it('fails the first polls by directive', async () => {
    const id = await started('task_seconds=0 poll_status=503 poll_retry_after=3 poll_times=2');
    const statuses: number[] = [];
    for (let poll = 0; poll < 3; poll += 1) statuses.push((await client.get(`/tasks/${id}`)).status);
    expect(statuses).toEqual([503, 503, 200]);
  });

  it('drops polls, or responds with a page, by directive', async () => {
    const dropped = await started('poll_drop poll_times=1');
    await expect(client.get(`/tasks/${dropped}`)).rejects.toThrow();
    expect((await client.get(`/tasks/${dropped}`)).status).toBe(200);
    const page = await client.get(`/tasks/${await started('poll_garbage')}`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html']);
  });

  it('omits usage and video by directive', async () => {
    const { output, usage } = await query(await started('task_seconds=0 no_usage task_no_video'));
    expect([output.task_status, output.video_url, usage]).toEqual(['SUCCEEDED', undefined, undefined]);
  });
});

describe('cancelling', () => {
  const cancel = (id: string) => client.post(`/tasks/${id}/cancel`, undefined);
  const refusal = {
    status: 400,
    body: {
      code: 'UnsupportedOperation',
      message: 'Failed to cancel the task, please confirm if the task is in PENDING status.',
    },
  };

  it('cancels a queued task, which is free', async () => {
    const id = await started('queue_seconds=1000');
    expect(await cancel(id)).toMatchObject({ status: 200, body: { request_id: expect.any(String) } });
    expect((await query(id)).output).toEqual({ task_id: id, task_status: 'CANCELED' });
    expect(await client.lastInvoice()).toMatchObject({ upstream_id: id, task_state: 'cancelled', billed: null });
    expect(await cancel(id)).toMatchObject(refusal);
  });

  it('may be accepted and ignored', async () => {
    const id = await started('task_seconds=100 queue_seconds=99 cancel_ignored');
    expect((await cancel(id)).status).toBe(200);
    expect((await query(id)).output.task_status).toBe('PENDING');
    await client.move('finish');
    expect(await client.lastInvoice()).toMatchObject({
      upstream_id: id,
      task_state: 'succeeded',
      billed: { units: { second_720p: 5 } },
    });
  });

  it.each([
    ['runs', 'queue_seconds=0 task_hang'],
    ['has succeeded', 'task_seconds=0'],
    ['refuses to be cancelled', 'queue_seconds=1000 cancel_refused'],
  ])('refuses a task that %s', async (_what, words) => {
    expect(await cancel(await started(words))).toMatchObject(refusal);
  });
});

describe('the list', () => {
  const stamp = (atMs: number) => new Date(atMs + 8 * 3_600_000).toISOString().replace(/\D/g, '').slice(0, 14);

  it("contains the account's tasks by page, newest first", async () => {
    const ids: string[] = [];
    for (const words of [
      'task_seconds=0',
      'task_seconds=0 task_fail',
      'task_hang',
      'task_seconds=0 task_vanish',
      'task_unlisted',
    ]) {
      ids.push((await client.post(PATH, directed(words), ASYNC)).body.output.task_id);
    }
    const list = async (filter: string) => (await client.get(`/tasks/?${filter}`)).body;
    const idsOf = async (filter: string) =>
      (await list(filter)).data.map(({ task_id }: { task_id: string }) => task_id);
    expect(await list('page_size=2')).toMatchObject({ total: 3, total_page: 2, page_no: 1, page_size: 2 });
    expect(await idsOf('page_size=2')).toEqual([ids[2], ids[1]]);
    expect(await idsOf('page_size=2&page_no=2')).toEqual([ids[0]]);
    expect(await idsOf('status=FAILED')).toEqual([ids[1]]);
    expect(await idsOf(`task_id=${ids[0]}`)).toEqual([ids[0]]);
    expect(await idsOf('model_name=wan2.6-t2v')).toEqual([]);
    const span = `start_time=${stamp(Date.now() - 60_000)}&end_time=${stamp(Date.now() + 60_000)}`;
    expect(await idsOf(span)).toHaveLength(3);
    expect((await list(`task_id=${ids[0]}`)).data[0]).toMatchObject({
      status: 'SUCCEEDED',
      model_name: 'wan2.7-t2v',
      gmt_create: expect.any(Number),
      end_time: expect.any(Number),
      user_api_unique_key: 'apikey:v1:aigc:video-generation:video-synthesis',
    });
    expect((await client.get('/tasks/', 'other')).body.total).toBe(0);
  });

  it.each([
    'start_time=2026',
    'page_no=0',
    'page_size=x',
    'status=DONE',
    'start_time=20260101000000&end_time=20260103000000',
  ])('refuses %s', async (filter) => {
    expect(await client.get(`/tasks/?${filter}`, 'lister')).toMatchObject({
      status: 400,
      body: { code: 'InvalidParameter' },
    });
  });
});

describe('queries', () => {
  it('are limited to 20 a second per credential', async () => {
    const query = (credential: string) => client.get('/tasks/nothing', credential);
    const replies = await Promise.all(Array.from({ length: 60 }, () => query('fast')));
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(1);
    expect(refused[0]?.body).toMatchObject({ code: 'Throttling', message: 'Requests throttling triggered.' });
    expect((await query('slow')).status).toBe(200);
    const { queries } = await client.tasks();
    expect(queries).toContainEqual({
      vendor: 'dashscope',
      credential: 'fast',
      answered: 60 - refused.length,
      refused: refused.length,
    });
  });
});

describe('the invoice', () => {
  it('bills a task that ends without a poll', async () => {
    const id = await started('task_seconds=1');
    expect(await client.lastInvoice()).toMatchObject({
      protocol: 'dashscope-video',
      model: 'wan2.7-t2v',
      status: 200,
      upstream_id: id,
      task_state: 'succeeded',
      billed: { units: { second_720p: 5 } },
    });
  });

  it.each([
    ['wan2.6-i2v-flash', {}, { second_1080p_silent: 5 }],
    ['wan2.6-i2v-flash', { audio: true, resolution: '720P' }, { second_720p: 5 }],
    ['wan2.6-i2v', { audio: false }, { second_1080p: 5 }],
    ['wan2.5-t2v-preview', { duration: 10 }, { second_480p: 10 }],
    ['wan2.7-r2v', { duration: 3, resolution: '720P' }, { second_720p: 3, input_second_720p: 5 }],
  ])('bills %s with %j as %j', async (model, parameters, units) => {
    await create(bodyOf(model, {}, parameters));
    await client.move('finish');
    expect((await client.lastInvoice())?.billed?.units).toEqual(units);
  });

  it('bills the delivered seconds, not the requested ones', async () => {
    const id = await started('task_seconds=0 task_duration=3');
    expect((await client.lastInvoice())?.billed?.units).toEqual({ second_720p: 3 });
    expect((await query(id)).usage.output_video_duration).toBe(3);
  });

  it.each(['task_fail', 'task_times_out', 'task_vanish'])('bills nothing for a task with %s', async (words) => {
    const id = await started(`task_seconds=0 ${words}`);
    expect(await client.lastInvoice()).toMatchObject({ upstream_id: id, billed: null });
  });

  it('bills an accepted task whose response was lost', async () => {
    await expect(create(directed('accept_then_drop task_seconds=0'))).rejects.toThrow();
    expect(await client.lastInvoice()).toMatchObject({
      status: null,
      task_state: 'succeeded',
      billed: { units: { second_720p: 5 } },
    });
    expect((await create(directed('accept_then_status=502 task_seconds=0'))).status).toBe(502);
    expect(await client.lastInvoice()).toMatchObject({ status: 502, task_state: 'succeeded' });
  });

  it('bills nothing for a call that failed before acceptance', async () => {
    const { tasks } = await client.tasks();
    expect((await create(directed('status=503'))).status).toBe(503);
    await expect(create(directed('cut_after=0'))).rejects.toThrow();
    expect((await client.tasks()).tasks).toHaveLength(tasks.length);
    expect((await client.journal()).at(-1)).toMatchObject({ billed: null });
  });

  it('bills and numbers each duplicate submission', async () => {
    const ids = [await started('task_seconds=0 words=1'), await started('task_seconds=0 words=1')];
    const { tasks } = await client.tasks();
    expect(ids.map((id) => tasks.find((task) => task.id === id))).toMatchObject([
      { submission: 1, state: 'succeeded', polls: 0, billed: { units: { second_720p: 5 } } },
      { submission: 2, state: 'succeeded' },
    ]);
  });
});

describe('the control endpoints', () => {
  it('set an open task to any state, with any failure', async () => {
    const id = await started('task_hang');
    expect((await client.move('finish')).body).toEqual({ finished: 0 });
    expect((await client.move(id, { state: 'failed', code: 'IPInfringementSuspect' })).body).toMatchObject({
      id,
      state: 'failed',
    });
    expect((await query(id)).output.code).toBe('IPInfringementSuspect');
    expect((await client.move(id, { state: 'succeeded' })).status).toBe(409);
  });

  it('hide a task that stays billed', async () => {
    const id = await started('task_seconds=0');
    expect((await client.move(id, { forget: true })).body).toMatchObject({ is_found: false, state: 'succeeded' });
    expect((await query(id)).output.task_status).toBe('UNKNOWN');
    expect((await client.lastInvoice())?.billed).not.toBeNull();
  });

  it('refuse unknown tasks and states', async () => {
    expect((await client.move('nothing', { state: 'failed' })).status).toBe(404);
    const id = await started('task_hang');
    expect((await client.move(id, { state: 'done' })).status).toBe(400);
    expect((await client.move(id, { state: 'cancelled' })).body.state).toBe('cancelled');
  });
});
