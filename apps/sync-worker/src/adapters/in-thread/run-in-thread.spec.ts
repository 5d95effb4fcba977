import { createHash } from 'node:crypto';
import type { SyncTicket } from '@gateway/contracts';
import type { StreamReader, UpstreamReply } from '@gateway/upstreams';
import { describe, expect, it } from '@jest/globals';
import type { CalledAdapter, CalledStream, CalledUnary } from '../../model-adapter.js';
import { FakeThreads } from '../../test-support/fake-threads.js';
import { ticketOf } from '../../test-support/fakes.js';
import type { CalledPlan, ExecutionPlan } from '../execution-plan.js';
import { InteractionIds } from '../images/interaction-ids.js';
import { planExecution } from '../plan-execution.js';
import { RunInThread } from './run-in-thread.service.js';
import { ThreadedReader } from './threaded-reader.js';

const SECRETS: [string] = ['s'.repeat(32)];
const TARGET = { baseUrl: 'https://vendor.example', credential: 'secret', upstreamModel: 'theirs' };
const MEBIBYTE = 1024 * 1024;
/** Longer than what runs in the event loop. */
const TEXT = 'word "quoted" é '.repeat(100_000);
const IMAGE = `data:image/png;base64,${'iVBO'.repeat(300_000)}`;

const chat = { messages: [{ role: 'user', content: [{ type: 'text', text: TEXT }] }], max_tokens: 100 };
const withImage = { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: IMAGE } }] }] };
const messages = { messages: [{ role: 'user', content: TEXT }], max_tokens: 10 };
const responses = { input: [{ role: 'user', content: [{ type: 'input_text', text: TEXT }] }] };
const contents = { contents: [{ role: 'user', parts: [{ text: TEXT }] }] };
const texts = { input: Array.from({ length: 300 }, (_, at) => `${at} ${'x'.repeat(5_000)}`) };

function setUp() {
  const threads = new FakeThreads();
  return { threads, service: new RunInThread(threads, { interactionSecrets: SECRETS }) };
}

/** A difference of megabytes cannot be printed. */
const brief = (text: string) => [text.length, text.slice(0, 300), createHash('sha256').update(text).digest('hex')];
const textOf = (reply: UpstreamReply) => ({ ...reply, body: brief(Buffer.from(reply.body).toString()) });

const bytesOf = (body: object) => Buffer.from(JSON.stringify(body));
const ticket = (endpoint: string, model: string): SyncTicket => ticketOf({ endpoint, model });
const locally = (of: SyncTicket, body: object): ExecutionPlan =>
  planExecution(of, bytesOf(body), new InteractionIds(SECRETS));

const adaptersOf = (plan: CalledPlan): readonly CalledAdapter[] => {
  if (plan.kind === 'parallel') return plan.adapters;
  if (plan.kind === 'whole') return [plan.adapter];
  if (plan.kind === 'sequence') throw new Error('a sequence does not run in a thread');
  return [plan];
};

/** All that an adapter says, with the requests that it builds. */
async function facts(adapter: CalledAdapter): Promise<unknown> {
  const { body, ...wire } = await adapter.buildRequest(TARGET);
  const text = typeof body === 'string' ? body : Buffer.from(body ?? '').toString();
  const { kind, vendor, publicModel, upstreamModel, servedBy } = adapter;
  const stream = kind === 'stream' ? [adapter.isCollected, adapter.contentType, adapter.collectedType] : [];
  const unary = kind === 'unary' ? [adapter.responseLimitBytes, adapter.completeReply === undefined] : [];
  const without = adapter.withoutReasoning?.();
  return {
    wire: { ...wire, text: brief(text) },
    about: [kind, vendor, publicModel, upstreamModel, servedBy, ...stream, ...unary],
    without: without === undefined ? undefined : await facts(without),
  };
}

describe('an open response', () => {
  it('keeps nothing of its long request but a reader', async () => {
    const { threads, service } = setUp();
    const { plan, release } = await service.plan(
      ticket('messages', 'gm-2.5-flash'),
      bytesOf({ model: 'gm-2.5-flash', ...messages, stream: true }),
    );
    const [adapter] = adaptersOf(plan);
    if (adapter?.kind !== 'stream') throw new Error('not a stream');
    const reader = await adapter.openReader();
    release();
    expect(threads.names.at(-1)).toBe('release');
    await expect(Promise.resolve(adapter.buildRequest(TARGET))).rejects.toThrow('no adapter');
    if (!('chunksOf' in reader)) throw new Error('not in a thread');
    const chunks = reader.chunksOf(
      (async function* () {
        yield Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\n');
      })(),
    );
    expect(String((await chunks.next()).value)).toContain('message_start');
  });

  it('keeps the plan of an answer that becomes a stream later', async () => {
    const { threads, service } = setUp();
    const { plan, release } = await service.plan(
      ticket('chat.completions', 'gp-5.4-pro'),
      bytesOf({ model: 'gp-5.4-pro', ...chat, stream: true }),
    );
    expect(plan.kind).toBe('whole');
    release();
    expect(threads.names).not.toContain('release');
  });
});

describe('a long request', () => {
  it.each([
    ['chat.completions', 'gm-2.5-flash', () => chat],
    ['chat.completions', 'cl-sonnet-4-6', () => ({ ...withImage, stream: true })],
    ['chat.completions', 'gp-5.4-mini', () => chat],
    ['chat.completions', 'gp-5.4-pro', () => ({ ...chat, stream: true })],
    ['chat.completions', 'qn3.8-omni-flash', () => withImage],
    ['chat.completions', 'gm-2.5-flash', () => ({ ...chat, functions: true, stream: true })],
    ['chat.completions', 'qn3.8-omni-flash', () => ({ ...withImage, reasoning: true, stream: true })],
    ['completions', 'gm-2.5-flash', () => ({ chat: { model: 'gm-2.5-flash', ...chat } })],
    ['messages', 'cl-sonnet-4-6', () => ({ ...messages, stream: true })],
    ['messages', 'gm-2.5-flash', () => messages],
    ['messages.count_tokens', 'gp-5.4-mini', () => messages],
    ['responses', 'gp-5.4-mini', () => responses],
    ['responses', 'cl-sonnet-4-6', () => ({ ...responses, stream: true })],
    ['responses.compact', 'gm-2.5-flash', () => responses],
    ['models.generate_content', 'gm-2.5-flash', () => contents],
    ['models.generate_content', 'cl-sonnet-4-6', () => contents],
    ['models.stream_generate_content', 'gm-2.5-flash', () => contents],
    ['interactions', 'gm-2.5-flash', () => ({ input: TEXT })],
    ['interactions', 'cl-sonnet-4-6', () => ({ input: TEXT, stream: true })],
    ['embeddings', 'text-embedding-v4', () => texts],
    ['images.generations', 'gp-image-1', () => ({ prompt: TEXT, n: 1 })],
  ])('of %s on %s is planned and sent as in the event loop', async (endpoint, model, bodyOf: () => object) => {
    const { threads, service } = setUp();
    const of = ticket(endpoint, model);
    const sent = { model, ...bodyOf() };
    expect(service.isLong(of, bytesOf(sent))).toBe(true);
    const local = locally(of, sent);
    const { plan, close } = await service.plan(of, bytesOf(sent));
    const [theirs, ours] = [adaptersOf(plan), adaptersOf(local as CalledPlan)];
    expect(await Promise.all(theirs.map(facts))).toEqual(await Promise.all(ours.map(facts)));
    expect(theirs.length).toBeGreaterThanOrEqual(endpoint.endsWith('count_tokens') ? 0 : 1);
    close();
    expect(threads.sessionCount).toBe(0);
  });

  it('is refused as in the event loop', async () => {
    const { threads, service } = setUp();
    const of = ticket('responses', 'no-such-model');
    await expect(service.plan(of, bytesOf(responses))).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect(threads.sessionCount).toBe(0);
  });

  it('gets its failures and its merged reply as in the event loop', async () => {
    const { service } = setUp();
    const of = ticket('messages.count_tokens', 'gp-5.4-mini');
    const local = locally(of, messages);
    const { plan } = await service.plan(of, bytesOf(messages));
    if (plan.kind !== 'parallel' || local.kind !== 'parallel') throw new Error('not parallel');
    expect(textOf(await plan.merge([]))).toEqual(textOf(local.merge([])));
    const one = (await service.plan(ticket('chat.completions', 'gm-2.5-flash'), bytesOf(chat))).plan as CalledUnary;
    const failed = await one.readFailure({ status: 429, headers: { 'retry-after': '7' }, body: Buffer.from('{}') });
    expect(failed).toMatchObject({ kind: 'throttled', retryAfterMs: 7_000, error: { code: expect.any(String) } });
  });
});

describe('the stream of a long request', () => {
  const of = ticket('messages', 'cl-sonnet-4-6');
  const body = { model: 'cl-sonnet-4-6', ...messages, stream: true };
  const EVENTS = [
    'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"theirs","content":[],"usage":{"input_tokens":9,"output_tokens":1}}}\n\n',
    'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\nevent: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}\n\n',
    'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\nevent: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}\n\n',
    'event: message_stop\ndata: {"type":"message_stop"}\n\n',
  ];

  async function* chunksOf(events: readonly string[]): AsyncGenerator<Buffer> {
    for (const event of events) yield Buffer.from(event);
  }

  /** What a client gets, and the usage after each chunk. */
  async function readAll(reader: StreamReader, events: readonly string[]) {
    const chunks = reader instanceof ThreadedReader ? reader.chunksOf(chunksOf(events)) : chunksOf(events);
    const seen: unknown[] = [];
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
      seen.push(Buffer.from(reader.read(next.value)).toString(), reader.usage(), reader.isFinal);
    }
    seen.push(Buffer.from(reader.end()).toString(), reader.usage(), reader.isFinal, reader.upstreamId);
    return seen;
  }

  it('is translated and metered as in the event loop', async () => {
    const { service } = setUp();
    const local = await (locally(of, body) as CalledStream).openReader();
    const remote = await ((await service.plan(of, bytesOf(body))).plan as CalledStream).openReader();
    expect(await readAll(remote, EVENTS)).toEqual(await readAll(local, EVENTS));
  });

  it('fails as in the event loop, with the usage until then', async () => {
    const { service } = setUp();
    const error = 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}\n\n';
    for (const events of [[...EVENTS.slice(0, 2), error], EVENTS.slice(0, 2)]) {
      const local = await (locally(of, body) as CalledStream).openReader();
      const remote = await ((await service.plan(of, bytesOf(body))).plan as CalledStream).openReader();
      const [ours, theirs] = await Promise.allSettled([readAll(local, events), readAll(remote, events)]);
      expect(theirs).toMatchObject({
        status: 'rejected',
        reason: { code: (ours as PromiseRejectedResult).reason.code },
      });
      expect(remote.usage()).toEqual(local.usage());
    }
  });

  it('ends the upstream call when its reader leaves', async () => {
    const { service } = setUp();
    const remote = await ((await service.plan(of, bytesOf(body))).plan as CalledStream).openReader();
    let hasReturned = false;
    const chunks = {
      next: async () => ({ done: false as const, value: Buffer.from(EVENTS[0] ?? '') }),
      return: async () => {
        hasReturned = true;
        return { done: true as const, value: undefined };
      },
    };
    await (remote as ThreadedReader).chunksOf(chunks).return?.();
    expect(hasReturned).toBe(true);
  });
});

describe('a long response of a short request', () => {
  const image = (bytes: number) =>
    bytesOf({
      created: 1,
      data: [{ b64_json: 'A'.repeat(bytes) }],
      usage: { input_tokens: 5, output_tokens: 7, total_tokens: 12 },
    });
  const of = ticket('images.generations', 'gp-image-1');
  const request = { model: 'gp-image-1', prompt: 'A fox', n: 1 };

  it('is read in a thread, a short one in the event loop', async () => {
    const { threads, service } = setUp();
    const local = locally(of, request);
    const { plan, close } = service.withLongReplies(of, bytesOf(request), local);
    const [unary, ours] = [plan as CalledUnary, local as CalledUnary];
    expect(textOf(await unary.readReply(image(9)))).toEqual(textOf(await ours.readReply(image(9))));
    expect(threads.names).toEqual([]);
    expect(textOf(await unary.readReply(image(2 * MEBIBYTE)))).toEqual(
      textOf(await ours.readReply(image(2 * MEBIBYTE))),
    );
    expect([threads.names, threads.sessionCount]).toEqual([['readReply'], 1]);
    close();
    await Promise.resolve();
    expect(threads.sessionCount).toBe(0);
  });

  it('of several calls is merged in a thread', async () => {
    const { threads, service } = setUp();
    const embed = ticket('embeddings', 'text-embedding-v4');
    const list = { model: 'text-embedding-v4', input: ['a', 'b'] };
    const local = locally(embed, list);
    const { plan } = service.withLongReplies(embed, bytesOf(list), local);
    if (plan.kind !== 'parallel' || local.kind !== 'parallel') throw new Error('not parallel');
    const replies = [0, 1].map((index) => ({
      body: Buffer.from(`{"object":"embedding","index":${index},"embedding":[${'0.123456789,'.repeat(70_000)}1]}`),
      usage: { units: { input_token: 3 }, inputTokensTotal: 3, isEstimated: false },
      upstreamId: undefined,
    }));
    const ours = textOf(local.merge(replies));
    expect(textOf(await plan.merge(replies))).toEqual(ours);
    expect(threads.names).toEqual(['merge']);
  });

  it('gets images that its vendor keeps', async () => {
    const { threads, service } = setUp();
    const keeps = ticket('images.generations', 'qn-image-2.0');
    const asked = { model: 'qn-image-2.0', prompt: 'A fox', n: 1, response_format: 'b64_json' };
    const local = locally(keeps, asked);
    const adapter = adaptersOf(service.withLongReplies(keeps, bytesOf(asked), local).plan)[0] as CalledUnary;
    const ours = adaptersOf(local as CalledPlan)[0] as CalledUnary;
    const reply = {
      body: Buffer.from('{"url":"https://vendor.example/1"}'),
      usage: { units: { image: 1 }, inputTokensTotal: 0, isEstimated: false },
      upstreamId: undefined,
    };
    const download = async (url: string) => (url.endsWith('/1') ? Buffer.from('png') : undefined);
    const completed = await adapter.completeReply?.(reply, download);
    expect(completed && textOf(completed)).toEqual(
      textOf((await ours.completeReply?.(reply, download)) as UpstreamReply),
    );
    expect(threads.names).toEqual(['completeReply', 'completeReply']);
  });
});
