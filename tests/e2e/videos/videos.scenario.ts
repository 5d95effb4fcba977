import type { VideoTaskList, VideoTaskRecord } from '@gateway/contracts';
import { eventually, fullResponse, nanoOf, openResponse, startTestStack } from '@gateway/testing';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';
import { familyRequests } from './video-families.js';
import { expectVideo, TASK_WITHIN_MS, VIDEOS_PATH, VideoRequests } from './video-requests.js';

interface StyleB {
  readonly code: string;
  readonly message: string;
  readonly request_id: string;
}

interface Receipt {
  readonly outcome: string;
  readonly hold_usd: string;
  readonly cost_usd: string;
}

const stack = await startTestStack();
afterAll(() => stack.stop());
afterEach(() => stack.simulator.clearFaults());

/** Two credentials of Ark: neither knows the tasks of the other. */
const arkChannels = ['a', 'b'].map((id) => ({
  id: `ark-${id}`,
  apiKey: `key-of-${id}`,
  baseUrl: `${stack.system.simulatorUrl}/ark`,
}));
await stack.system.instance('video-worker').stop();
await stack.system.add('video-worker', { ARK_CHANNELS: JSON.stringify(arkChannels) });

const UNLIMITED = { rpm: 0, concurrency: 0 };
const customer = await stack.createCustomer({ creditUsd: '1000', limits: UNLIMITED });
const stranger = await stack.createCustomer({ creditUsd: '10', limits: UNLIMITED });
const videoRequests = await VideoRequests.open(stack, customer);

const DASHSCOPE_PATH = '/dashscope/api/v1/services/aigc/video-generation/video-synthesis';
const USUAL = { model: 'wn2.7-t2v', input: { prompt: 'A paper boat' } };
const prompted = (prompt: string, more: object = {}) => ({ model: 'wn2.7-t2v', input: { prompt }, ...more });

/** The receipt of a task, by its public id. */
const receiptOf = (id: string): Promise<Receipt> => customer.receipt<Receipt>(id);

const settlementOf = async (id: string) =>
  stack.ledger.settlement(customer.accountId, await stack.ledger.requestOfTask(id));

describe('every family', () => {
  it('makes videos that can be fetched, at the price of their seconds', async () => {
    const tag = videoRequests.tag();
    const requests = familyRequests(`A paper boat ${tag}`);
    expect([...videoRequests.models.map(({ id }) => id)].sort()).toEqual(
      [...requests.map(({ model }) => model.replace(/^wan/, 'wn'))].sort(),
    );
    const before = nanoOf((await customer.balance()).balance_usd);
    const created = await Promise.all(
      requests.map(async ({ model, duration, resolution, input, parameters, more, unit }) => {
        const body = { model, duration, resolution, input, ...(parameters && { parameters }), ...more };
        const accepted = await videoRequests.submit(body);
        const record = await videoRequests.waitForStatus(accepted.id);
        return { model: model.replace(/^wan/, 'wn'), duration, resolution, unit, accepted, record };
      }),
    );
    let total = 0n;
    for (const { model, duration, resolution, unit, accepted, record } of created) {
      const cost = videoRequests.costOf(model, unit, duration);
      total += cost;
      expect({ model, record }).toMatchObject({
        model,
        record: {
          id: accepted.id,
          task_id: accepted.task_id,
          object: 'video.task',
          model,
          status: 'succeeded',
          progress: 100,
          duration,
          resolution: resolution.toLowerCase(),
          error: null,
          cancellation: null,
        },
      });
      expect(accepted).toMatchObject({ object: 'video.task', model, status: expect.stringMatching(/queued|running/) });
      expect(accepted.id).toMatch(model.startsWith('seedance') ? /^cgt-/ : /^task_\d{6}[a-z2-7]{20}$/);
      expect(nanoOf(record.cost ?? '')).toBe(cost);
      expect(record.upstream).not.toBeNull();
      expect(record.finished_at).toBeGreaterThanOrEqual(record.created_at);
      await expectVideo(record.content?.video_url ?? '');
      expect(await settlementOf(record.id)).toMatchObject({
        outcome: 'completed',
        costNanoUsd: cost,
        chargedNanoUsd: cost,
        units: { [unit]: duration },
      });
    }
    await waitUntilSettled(stack, [customer]);
    expect(before - nanoOf((await customer.balance()).balance_usd)).toBe(total);
    // The upstream's own invoice: one task each, with the seconds that were paid.
    const tasks = await videoRequests.upstreamTasks(tag);
    expect(tasks.map(({ submission, state }) => [submission, state])).toEqual(requests.map(() => [1, 'succeeded']));
    for (const { record, unit, duration } of created) {
      const units = tasks.find(({ model }) => isMadeBy(record, model))?.billed?.units ?? {};
      // Ark bills tokens, which the catalogue prices by the second; the others bill seconds.
      if (record.model.startsWith('seedance'))
        expect(Object.keys(units)).toEqual([expect.stringMatching(/^video_token/)]);
      else expect(units[unit]).toBe(duration);
    }
  });
});

/** Public ids have other first letters than the vendor's, and Ark's differ altogether. */
const isMadeBy = (record: VideoTaskRecord, upstreamModel: string): boolean =>
  upstreamModel === record.model.replace(/^wn/, 'wan') ||
  (record.upstream as { readonly model?: unknown } | null)?.model === upstreamModel;

describe('paid seconds', () => {
  it('are written into the fields that the upstream reads, and reported', async () => {
    const response = await videoRequests.post({ ...USUAL, duration: 3, aspect_ratio: '9:16', parameters: { seed: 5 } });
    expect(response.headers['x-gateway-filled']).toBe(
      'parameters.resolution=720P, parameters.duration=3, parameters.ratio=9:16',
    );
    expect(response.headers['x-held-usd']).toBe('0.30');
    expect(response.json()).toMatchObject({
      cost: { held_usd: '0.30', price: expect.any(String), seconds: expect.any(Number) },
    });
    expect(response.headers['x-cost-usd']).toBe('0.00');
    expect(await videoRequests.lastReceived(DASHSCOPE_PATH)).toEqual({
      model: 'wan2.7-t2v',
      input: { prompt: 'A paper boat' },
      parameters: { seed: 5, resolution: '720P', duration: 3, ratio: '9:16' },
    });
    const whole = {
      ...USUAL,
      duration: 2,
      parameters: { resolution: '720P', duration: 2, ratio: '1:1', new_field: { a: 1 } },
    };
    const given = await videoRequests.post(whole);
    expect(given.headers['x-gateway-filled']).toBeUndefined();
    expect((await videoRequests.lastReceived(DASHSCOPE_PATH)).parameters).toEqual(whole.parameters);
  });

  it.each([
    ['a longer video', prompted('x', { duration: 5, parameters: { duration: 15 } }), 'parameters.duration'],
    ['a larger video', prompted('x', { parameters: { resolution: '1080P' } }), 'parameters.resolution'],
    ['several', prompted('x', { parameters: { n: 4 } }), 'parameters.n'],
    ['another spelling', prompted('x', { parameters: { Duration: 15 } }), 'parameters.Duration'],
    [
      'a larger size',
      { model: 'wn2.6-t2v', input: { prompt: 'x' }, resolution: '720p', parameters: { size: '1920*1080' } },
      'parameters.size',
    ],
    [
      'a longer video by a flag',
      { model: 'seedance-1.0-pro', input: { content: [{ type: 'text', text: 'A fox --dur 12' }] } },
      'input.content',
    ],
    ['another model', { model: 'seedance-1.0-pro', input: { content: [], model: 'seedance-2.0' } }, 'input.model'],
    ['480p with 2.7', { ...USUAL, resolution: '480p' }, 'resolution'],
    ['1080p with a model that does not support it', { ...USUAL, resolution: '1080p' }, 'resolution'],
    ['sixteen seconds', { ...USUAL, duration: 16 }, 'duration'],
    ['without input', { model: 'wn2.7-t2v' }, 'input'],
    ['an unknown field', { ...USUAL, seed: 5 }, 'seed'],
    ['an invalid wait', { ...USUAL, wait: 'yes' }, 'wait'],
    ['a wait above the limit', { ...USUAL, wait: true, wait_timeout: 301 }, 'wait_timeout'],
    ['an invalid webhook address', { ...USUAL, webhook_url: 'ftp://a.example' }, 'webhook_url'],
    ['an unknown model', { ...USUAL, model: 'wn9-t2v' }, 'model'],
    ['a model of another endpoint', { ...USUAL, model: 'qn-image-2.0' }, 'model'],
  ])('cannot be %s: 400 in Style B, without a submission or a hold', async (_what, body, param) => {
    const since = await stack.simulator.lastSeq();
    const response = await videoRequests.post(body);
    expect(response.status).toBe(400);
    const refusal = response.json<StyleB>();
    expect(refusal).toMatchObject({ code: 'InvalidParameter', request_id: response.headers['x-request-id'] });
    if (param !== 'model') expect(refusal.message).toContain(`'${param}'`);
    expect(response.headers['x-cost-usd']).toBe('0.00');
    const received = await stack.simulator.requests(since);
    // Tasks of other tests go on meanwhile.
    expect(received.filter(({ path }) => path === DASHSCOPE_PATH)).toEqual([]);
  });

  it('are those of parameters, where nothing beside input says another number', async () => {
    const { id } = await videoRequests.submit(prompted('longer', { parameters: { duration: 8 } }));
    expect(await videoRequests.waitForStatus(id)).toMatchObject({ status: 'succeeded', duration: 8, cost: '0.80' });
    expect((await settlementOf(id))?.units).toEqual({ second_720p: 8 });
  });

  it('are those delivered, where fewer than requested', async () => {
    const { id } = await videoRequests.submit(prompted('short {{sim task_duration=3}}', { duration: 5 }));
    const record = await videoRequests.waitForStatus(id);
    expect(record).toMatchObject({ status: 'succeeded', duration: 5, cost: '0.30' });
    expect(await receiptOf(id)).toMatchObject({ hold_usd: '0.50', cost_usd: '0.30' });
    expect((await settlementOf(id))?.units).toEqual({ second_720p: 3 });
  });

  it('never exceed those requested', async () => {
    const { id } = await videoRequests.submit(prompted('long {{sim task_duration=9}}', { duration: 4 }));
    expect(await videoRequests.waitForStatus(id)).toMatchObject({ status: 'succeeded', cost: '0.40' });
  });

  it('equal the quote', async () => {
    const body = { ...USUAL, duration: 7 };
    const quote = await stack.accounts.quote(customer.apiKey, { endpoint: 'videos.generations', body });
    expect(quote).toMatchObject({ valid: true, hold_usd: '0.70', estimate_usd: '0.70', units: { second_720p: 7 } });
  });
});

describe('a task that fails', () => {
  it("costs nothing and has its upstream's error", async () => {
    const { id } = await videoRequests.submit(prompted('bad {{sim task_fail=DataInspectionFailed}}'));
    expect(await videoRequests.waitForStatus(id)).toMatchObject({
      status: 'failed',
      content: null,
      cost: '0.00',
      error: { code: 'DataInspectionFailed', message: 'Output data may contain inappropriate content.' },
    });
    expect(await receiptOf(id)).toMatchObject({ outcome: 'failed', cost_usd: '0.00' });
  });

  it('is refused once moderation has kept back ten of the account on one day', async () => {
    const careless = await stack.createCustomer({ creditUsd: '100', limits: { rpm: 0, concurrency: 0 } });
    const grok = (prompt: string) =>
      videoRequests.post(
        { model: 'grok-imagine-video', duration: 1, resolution: '480p', input: { prompt } },
        { key: careless.apiKey, query: '?wait=true' },
      );
    const kept = await Promise.all(
      Array.from({ length: 10 }, () => grok('x {{sim task_fail=moderation task_seconds=0}}')),
    );
    expect(kept.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    const refused = await grok('A red kite');
    expect(refused.status).toBe(429);
    expect(refused.json()).toMatchObject({
      code: 'Throttling.RateQuota',
      message: expect.stringContaining('Moderation'),
    });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const wan = { ...USUAL, duration: 2 };
    expect((await videoRequests.post(wan, { key: careless.apiKey })).status).toBe(202);
    // Another account is not affected.
    expect((await videoRequests.submit({ model: 'grok-imagine-video', input: { prompt: 'A red kite' } })).id).toMatch(
      /./,
    );
  });

  it('may be blocked by moderation or given up by its upstream', async () => {
    const [moderated, expired] = await Promise.all([
      videoRequests.submit({ model: 'grok-imagine-video', input: { prompt: 'x {{sim task_fail=moderation}}' } }),
      videoRequests.submit({
        model: 'seedance-2.0',
        input: { content: [{ type: 'text', text: 'x {{sim task_times_out}}' }] },
      }),
    ]);
    // The vendor bills the video that it keeps back, and reports its cost.
    const record = await videoRequests.waitForStatus(moderated.id);
    expect(record).toMatchObject({ status: 'failed', content: null, error: { code: 'content_moderation' } });
    expect(Number(record.cost)).toBeGreaterThan(0);
    expect(await receiptOf(moderated.id)).toMatchObject({ outcome: 'failed', cost_usd: record.cost });
    expect(await videoRequests.waitForStatus(expired.id)).toMatchObject({ status: 'expired', cost: '0.00' });
  });

  it.each([
    [
      'a body of 2.6 for 2.7',
      { model: 'wn2.7-i2v', input: { prompt: 'x', img_url: 'https://cdn.example.com/1.png' } },
      /"upstream":\{"request_id":"[0-9a-f-]+","code":"InvalidParameter","message":"Field required: input.media"\}/,
    ],
    [
      'an image as a bare text',
      { model: 'grok-imagine-video', input: { prompt: 'x', image: 'https://cdn.example.com/1.png' } },
      /expected a map/,
    ],
    [
      'moderation before it begins',
      prompted('{{sim blocked}} x'),
      /"code":"DataInspectionFailed","message":"Input data may contain inappropriate content."/,
    ],
  ])('at its submission, by %s, returns the error of the upstream and costs nothing', async (_case, body, error) => {
    // A customer of its own: refunds of earlier tasks cannot change its balance meanwhile.
    const own = await stack.createCustomer({ creditUsd: '10', limits: UNLIMITED });
    const { balance_usd: credit } = await own.balance();
    const response = await videoRequests.post(body, { key: own.apiKey });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(response.text).toMatch(error);
    expect(response.headers['x-cost-usd']).toBe('0.00');
    expect(response.headers['x-balance-usd']).toBe(credit);
    await waitUntilSettled(stack, [own]);
    expect((await own.balance()).balance_usd).toBe(credit);
    const { data } = (await videoRequests.get('?limit=1', { key: own.apiKey })).json<VideoTaskList>();
    expect(data[0]).toMatchObject({ status: 'failed', cost: '0.00' });
    expect((await own.receipt<Receipt>(String(response.headers['x-request-id']))).cost_usd).toBe('0.00');
  });
});

describe('rejected submissions', () => {
  it('have the documented shapes: 401, 402, 403, 404, 429', async () => {
    expect((await videoRequests.post(USUAL, { key: 'sk-unknown' })).status).toBe(401);
    const poor = await stack.createCustomer();
    const unpaid = await videoRequests.post(USUAL, { key: poor.apiKey });
    expect([unpaid.status, unpaid.json<{ error: { message: string } }>().error.message]).toEqual([
      402,
      expect.stringMatching(/./),
    ]);
    const narrow = await customer.newKey({ endpoints: ['chat.completions'] });
    expect((await videoRequests.post(USUAL, { key: narrow.key })).status).toBe(403);
    expect((await videoRequests.get('', { key: narrow.key })).status).toBe(403);
    expect((await videoRequests.get('/task_aaaaaaaaaaaaaaaaaaaaaaaaaa')).status).toBe(404);
    expect((await videoRequests.cancel('task_aaaaaaaaaaaaaaaaaaaaaaaaaa')).status).toBe(404);
    const { key } = await customer.newKey({ rpm: 1 });
    await videoRequests.submit({ ...USUAL, duration: 2 }, { key });
    const throttled = await videoRequests.post(USUAL, { key });
    expect(throttled.status).toBe(429);
    expect(throttled.json<StyleB>()).toMatchObject({
      code: 'Throttling.RateQuota',
      request_id: throttled.headers['x-request-id'],
    });
    expect(throttled.headers['retry-after']).toMatch(/^\d+$/);
    // Reads do not count against the rate limit.
    for (let look = 0; look < 5; look += 1) expect((await videoRequests.get('?limit=1', { key })).status).toBe(200);
  });
});

describe('a wait', () => {
  it.each([
    ['in the body', { wait: true }, ''],
    ['in the query', {}, '?wait=true&wait_timeout=60'],
  ])('given %s ends with the task: 200 and its record', async (_where, fields, query) => {
    const response = await videoRequests.post({ ...USUAL, duration: 2, ...fields }, { query });
    expect({ status: response.status, text: response.text }).toMatchObject({ status: 200 });
    const record = response.json<VideoTaskRecord>();
    expect(record).toMatchObject({ status: 'succeeded', cost: '0.20' });
    expect(response.headers['x-cost-usd']).toBe('0.20');
    expect(await videoRequests.record(record.id)).toEqual(record);
  });

  it('ends at its time-out: 202 and the current record', async () => {
    const response = await videoRequests.post(
      prompted('slow {{sim task_seconds=60}}', { wait: true, wait_timeout: 1 }),
    );
    expect(response.status).toBe(202);
    const record = response.json<VideoTaskRecord>();
    expect(record).toMatchObject({ status: expect.stringMatching(/queued|running/), content: null, cost: null });
    const [task] = await videoRequests.upstreamTasks('slow');
    if (task === undefined) throw new Error('no task');
    await stack.simulator.moveTask(task.id, { state: 'succeeded' });
    expect(await videoRequests.waitForStatus(record.id)).toMatchObject({ status: 'succeeded' });
  });

  it('that its client aborts leaves the task running', async () => {
    const tag = videoRequests.tag();
    const leaving = new AbortController();
    const waiting = openResponse(
      stack.baseUrl,
      { path: VIDEOS_PATH, key: customer.apiKey, body: prompted(`left ${tag}`, { duration: 2, wait: true }) },
      leaving.signal,
    );
    await eventually(async () => expect(await videoRequests.upstreamTasks(tag)).toHaveLength(1));
    leaving.abort();
    await expect(waiting).rejects.toThrow();
    const { data } = (await videoRequests.get('?limit=1')).json<VideoTaskList>();
    expect(await videoRequests.waitForStatus(data[0]?.id ?? '')).toMatchObject({
      status: 'succeeded',
      duration: 2,
      cost: '0.20',
    });
  });
});

describe('the list', () => {
  it('pages through all tasks of the account, newest first, and no others', async () => {
    const seen: VideoTaskRecord[] = [];
    let query = '?limit=7';
    for (;;) {
      const page = (await videoRequests.get(query)).json<VideoTaskList>();
      expect(page.object).toBe('list');
      expect(page.has_more).toBe(page.next_cursor !== null);
      seen.push(...page.data);
      if (page.next_cursor === null) break;
      expect(page.data).toHaveLength(7);
      query = `?limit=7&cursor=${page.next_cursor}`;
    }
    expect(seen.length).toBeGreaterThan(30);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    expect(seen.map(({ created_at }) => created_at)).toEqual(
      seen.map(({ created_at }) => created_at).sort((a, b) => b - a),
    );
    const failed = (await videoRequests.get('?status=failed&limit=100')).json<VideoTaskList>().data;
    expect(failed.map(({ id }) => id)).toEqual(seen.filter(({ status }) => status === 'failed').map(({ id }) => id));
    const ofModel = (await videoRequests.get('?model=wan2.6-t2v&limit=100')).json<VideoTaskList>().data;
    expect([...new Set(ofModel.map(({ model }) => model))]).toEqual(['wn2.6-t2v']);
    expect((await videoRequests.get('', { key: stranger.apiKey })).json<VideoTaskList>()).toMatchObject({
      data: [],
      has_more: false,
    });
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'status=done', 'cursor=x', 'model=%00'])(
    'rejects ?%s by name',
    async (query) => {
      const response = await videoRequests.get(`?${query}`);
      expect(response.status).toBe(400);
      expect(response.json<StyleB>()).toMatchObject({
        code: 'InvalidParameter',
        message: expect.stringContaining(`'${query.split('=')[0]}'`),
      });
    },
  );

  it('hides tasks of other accounts, on every route', async () => {
    const { data } = (await videoRequests.get('?limit=1')).json<VideoTaskList>();
    const id = data[0]?.id ?? '';
    for (const send of [
      videoRequests.get(`/${id}`, { key: stranger.apiKey }),
      videoRequests.get(`/${id}/events`, { key: stranger.apiKey }),
      videoRequests.cancel(id, stranger.apiKey),
    ]) {
      const response = await send;
      expect(response.status).toBe(404);
      expect(response.json<{ error: { code: string } }>().error.code).toBe('not_found');
    }
  });
});

describe('the event stream', () => {
  it('reports every change of a task, resumes after a cursor, and ends with the task', async () => {
    const { id } = await videoRequests.submit(prompted('followed', { duration: 2 }));
    const events = await videoRequests.events(id);
    const types = events.map(({ type }) => type);
    expect(types[0]).toBe('video.task.queued');
    expect(types.at(-1)).toBe('video.task.succeeded');
    expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
    expect(events.at(-1)?.data).toMatchObject({ type: 'video.task.succeeded', data: await videoRequests.record(id) });
    expect(await videoRequests.events(id, events[0]?.id)).toEqual(events.slice(1));
    expect((await videoRequests.openEvents(id, events.at(-1)?.id)).status).toBe(204);
    expect(await videoRequests.events(id, 'evt_unknown')).toEqual(events);
  });

  it('is resumed by a client that was disconnected', async () => {
    const { id } = await videoRequests.submit(prompted('cut off', { duration: 2 }));
    const first = await videoRequests.events(id, undefined, 1);
    const rest = await videoRequests.events(id, first.at(-1)?.id);
    expect([...first, ...rest]).toEqual(await videoRequests.events(id));
  });
});

describe('a cancellation', () => {
  it('of a queued task is free', async () => {
    const tag = videoRequests.tag();
    const { id } = await videoRequests.submit(prompted(`waits ${tag} {{sim task_seconds=60 queue_seconds=50}}`));
    const response = await videoRequests.cancel(id);
    expect(response.status).toBe(200);
    expect(response.json<VideoTaskRecord>()).toMatchObject({
      id,
      status: 'cancelled',
      cost: '0.00',
      cancellation: { outcome: 'cancelled', may_still_cost_usd: '0.00' },
    });
    expect((await videoRequests.upstreamTasks(tag)).map(({ state }) => state)).toEqual(['cancelled']);
    const again = await videoRequests.cancel(id);
    expect([again.status, again.text]).toEqual([200, response.text]);
    expect(await receiptOf(id)).toMatchObject({ outcome: 'cancelled', cost_usd: '0.00' });
  });

  it.each([
    ['runs', prompted('runs {{sim task_seconds=60 queue_seconds=0}}', { duration: 2 }), 'runs', '0.20'],
    [
      'cannot be cancelled',
      {
        model: 'grok-imagine-video',
        duration: 3,
        resolution: '480p',
        input: { prompt: 'unstoppable {{sim task_seconds=60}}' },
      },
      'unstoppable',
      '0.15',
    ],
  ])('of one that %s is rejected with its possible cost, which is then charged', async (_what, body, tag, cost) => {
    const { id } = await videoRequests.submit(body);
    await videoRequests.waitForStatus(id, ['running']);
    const response = await videoRequests.cancel(id);
    expect(response.status).toBe(200);
    expect(response.json<VideoTaskRecord>()).toMatchObject({
      status: 'running',
      cancellation: { outcome: 'refused', may_still_cost_usd: cost },
    });
    const task = (await videoRequests.upstreamTasks(tag)).at(-1);
    await stack.simulator.moveTask(task?.id ?? '', { state: 'succeeded' });
    expect(await videoRequests.waitForStatus(id)).toMatchObject({ status: 'succeeded', cost });
  });
});

describe('a draft', () => {
  const content = (text: string) => ({ content: [{ type: 'text', text }] });
  const wholeOf = (id: string) => ({ content: [{ type: 'draft_task', draft_task: { id } }] });

  it('is cheap, and its full version has the same length in every case', async () => {
    const model = 'seedance-1.5-pro';
    const draft = await videoRequests.submit({
      model,
      duration: 6,
      resolution: '480p',
      input: content('A fox'),
      parameters: { draft: true },
    });
    const early = await videoRequests.post({ model, input: wholeOf(draft.id) });
    expect([early.status, early.text]).toEqual([400, expect.stringContaining('has not succeeded')]);
    const done = await videoRequests.waitForStatus(draft.id);
    expect(nanoOf(done.cost ?? '')).toBe(videoRequests.costOf(model, 'second_480p_draft', 6));
    const shorter = await videoRequests.post({ model, duration: 4, input: wholeOf(draft.id) });
    expect([shorter.status, shorter.json<StyleB>().message]).toEqual([400, expect.stringContaining("'duration'")]);
    const foreign = await videoRequests.post({ model, input: wholeOf(draft.id) }, { key: stranger.apiKey });
    expect(foreign.status).toBe(404);
    const wholeRequest = { model, resolution: '720p', input: wholeOf(draft.id) };
    const quoted = (body: object, key = customer.apiKey) =>
      stack.accounts.quote(key, { endpoint: 'videos.generations', body });
    expect(await quoted(wholeRequest)).toMatchObject({ valid: true, hold_units: { second_720p: 6 } });
    expect(await quoted({ ...wholeRequest, duration: 4 })).toMatchObject({
      valid: false,
      errors: [{ param: 'duration' }],
    });
    expect(await quoted(wholeRequest, stranger.apiKey)).toMatchObject({ valid: false, errors: [{ status: 404 }] });
    const whole = await videoRequests.submit(wholeRequest);
    const record = await videoRequests.waitForStatus(whole.id);
    expect(record).toMatchObject({ status: 'succeeded', duration: 6, resolution: '720p' });
    expect(nanoOf(record.cost ?? '')).toBe(videoRequests.costOf(model, 'second_720p', 6));
  });

  it('is continued by the credential that made it only', async () => {
    const model = 'seedance-1.5-pro';
    const request = { model, duration: 4, resolution: '480p', parameters: { draft: true } };
    const drafts = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        videoRequests.submit({ ...request, input: content(`Fox number ${index}`) }),
      ),
    );
    const wholes = await Promise.all(
      drafts.map(async ({ id }) => {
        await videoRequests.waitForStatus(id);
        return videoRequests.waitForStatus((await videoRequests.submit({ model, input: wholeOf(id) })).id);
      }),
    );
    expect(wholes.map(({ status, duration }) => [status, duration])).toEqual(drafts.map(() => ['succeeded', 4]));
  });
});

describe('one idempotency key', () => {
  it('creates one task for many concurrent requests', async () => {
    const tag = videoRequests.tag();
    const body = prompted(`once ${tag}`, { duration: 2 });
    const headers = { 'idempotency-key': tag };
    const responses = await Promise.all(Array.from({ length: 50 }, () => videoRequests.post(body, { headers })));
    const statuses = new Set(responses.map(({ status }) => status));
    expect([...statuses].every((status) => status === 202 || status === 409)).toBe(true);
    const ids = new Set(
      responses.filter(({ status }) => status === 202).map((response) => response.json<{ id: string }>().id),
    );
    expect(ids.size).toBe(1);
    const again = await videoRequests.post(body, { headers });
    expect([again.status, again.json<{ id: string }>().id]).toEqual([202, [...ids][0]]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(await videoRequests.upstreamTasks(tag)).toHaveLength(1);
    const other = await videoRequests.post(prompted(`twice ${tag}`), { headers });
    expect([other.status, other.json<StyleB>().code]).toEqual([409, 'IdempotencyConflict']);
    expect(await videoRequests.waitForStatus([...ids][0] ?? '')).toMatchObject({ status: 'succeeded', cost: '0.20' });
    // A wait under a used key returns the end of that task.
    const waited = await videoRequests.post(body, { headers, query: '?wait=true' });
    expect([waited.status, waited.json<VideoTaskRecord>().status]).toEqual([200, 'succeeded']);
    expect(waited.headers['x-cost-usd']).toBe('0.00');
  });

  it('is free again after a rejection', async () => {
    const headers = { 'idempotency-key': videoRequests.tag() };
    const rejected = await videoRequests.post(prompted('{{sim blocked times=1}} again', { duration: 2 }), { headers });
    expect(rejected.status).toBe(400);
    const taken = await videoRequests.post(prompted('{{sim blocked times=1}} again', { duration: 2 }), { headers });
    expect({ status: taken.status, text: taken.text }).toMatchObject({ status: 202 });
  });
});

describe('a test key', () => {
  it('makes simulated videos for free and sees those only', async () => {
    const poor = await stack.createCustomer();
    const { key } = await poor.newKey({ test: true });
    const response = await videoRequests.post({ ...USUAL, wait: true }, { key });
    expect({ status: response.status, text: response.text }).toMatchObject({ status: 200 });
    expect(response.headers['x-gateway-test']).toBe('true');
    expect(response.json<VideoTaskRecord>()).toMatchObject({ status: 'succeeded', cost: '0.00' });
    expect(await poor.balance()).toMatchObject({ balance_usd: '0.00' });
    const own = await customer.newKey({ test: true });
    const { data } = (await videoRequests.get('', { key: own.key })).json<VideoTaskList>();
    expect(data).toEqual([]);
  });
});

describe('other methods', () => {
  it('are rejected with 405', async () => {
    const send = (method: string) => fullResponse(stack.baseUrl, { method, path: VIDEOS_PATH, key: customer.apiKey });
    const { status, headers } = await send('PUT');
    expect([status, headers.allow]).toEqual([405, expect.stringContaining('POST')]);
    // In OpenAI's form the path names a video, which no video's id is.
    expect((await send('DELETE')).status).toBe(404);
  });
});

it('leaves a consistent ledger', async () => {
  await eventually(
    async () => {
      const open = (await videoRequests.get('?limit=100'))
        .json<VideoTaskList>()
        .data.filter(({ finished_at }) => finished_at === null);
      expect(open).toEqual([]);
    },
    { withinMs: TASK_WITHIN_MS, intervalMs: 500 },
  );
  await expectConsistentLedger(stack, [customer, stranger]);
});
