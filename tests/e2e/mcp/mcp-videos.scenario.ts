import { randomUUID } from 'node:crypto';
import type { VideoTaskRecord } from '@gateway/contracts';
import {
  callJson,
  eventually,
  MCP_CLIENTS,
  type McpClient,
  type McpConnection,
  nanoOf,
  startTestStack,
  textOf,
} from '@gateway/testing';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';

const stack = await startTestStack();
await stack.system.add('mcp-server');
const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });
const to: McpConnection = { url: stack.system.mcpUrl as string, apiKey: customer.apiKey };
const PATH = '/v1/videos/generations';

const opened: McpClient[] = [];
async function connect(kind: keyof typeof MCP_CLIENTS = 'current release', more: Partial<McpConnection> = {}) {
  const client = await MCP_CLIENTS[kind]({ ...to, ...more });
  opened.push(client);
  return client;
}
afterEach(async () => {
  for (const client of opened.splice(0)) await client.close();
});
afterAll(() => stack.stop());

type Result = Awaited<ReturnType<McpClient['call']>>;
const taskOf = ({ structuredContent }: Result): VideoTaskRecord => structuredContent as unknown as VideoTaskRecord;

async function submit(client: McpClient, given: object): Promise<string> {
  const result = await client.call('submit_video', given);
  expect([result.isError ?? false, textOf(result)]).toEqual([false, expect.stringContaining('"task_id"')]);
  return taskOf(result).task_id;
}

const waitForVideo = async (client: McpClient, task_id: string) =>
  client.call('wait_for_video', { task_id, timeout_seconds: 60 });
const balance = async (): Promise<bigint> => nanoOf((await customer.balance()).balance_usd);

const IMAGE = 'https://images.example.com/1.png';
const quick = '{{sim task_seconds=1}} A ferry leaves';

/** Arguments that every family accepts, and the HTTP body that they stand for. */
const VIDEOS = [
  [
    'wn2.7-t2v',
    { prompt: quick, duration: 3 },
    { duration: 3, input: { prompt: quick }, parameters: { duration: 3, resolution: '720P' } },
  ],
  [
    'wn2.7-i2v',
    { prompt: quick, first_frame_url: IMAGE },
    { duration: 5, input: { prompt: quick, media: [{ type: 'first_frame', url: IMAGE }] } },
  ],
  ['wn2.6-r2v', { prompt: quick, reference_urls: [IMAGE] }, { input: { prompt: quick, reference_urls: [IMAGE] } }],
  ['happyhorse-1.1-t2v', { prompt: quick, resolution: '1080p' }, { resolution: '1080p', input: { prompt: quick } }],
  [
    'seedance-2.0',
    { prompt: quick, first_frame_url: IMAGE },
    {
      input: {
        content: [
          { type: 'text', text: quick },
          { type: 'image_url', image_url: { url: IMAGE }, role: 'first_frame' },
        ],
      },
    },
  ],
  ['grok-imagine-video', { prompt: quick, duration: 4 }, { duration: 4, input: { prompt: quick } }],
] as const;

const KINDS = Object.keys(MCP_CLIENTS) as (keyof typeof MCP_CLIENTS)[];
/** A video takes seconds, so the clients alternate. */
const cases = VIDEOS.map(([model, args, body], index) => [model, KINDS[index % KINDS.length], args, body] as const);

describe('the official clients', () => {
  it.each(cases)('make a video of %s with the %s at the price over HTTP', async (model, kind, args, body) => {
    const before = await balance();
    const accepted = await callJson<VideoTaskRecord>(`${stack.baseUrl}${PATH}?wait=true`, {
      method: 'POST',
      token: customer.apiKey,
      body: { model, ...body },
    });
    expect(accepted.status).toBe('succeeded');
    await waitUntilSettled(stack, [customer]);
    const httpCost = before - (await balance());
    expect(httpCost).toBe(nanoOf(accepted.cost ?? ''));

    const client = await connect(kind);
    const messages: string[] = [];
    const taskId = await submit(client, { model, ...args });
    const result = await client.call(
      'wait_for_video',
      { task_id: taskId },
      { onprogress: ({ message = '' }) => void messages.push(message) },
    );
    const link = result.content[0];
    expect(link).toMatchObject({ type: 'resource_link', mimeType: 'video/mp4', name: `${taskId}.mp4` });
    expect(messages[0]).toMatch(/^(queued|running)/);
    expect(taskOf(result)).toMatchObject({ task_id: taskId, model, status: 'succeeded', cost: accepted.cost });
    const videoBytes = Buffer.from(await (await fetch(link?.type === 'resource_link' ? link.uri : '')).arrayBuffer());
    expect(videoBytes.toString('latin1', 4, 8)).toBe('ftyp');
    await waitUntilSettled(stack, [customer]);
    expect(before - (await balance())).toBe(2n * httpCost);
    expect(taskOf(await client.call('get_video', { task_id: taskId }))).toMatchObject({ status: 'succeeded' });
  });
});

describe('a video', () => {
  it('that fails returns the reason and costs nothing', async () => {
    const client = await connect();
    const before = await balance();
    const taskId = await submit(client, {
      model: 'wn2.7-t2v',
      prompt: '{{sim task_seconds=1 task_fail=DataInspectionFailed}} x',
    });
    const result = await waitForVideo(client, taskId);
    expect(taskOf(result)).toMatchObject({
      status: 'failed',
      cost: '0.00',
      content: null,
      error: { code: expect.any(String) },
    });
    expect(result.content.map(({ type }) => type)).toEqual(['text']);
    await waitUntilSettled(stack, [customer]);
    expect(await balance()).toBe(before);
  });

  it('is cancelled, and the response shows the cost', async () => {
    const client = await connect('previous release');
    const before = await balance();
    const taskId = await submit(client, { model: 'wn2.7-t2v', prompt: '{{sim task_seconds=60}} x' });
    const cancelled = taskOf(await client.call('cancel_video', { task_id: taskId }));
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      cancellation: { outcome: 'cancelled', may_still_cost_usd: '0.00' },
    });
    await waitUntilSettled(stack, [customer]);
    expect(await balance()).toBe(before);
  });

  it('continues when its waiting client leaves', async () => {
    const client = await connect();
    const taskId = await submit(client, {
      model: 'grok-imagine-video',
      prompt: '{{sim task_seconds=3}} x',
      duration: 4,
    });
    const leave = new AbortController();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const waiting = client
      .call('wait_for_video', { task_id: taskId }, { signal: leave.signal, onprogress: () => begin() })
      .catch(String);
    await begun;
    leave.abort();
    expect(await waiting).toMatch(/abort/i);
    expect(taskOf(await waitForVideo(client, taskId))).toMatchObject({ status: 'succeeded' });
  });

  it("is created once under one key, and a client can wait across a server's death", async () => {
    const second = await stack.system.add('mcp-server');
    const [one, two] = [await connect(), await connect('previous release', { url: `${second.url}/mcp` })];
    const given = { model: 'wn2.7-t2v', prompt: '{{sim task_seconds=2}} Once', idempotency_key: randomUUID() };
    const since = await stack.simulator.lastSeq();
    const taskId = await submit(one, given);
    expect(await submit(two, given)).toBe(taskId);
    const waiting = two.call('wait_for_video', { task_id: taskId }).catch(String);
    await second.kill();
    expect(typeof (await waiting)).toBe('string');
    expect(taskOf(await waitForVideo(one, taskId))).toMatchObject({ status: 'succeeded' });
    const submissions = (await stack.simulator.journal(since)).filter(({ path }) => path.includes('video-synthesis'));
    expect(submissions).toHaveLength(1);
  });

  it('above its cost limit is not submitted', async () => {
    const client = await connect();
    const given = { model: 'wn2.7-t2v', prompt: 'x', duration: 5 };
    const { structuredContent } = await client.call('quote', { tool: 'submit_video', arguments: given });
    const { hold_usd: hold } = structuredContent as { hold_usd: string };
    const rejected = await client.call('submit_video', { ...given, duration: 6, max_cost_usd: hold });
    expect([rejected.isError, textOf(rejected)]).toEqual([true, expect.stringMatching(/^max_cost_exceeded: /)]);
    expect(await waitForVideo(client, await submit(client, { ...given, max_cost_usd: hold }))).toBeDefined();
  });

  it('is listed newest first and hidden from other accounts', async () => {
    const client = await connect();
    const taskId = await submit(client, { model: 'wn2.7-t2v', prompt: quick });
    await eventually(async () => {
      const { structuredContent } = await client.call('list_videos', { limit: 1, model: 'wn2.7-t2v' });
      const { data } = structuredContent as { data: VideoTaskRecord[] };
      expect(data.map(({ task_id: id }) => id)).toEqual([taskId]);
    });
    const stranger = await stack.createCustomer({ creditUsd: '1' });
    const other = await connect('current release', { apiKey: stranger.apiKey });
    for (const tool of ['get_video', 'wait_for_video', 'cancel_video']) {
      const result = await other.call(tool, { task_id: taskId });
      expect([result.isError, textOf(result)]).toEqual([true, expect.stringMatching(/not_?found/i)]);
    }
    await waitForVideo(client, taskId);
  });

  it("with invalid arguments is rejected in the gateway's words for free", async () => {
    const client = await connect();
    const before = await balance();
    for (const [given, words] of [
      [{ model: 'wn2.7-t2v', prompt: 'x', duration: 99 }, 'duration'],
      [{ model: 'wn2.7-t2v', prompt: 'x', resolution: '8k' }, 'resolution'],
      [{ model: 'gm-2.5-flash', prompt: 'x' }, 'gm-2.5-flash'],
      [{ model: 'wn2.7-i2v', input: { prompt: 'x', media: [] } }, 'media'],
    ] as const) {
      const result = await client.call('submit_video', given);
      expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining(words)]);
    }
    await waitUntilSettled(stack, [customer]);
    expect(await balance()).toBe(before);
  });

  it('leaves a consistent ledger', () => expectConsistentLedger(stack, [customer]));
});
