import { type AttemptRecord, UpstreamRejection } from '@gateway/channels';
import { GatewayError } from '@gateway/contracts';
import type { HttpPools, HttpResponse } from '@gateway/http';
import { describe, expect, it } from '@jest/globals';
import type { StreamAdapter, UnaryAdapter } from '../model-adapter.js';
import type { StreamResponse } from '../opened-response.js';
import { FakeReader, usageOf } from '../test-support/fakes.js';
import type { WorkerConfig } from '../tokens.js';
import { CallUpstream } from './call-upstream.service.js';
import type { DownloadResults } from './download-results.service.js';

const NO_DOWNLOADS = {} as DownloadResults;
const CHANNEL = { baseUrl: 'http://up', credential: 'sk-0123456789abcdef' };
const EVENT_STREAM = { 'content-type': 'text/event-stream' };

interface FakeResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly chunks?: readonly string[];
}

function setUp({ status = 200, headers = {}, chunks = [] }: FakeResponse, overrides: Record<string, string> = {}) {
  const events: unknown[] = [];
  async function* body() {
    try {
      for (const chunk of chunks) yield Buffer.from(chunk);
    } finally {
      events.push('closed');
    }
  }
  const response = {
    status,
    headers,
    body: body(),
    bytes: async (limitBytes: number) => {
      events.push(`limit ${limitBytes}`);
      return Buffer.from(chunks.join(''));
    },
    dump: async () => void events.push('dumped'),
  } as unknown as HttpResponse;
  const sent: unknown[] = [];
  const http = {
    send: async (request: unknown, options: { readonly onSent: () => void }) => {
      sent.push(request, options);
      options.onSent();
      return response;
    },
  } as unknown as HttpPools;
  const config = {
    upstreamModelOverrides: overrides,
    upstreamHeadersTimeoutMs: 1_000,
    streamIdleTimeoutMs: 2_000,
  } as unknown as WorkerConfig;
  const record: AttemptRecord = { channel: 'ch_1', startedAtMs: 1, endedAtMs: 0 };
  const readers: unknown[] = [];
  /** Whether an upstream has the request, at each change. */
  const states: boolean[] = [];
  const { signal } = new AbortController();
  const call = (adapter: UnaryAdapter | StreamAdapter) =>
    new CallUpstream(http, config, NO_DOWNLOADS).call({
      adapter,
      channel: CHANNEL,
      signal,
      record,
      release: () => events.push('released'),
      onSent: (wasSent) => states.push(wasSent),
      onChanges: () => undefined,
      onReader: (reader) => readers.push(reader),
      takeRoom: async () => undefined,
    });
  return { call, events, sent, record, readers, signal, states };
}

const bound = {
  vendor: 'openai',
  publicModel: 'm',
  upstreamModel: 'up-m',
  buildRequest: (target: unknown) => ({ target }),
  readFailure: () => ({ kind: 'server', error: new GatewayError('upstream_error', 'No.'), retryAfterMs: undefined }),
};

const whole = (overrides: Partial<UnaryAdapter> = {}) =>
  ({
    ...bound,
    kind: 'unary',
    readReply: (body: Uint8Array) => ({ body, usage: usageOf({ input_token: 1 }), upstreamId: 'up_1' }),
    ...overrides,
  }) as UnaryAdapter;

const stream = (reader: FakeReader, isCollected = false) =>
  ({
    ...bound,
    kind: 'stream',
    isCollected,
    contentType: 'text/event-stream',
    openReader: () => reader,
  }) as unknown as StreamAdapter;

describe('CallUpstream.call', () => {
  it('sends the request with the model name of the upstream and the configured time-outs', async () => {
    const test = setUp({});
    await test.call(whole());
    expect(test.sent).toEqual([
      { target: { ...CHANNEL, upstreamModel: 'up-m' } },
      { signal: test.signal, headersTimeoutMs: 1_000, bodyTimeoutMs: 2_000, onSent: expect.any(Function) },
    ]);
  });

  it('sends an overridden model name', async () => {
    const test = setUp({}, { m: 'renamed' });
    await test.call(whole());
    expect(test.sent[0]).toEqual({ target: { ...CHANNEL, upstreamModel: 'renamed' } });
  });

  it('returns what the adapter changed in the request, and does not send it', async () => {
    const changes = { filled: { temperature: '1' }, dropped: ['top_p'] };
    const buildRequest = () => ({ method: 'POST' as const, url: 'u', headers: {}, body: null, changes });
    const unary = setUp({});
    expect(await unary.call(whole({ buildRequest }))).toMatchObject({ kind: 'unary', changes });
    expect(unary.sent[0]).toEqual({ method: 'POST', url: 'u', headers: {}, body: null });
    const streamed = setUp({ headers: EVENT_STREAM, chunks: ['one'] });
    const adapter = { ...stream(new FakeReader()), buildRequest };
    expect(await streamed.call(adapter)).toMatchObject({ kind: 'stream', changes });
  });

  it('throws an error status as a rejection, read by the protocol', async () => {
    const test = setUp({ status: 500, chunks: ['no'] });
    await expect(test.call(whole())).rejects.toBeInstanceOf(UpstreamRejection);
    expect([test.record.status, test.readers]).toEqual([500, []]);
    expect([test.events, test.states]).toEqual([['limit 1048576'], [true, false]]);
  });

  it('hides its credential in an error, which the customer reads', async () => {
    const test = setUp({ status: 400, chunks: ['the key ', CHANNEL.credential, ' may not do this'] });
    const read: string[] = [];
    const adapter = whole({
      readFailure: ({ body }) => {
        read.push(Buffer.from(body).toString());
        return bound.readFailure() as never;
      },
    });
    await expect(test.call(adapter)).rejects.toBeInstanceOf(UpstreamRejection);
    expect(read).toEqual(['the key [credential] may not do this']);
  });

  it('hides its credential in a stream, whose events may report an error', async () => {
    const text = `data: {"error":{"message":"the key ${CHANNEL.credential} is wrong"}}\n\n`;
    const test = setUp({ headers: EVENT_STREAM, chunks: [text.slice(0, 40), text.slice(40)] });
    const opened = (await test.call(stream(new FakeReader()))) as StreamResponse;
    const parts = [opened.firstBytes];
    for (let part = await opened.remaining.next(); !part.done; part = await opened.remaining.next())
      parts.push(part.value);
    expect(Buffer.concat(parts).toString()).toBe(text.replace(CHANNEL.credential, '[credential]'));
  });

  it('hides its credential in a response that reports an error under 200', async () => {
    const test = setUp({ chunks: ['{"code":"', CHANNEL.credential, '"}'] });
    expect(await test.call(whole())).toMatchObject({ body: Buffer.from('{"code":"[credential]"}') });
  });

  it('keeps the beginning of an endless id', async () => {
    const test = setUp({});
    const reply = { body: new Uint8Array(), usage: usageOf({ input_token: 1 }), upstreamId: 'i'.repeat(3_000_000) };
    await test.call(whole({ readReply: () => reply }));
    expect(test.record.upstreamId).toHaveLength(256);
  });

  it('returns a unary response and records its status and id', async () => {
    const test = setUp({ chunks: ['{"a":', '1}'] });
    expect(await test.call(whole())).toMatchObject({ kind: 'unary', body: Buffer.from('{"a":1}') });
    expect(test.record).toMatchObject({ status: 200, upstreamId: 'up_1' });
    expect([test.events, test.readers]).toEqual([[`limit ${64 * 1024 * 1024}`], [undefined]]);
    expect(test.states).toEqual([true]);
  });

  it('applies the limit of the adapter and finishes the reply with the channel', async () => {
    const test = setUp({ chunks: ['x'] });
    const adapter = whole({
      responseLimitBytes: 10,
      finishReply: (reply, channelId) => ({ ...reply, body: Buffer.from(channelId) }),
    });
    expect(await test.call(adapter)).toMatchObject({ body: Buffer.from('ch_1') });
    expect(test.events).toEqual(['limit 10']);
  });

  it('opens a stream at its first bytes for the client, and leaves the slot to its reader', async () => {
    const test = setUp({ headers: EVENT_STREAM, chunks: ['skipped', 'shown', 'later'] });
    const reader = new FakeReader();
    reader.read = (bytes) => (Buffer.from(bytes).toString() === 'skipped' ? new Uint8Array(0) : bytes);
    const opened = await test.call(stream(reader));
    if (opened.kind !== 'stream') throw new Error('expected a stream');
    expect(Buffer.from(opened.firstBytes).toString()).toBe('shown');
    expect((await opened.remaining.next()).value?.toString()).toBe('later');
    expect([test.events, test.readers]).toEqual([[], [undefined, reader]]);
  });

  it('writes the last bytes of a stream once if they are its first ones', async () => {
    const reader = new FakeReader();
    reader.read = () => Buffer.alloc(0);
    const test = setUp({ headers: EVENT_STREAM, chunks: ['one'] });
    const opened = await test.call(stream(reader));
    if (opened.kind !== 'stream') throw new Error('expected a stream');
    expect(Buffer.from(opened.firstBytes).toString()).toBe('[DONE]');
    expect(await opened.remaining.next()).toMatchObject({ done: true });
    expect(opened.reader.end()).toHaveLength(0);
    expect(opened.reader.isFinal).toBe(true);
  });

  it('collects a stream for a client that requested a unary response', async () => {
    const test = setUp({ headers: EVENT_STREAM, chunks: ['one', 'two'] });
    const reader = new FakeReader();
    reader.used = usageOf({ output_token: 2 });
    expect(await test.call(stream(reader, true))).toEqual({
      kind: 'unary',
      body: Buffer.from('[DONE]'),
      usage: reader.used,
      upstreamId: 'up_1',
    });
  });

  it('rejects a 2xx response that is not an event stream, without reading it', async () => {
    const test = setUp({ headers: { 'content-type': 'text/html' }, chunks: ['<html>'] });
    await expect(test.call(stream(new FakeReader()))).rejects.toMatchObject({ code: 'upstream_error' });
    expect(test.events).toEqual(['dumped']);
  });

  it('closes the stream if its reader cannot be opened', async () => {
    const test = setUp({ headers: EVENT_STREAM, chunks: ['one', 'later'] });
    const failed = new GatewayError('service_unavailable', 'The thread failed.');
    const adapter = { ...stream(new FakeReader()), openReader: () => Promise.reject(failed) };
    await expect(test.call(adapter as unknown as StreamAdapter)).rejects.toBe(failed);
    expect(test.events).toEqual(['dumped']);
  });

  it('closes the stream if its first bytes are an error', async () => {
    const test = setUp({ headers: EVENT_STREAM, chunks: ['error', 'later'] });
    const reader = new FakeReader();
    reader.read = () => {
      throw new GatewayError('upstream_error', 'No.');
    };
    await expect(test.call(stream(reader))).rejects.toMatchObject({ code: 'upstream_error' });
    expect(test.events).toEqual(['closed']);
  });
});
