import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Anthropic from '@anthropic-ai/sdk';
import { eventually, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import OpenAI, { toFile } from 'openai';
import { openBrowser } from '../console/open-browser.js';

const MIB = 1024 * 1024;
const LIMIT_BYTES = 4 * MIB;
/** Four of them fit. */
const PART_BYTES = MIB - 1_000;

const stack = await startTestStack({
  env: { 'api-edge': { STORE_ACCOUNT_BYTES: String(LIMIT_BYTES), STORE_ACCOUNT_FILES: '12' } },
});
afterAll(() => stack.stop());
/** A result that does not end is given up soon. */
const FETCHING = { RESULT_LIMIT_BYTES: String(LIMIT_BYTES), RESULT_TIMEOUT_MS: '2000' };

const customer = await stack.createCustomer({ creditUsd: '10', limits: { rpm: 0, concurrency: 0 } });
const other = await stack.createCustomer({ creditUsd: '10' });
const clientOf = (apiKey: string) => new OpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey, maxRetries: 0 });
const client = clientOf(customer.apiKey);

const upload = async (contents: Buffer, filename: string, by = client, type?: string) =>
  by.files.create({
    file: await toFile(contents, filename, type === undefined ? {} : { type }),
    purpose: 'user_data',
  });
const statusOf = (error: unknown) => (error as { status?: number }).status;
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${stack.baseUrl}${path}`, { method, headers });
const authorized = { authorization: `Bearer ${customer.apiKey}` };
const linkOf = async (id: string, body?: object) => {
  const response = await fetch(`${stack.baseUrl}/v1/files/${id}/link`, {
    method: 'POST',
    headers: { ...authorized, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as { url: string; error?: { param: string } } };
};

describe('files by the official client', () => {
  it('are uploaded, retrieved, read, listed and deleted', async () => {
    const contents = Buffer.from('{"custom_id":"a"}\n'.repeat(1_000));
    const created = await client.files.create({
      file: await toFile(contents, 'input.jsonl'),
      purpose: 'batch',
      expires_after: { anchor: 'created_at', seconds: 3_600 },
    });
    expect(created).toMatchObject({
      object: 'file',
      bytes: contents.length,
      filename: 'input.jsonl',
      purpose: 'batch',
      status: 'processed',
      expires_at: created.created_at + 3_600,
      sha256: createHash('sha256').update(contents).digest('hex'),
    });
    expect(await client.files.retrieve(created.id)).toEqual(created);
    const content = await client.files.content(created.id);
    expect(Buffer.from(await content.arrayBuffer()).equals(contents)).toBe(true);
    const others = await Promise.all(['a.txt', 'b.txt', 'c.txt'].map((name) => upload(Buffer.from(name), name)));
    const listed: string[] = [];
    for await (const file of client.files.list({ limit: 2 })) listed.push(file.id);
    expect(new Set(listed)).toEqual(new Set([created, ...others].map(({ id }) => id)));
    const batches = await client.files.list({ purpose: 'batch', order: 'asc' });
    expect(batches.data.map(({ id }) => id)).toEqual([created.id]);
    expect(await client.files.delete(created.id)).toEqual({ id: created.id, object: 'file', deleted: true });
    expect(await client.files.retrieve(created.id).catch(statusOf)).toBe(404);
    expect(await client.files.content(created.id).catch(statusOf)).toBe(404);
    for (const { id } of others) await client.files.delete(id);
  });

  it('of another account or mode do not exist', async () => {
    const { id } = await upload(Buffer.from('secret'), 'secret.txt');
    const { key: testKey } = await customer.newKey({ test: true });
    for (const stranger of [clientOf(other.apiKey), clientOf(testKey)]) {
      expect(await stranger.files.retrieve(id).catch(statusOf)).toBe(404);
      expect(await stranger.files.content(id).catch(statusOf)).toBe(404);
      expect(await stranger.files.delete(id).catch(statusOf)).toBe(404);
      expect((await stranger.files.list()).data).toEqual([]);
      expect(await stranger.files.list({ after: id }).catch(statusOf)).toBe(400);
      const link = await fetch(`${stack.baseUrl}/v1/files/${id}/link`, {
        method: 'POST',
        headers: { authorization: `Bearer ${stranger.apiKey}` },
      });
      expect(link.status).toBe(404);
    }
    await client.files.delete(id);
  });
});

describe('the content of a file', () => {
  it('comes whole, in parts, by condition and as a head only', async () => {
    const contents = randomBytes(MIB);
    const { id, sha256 } = (await upload(contents, 'clip “1”.mp4', client, 'video/mp4')) as unknown as {
      id: string;
      sha256: string;
    };
    const path = `/v1/files/${id}/content`;
    const read = async (headers: Record<string, string>) => {
      const response = await get(path, { ...authorized, ...headers });
      return { response, body: Buffer.from(await response.arrayBuffer()) };
    };
    const whole = await read({});
    expect(whole.body.equals(contents)).toBe(true);
    expect(Object.fromEntries(whole.response.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(MIB),
      'accept-ranges': 'bytes',
      etag: `"${sha256}"`,
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringMatching(/^inline; filename=/),
    });
    const middle = await read({ range: 'bytes=1000-1999', 'if-range': `"${sha256}"` });
    expect([middle.response.status, middle.response.headers.get('content-range')]).toEqual([
      206,
      `bytes 1000-1999/${MIB}`,
    ]);
    expect(middle.body.equals(contents.subarray(1_000, 2_000))).toBe(true);
    expect((await read({ range: 'bytes=-10' })).body.equals(contents.subarray(-10))).toBe(true);
    const beyond = await read({ range: `bytes=${MIB}-` });
    expect([beyond.response.status, beyond.response.headers.get('content-range')]).toEqual([416, `bytes */${MIB}`]);
    expect((await read({ range: 'bytes=0-9', 'if-range': '"other"' })).response.status).toBe(200);
    expect((await read({ 'if-none-match': `"${sha256}"` })).response.status).toBe(304);
    expect((await read({ 'if-match': `"${sha256}"` })).response.status).toBe(200);
    const changed = await read({ 'if-match': '"other"', range: 'bytes=0-9' });
    expect([changed.response.status, JSON.parse(changed.body.toString()).error.code]).toEqual([
      412,
      'precondition_failed',
    ]);
    const head = await get(path, authorized, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(MIB)]);
    expect((await head.arrayBuffer()).byteLength).toBe(0);
    await client.files.delete(id);
  });

  it('is read in parts and resumed by curl', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'curl-'));
    const contents = randomBytes(300_000);
    const { id } = await upload(contents, 'clip.mp4', client, 'video/mp4');
    const { body } = await linkOf(id);
    /** The status, and what curl has written to `file`. */
    const curl = async (file: string, ...args: string[]) => {
      const output = join(folder, file);
      const asked = ['--silent', '--output', output, '--write-out', '%{http_code}', ...args, body.url];
      const { stdout } = await promisify(execFile)('curl', asked);
      return { status: Number(stdout), bytes: await readFile(output) };
    };
    for (const [range, status, expected] of [
      ['0-99', 206, contents.subarray(0, 100)],
      ['-100', 206, contents.subarray(-100)],
      ['299990-', 206, contents.subarray(299_990)],
      ['299990-999999', 206, contents.subarray(299_990)],
      // Several parts at once are the whole file, as the standard allows.
      ['0-9,20-29', 200, contents],
    ] as const) {
      const read = await curl('part', '--range', range);
      expect([range, read.status, read.bytes.equals(expected)]).toEqual([range, status, true]);
    }
    expect((await curl('beyond', '--range', '300000-')).status).toBe(416);
    await writeFile(join(folder, 'cut'), contents.subarray(0, 123_456));
    const resumed = await curl('cut', '--continue-at', '-');
    expect([resumed.status, resumed.bytes.equals(contents)]).toEqual([206, true]);
    const again = await curl('cut', '--continue-at', '-');
    expect([again.status, again.bytes.equals(contents)]).toEqual([416, true]);
    const head = await curl('head', '--head');
    expect([head.status, head.bytes.toString()]).toEqual([200, expect.stringMatching(/content-length: 300000\r\n/i)]);
    await rm(folder, { recursive: true });
    await client.files.delete(id);
  });

  it('opens by a signed address until that expires, and by no other', async () => {
    const { id } = await upload(Buffer.from('<script>'), 'page.html', client, 'text/html');
    const { body } = await linkOf(id);
    const opened = await fetch(body.url, { headers: { range: 'bytes=0-3' } });
    expect([opened.status, await opened.text()]).toEqual([206, '<scr']);
    expect(opened.headers.get('content-disposition')).toMatch(/^attachment/);
    expect((await fetch(body.url, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(body.url.replace(id, `file-${'a'.repeat(26)}`))).status).toBe(403);
    expect((await fetch(body.url, { method: 'DELETE' })).status).not.toBe(200);
    expect((await get(`/v1/files/${id}/content`)).status).toBe(401);
    const short = await linkOf(id, { expires_in: 1 });
    await eventually(async () => expect((await fetch(short.body.url)).status).toBe(403));
    const week = 7 * 24 * 3_600;
    expect((await linkOf(id, { expires_in: week })).status).toBe(200);
    expect(await linkOf(id, { expires_in: week + 1 })).toMatchObject({
      status: 400,
      body: { error: { param: 'expires_in' } },
    });
    await client.files.delete(id);
    expect((await fetch(body.url)).status).toBe(404);
  });
});

describe("files of Anthropic's client", () => {
  const anthropic = new Anthropic({ apiKey: customer.apiKey, baseURL: stack.baseUrl, maxRetries: 0 });

  it.each([
    ['an upload', () => anthropic.files.upload({ file: new File(['x'], 'a.txt', { type: 'text/plain' }) })],
    ['a list', () => anthropic.files.list()],
    ['a record', () => anthropic.files.retrieveMetadata('file-x')],
    ['a deletion', () => anthropic.files.delete('file-x')],
  ])('are refused in its form: %s', async (_name, call) => {
    const failure = await (call() as Promise<unknown>).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      status: 400,
      error: {
        type: 'error',
        error: { type: 'invalid_request_error', message: expect.stringContaining("in OpenAI's form only") },
      },
    });
  });
});

describe('a wrong upload', () => {
  const file = () => new File(['x'], 'a.txt');
  const form = (...parts: readonly [string, string | File][]) => {
    const data = new FormData();
    for (const [name, value] of parts) data.append(name, value);
    return data;
  };

  it.each<[string, string, FormData]>([
    ['no file', 'file', form(['purpose', 'batch'])],
    ['two files', 'file', form(['purpose', 'batch'], ['file', file()], ['file', file()])],
    ['an empty file', 'file', form(['purpose', 'batch'], ['file', new File([], 'a.txt')])],
    ['a field instead of a file', 'file', form(['purpose', 'batch'], ['file', 'text'])],
    ['no purpose', 'purpose', form(['file', file()])],
    ['another purpose', 'purpose', form(['purpose', 'batch_output'], ['file', file()])],
    ['an unknown field', 'color', form(['purpose', 'batch'], ['color', 'red'], ['file', file()])],
    [
      'a short expiry',
      'expires_after.seconds',
      form(
        ['purpose', 'batch'],
        ['expires_after[anchor]', 'created_at'],
        ['expires_after[seconds]', '5'],
        ['file', file()],
      ),
    ],
  ])('names the field: %s', async (_case, param, body) => {
    const response = await fetch(`${stack.baseUrl}/v1/files`, { method: 'POST', headers: authorized, body });
    expect({ status: response.status, body: await response.json() }).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining(`'${param.split('.')[0]}`) } },
    });
  });

  it('is refused unread if it is too large, and if it is no form', async () => {
    const huge = await fetch(`${stack.baseUrl}/v1/files`, {
      method: 'POST',
      headers: { ...authorized, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(huge.status).toBe(415);
  });
});

describe('the limit of an account', () => {
  it('holds exactly under parallel uploads, and a deletion returns its room', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        upload(randomBytes(PART_BYTES), `${index}.bin`).then(
          ({ id }) => id,
          (error: unknown) => error,
        ),
      ),
    );
    const ids = outcomes.filter((outcome) => typeof outcome === 'string');
    expect(ids).toHaveLength(4);
    for (const failure of outcomes.filter((outcome) => typeof outcome !== 'string')) {
      expect(failure).toMatchObject({ status: 413, code: 'storage_limit_exceeded' });
    }
    expect((await upload(Buffer.from('x'), 'x.txt', clientOf(other.apiKey))).bytes).toBe(1);
    await client.files.delete(ids[0] as string);
    expect(typeof (await upload(randomBytes(PART_BYTES), 'again.bin')).id).toBe('string');
  });
});

interface Task {
  readonly id: string;
  readonly status: string;
  readonly cost: string | null;
  readonly content: { readonly video_url: string; readonly file_id?: string } | null;
  readonly upstream: object | null;
}

/** Runs in the page: this package has no types of the DOM. */
const SEEK = `async (address) => {
  const video = document.querySelector('video');
  const event = (name) => new Promise((resolve, reject) => {
    video.addEventListener(name, resolve, { once: true });
    video.addEventListener('error', () => reject(new Error(video.error?.message)), { once: true });
  });
  const loaded = event('loadeddata');
  video.src = address;
  await loaded;
  const sought = event('seeked');
  video.currentTime = 1;
  await sought;
  return { isSeekable: video.seekable.length === 1 && video.seekable.end(0) > 1, seconds: video.currentTime };
}`;

/** Plays an address in Chromium, and seeks to its first second. A server without parts makes no video seekable. */
async function seekInBrowser(url: string): Promise<unknown> {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.setContent('<video muted preload="auto"></video>');
    return await page.evaluate(`(${SEEK})(${JSON.stringify(url)})`);
  } finally {
    await browser.close();
  }
}

describe('the result of a vendor', () => {
  const PATIENT = { withinMs: 60_000 };
  const buyer = stack.createCustomer({ creditUsd: '10' });

  const call = async (path: string, body?: object) => {
    const response = await fetch(`${stack.baseUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${(await buyer).apiKey}`,
        'content-type': 'application/json',
        prefer: 'retain=3600',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Task;
  };
  const makeVideo = async (): Promise<Task> => {
    const submitted = await call('/v1/videos/generations', {
      model: 'wn2.7-t2v',
      duration: 2,
      resolution: '720p',
      input: { prompt: 'A boat' },
      parameters: { resolution: '720P', duration: 2 },
    });
    return eventually(
      async () => {
        const task = await call(`/v1/videos/generations/${submitted.id}`);
        expect(task).toMatchObject({ status: 'succeeded' });
        return task;
      },
      { withinMs: 60_000, intervalMs: 200 },
    );
  };
  const bytesAt = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());

  it('has an address of the gateway from the first, also while only the vendor has its bytes', async () => {
    await stack.system.instance('video-worker').stop();
    await stack.system.add('video-worker', { PUBLIC_API_URL: stack.baseUrl });
    const task = await makeVideo();
    const url = task.content?.video_url ?? '';
    expect(url.startsWith(`${stack.baseUrl}/v1/files/${task.content?.file_id}/content?`)).toBe(true);
    expect(JSON.stringify(task)).not.toContain('__results');
    const redirect = await fetch(url, { redirect: 'manual' });
    expect([redirect.status, redirect.headers.get('location')]).toEqual([307, expect.stringContaining('__results')]);
    expect((await bytesAt(url)).subarray(4, 8).toString()).toBe('ftyp');
    const stranger = await get(`/v1/files/${task.content?.file_id}/content`, authorized);
    expect(stranger.status).toBe(404);

    const before = await bytesAt(url);
    await stack.system.add('batch-worker', FETCHING);
    await eventually(async () => expect((await fetch(url, { redirect: 'manual', method: 'HEAD' })).status).toBe(200), {
      withinMs: 60_000,
    });
    expect((await bytesAt(url)).equals(before)).toBe(true);
    const part = await fetch(url, { headers: { range: 'bytes=4-7' } });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      206,
      `bytes 4-7/${before.length}`,
      'ftyp',
    ]);
    expect(await seekInBrowser(url)).toEqual({ isSeekable: true, seconds: 1 });
    const mine = clientOf((await buyer).apiKey);
    const file = await mine.files.retrieve(task.content?.file_id ?? '');
    expect(file).toMatchObject({ purpose: 'assistants_output', content_type: 'video/mp4', bytes: before.length });
    // As its client asked, from when it was fetched; both are whole seconds.
    expect(Math.abs((file.expires_at ?? 0) - file.created_at - 3_600)).toBeLessThanOrEqual(2);
    await mine.files.delete(file.id);
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(404);
    const bare = await call(`/v1/videos/generations/${task.id}`);
    expect(bare).toMatchObject({ status: 'succeeded', cost: task.cost, content: null });
    expect(JSON.stringify(bare)).not.toMatch(/__results|\/v1\/files/);
  });

  it.each([
    ['missing', 'status'],
    ['cut', 'connection'],
    ['circle', 'too_many_redirects'],
    ['drip', 'timeout'],
    ['page', 'no_media'],
  ])('is fetched again while it fails: %s', async (fault, reason) => {
    await stack.simulator.failResults(fault);
    const task = await makeVideo();
    const id = task.content?.file_id ?? '';
    await eventually(
      async () => expect(await stack.ledger.fetchOf(id)).toEqual({ status: 'pending', reason }),
      PATIENT,
    );
    const waiting = await fetch(task.content?.video_url ?? '', { redirect: 'manual' });
    expect([waiting.status, waiting.headers.get('x-gateway-result')]).toEqual([307, 'pending']);
    await stack.simulator.failResults(undefined);
    await stack.ledger.fetchAgain(id);
    await eventually(async () => expect((await stack.ledger.fetchOf(id))?.status).toBe('stored'), PATIENT);
    const bytes = await bytesAt(task.content?.video_url ?? '');
    expect(bytes.subarray(4, 8).toString()).toBe('ftyp');
    expect(await call(`/v1/videos/generations/${task.id}`)).toMatchObject({ status: 'succeeded', cost: task.cost });
    await clientOf((await buyer).apiKey).files.delete(id);
  });

  it('beyond the limit is left at its vendor, and its address says so', async () => {
    await stack.simulator.failResults('large');
    const task = await makeVideo();
    const id = task.content?.file_id ?? '';
    const left = { status: 'passed_on', reason: 'too_large' };
    await eventually(async () => expect(await stack.ledger.fetchOf(id)).toEqual(left), PATIENT);
    const answer = await fetch(task.content?.video_url ?? '', { redirect: 'manual' });
    const { location, 'x-gateway-result': kept } = Object.fromEntries(answer.headers);
    expect([answer.status, location, kept]).toEqual([307, expect.stringContaining('__results'), 'left_at_vendor']);
    await stack.simulator.failResults(undefined);
    expect((await bytesAt(task.content?.video_url ?? '')).subarray(4, 8).toString()).toBe('ftyp');
    expect(await call(`/v1/videos/generations/${task.id}`)).toMatchObject({ status: 'succeeded', cost: task.cost });
  });

  it('has the type of its bytes, whatever the vendor says', async () => {
    await stack.simulator.failResults('wrong_type');
    const { content } = await makeVideo();
    const id = content?.file_id ?? '';
    await eventually(async () => expect((await stack.ledger.fetchOf(id))?.status).toBe('stored'), PATIENT);
    await stack.simulator.failResults(undefined);
    const stored = await fetch(content?.video_url ?? '');
    expect([stored.status, stored.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    await clientOf((await buyer).apiKey).files.delete(id);
  });

  it('is kept too where an image has an address, in a response and in a stream', async () => {
    await stack.system.instance('sync-worker').stop();
    await stack.system.add('sync-worker', { PUBLIC_API_URL: stack.baseUrl });
    const { apiKey } = await buyer;
    const generate = (body: object) =>
      fetch(`${stack.baseUrl}/v1/images/generations`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const urlsIn = (text: string) =>
      [...text.matchAll(/"(?:url|image)":"(http[^"]+)"/g)].map(([, url]) => url as string);
    const texts = [
      await generate({ model: 'qn-image-2.0', input: { messages: [{ role: 'user', content: [{ text: 'A kite' }] }] } }),
      await generate({ model: 'seedream-4.5', prompt: 'A kite', response_format: 'url', stream: true }),
      await generate({ model: 'grok-imagine-image', prompt: 'A kite', response_format: 'url' }),
    ].map((response) => response.text());
    const urls = (await Promise.all(texts)).map(urlsIn);
    expect(urls).toEqual(Array(3).fill([expect.stringContaining(`${stack.baseUrl}/v1/files/file-`)]));
    for (const url of urls.flat()) {
      const bytes = await bytesAt(url);
      await eventually(
        async () => expect((await fetch(url, { redirect: 'manual', method: 'HEAD' })).status).toBe(200),
        {
          withinMs: 60_000,
        },
      );
      expect((await bytesAt(url)).equals(bytes)).toBe(true);
    }
    const { data } = await clientOf(apiKey).files.list({ purpose: 'assistants_output' });
    expect(data).toHaveLength(3);
    expect((await clientOf(apiKey).files.list({ purpose: 'generation' })).data).toEqual(data);
    for (const { id } of data) await clientOf(apiKey).files.delete(id);
  });

  it('is deleted with its bytes when its time is over, by the sweep', async () => {
    const { id } = await upload(Buffer.from('short'), 'short.txt', clientOf((await buyer).apiKey));
    await stack.ledger.expireFile(id);
    await eventually(async () => expect(await stack.ledger.hasFile(id)).toBe(false), { withinMs: 60_000 });
  });
});
