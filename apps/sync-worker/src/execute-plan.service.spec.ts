import type { AudioEncoder, AudioEncoders } from '@gateway/audio';
import { GatewayError, NO_USAGE, type UpstreamAttempt } from '@gateway/contracts';
import type { StreamReader } from '@gateway/upstreams';
import { describe, expect, it } from '@jest/globals';
import { InteractionIds } from './adapters/images/interaction-ids.js';
import { RunInThread } from './adapters/in-thread/run-in-thread.service.js';
import type { CallWithFailover, UpstreamRequest } from './call-upstream/call-with-failover.service.js';
import { ReplyRoom } from './call-upstream/reply-room.js';
import { ExecutePlan } from './execute-plan.service.js';
import type { OpenedResponse } from './opened-response.js';
import { FakeThreads } from './test-support/fake-threads.js';
import { FakeReader, streamOf, ticketOf, usageOf } from './test-support/fakes.js';

const identityEncoder: AudioEncoder = {
  encode: async (samples: Uint8Array) => samples,
  finish: async () => new Uint8Array(0),
  discard: () => undefined,
} as unknown as AudioEncoder;

/** `respond` plays the upstream of every call. */
function setUp(respond: (request: UpstreamRequest, index: number) => Promise<OpenedResponse>) {
  const requests: UpstreamRequest[] = [];
  const upstream = { open: (request: UpstreamRequest) => respond(request, requests.push(request) - 1) };
  const audio = { open: async () => identityEncoder } as unknown as AudioEncoders;
  const interactionSecrets: [string] = ['s'.repeat(32)];
  const threads = new RunInThread(new FakeThreads(), { interactionSecrets });
  const room = new ReplyRoom(100_000_000);
  const close: (() => void)[] = [];
  const service = new ExecutePlan(
    upstream as unknown as CallWithFailover,
    new InteractionIds(interactionSecrets),
    threads,
    room,
    audio,
  );
  const readers: (StreamReader | undefined)[] = [];
  const attempts: UpstreamAttempt[] = [];
  const sent: boolean[] = [];
  const abort = new AbortController();
  const open = (endpoint: string, model: string, body: object, isTest?: true) =>
    service.open(ticketOf({ endpoint, model, ...(isTest === true && { isTest }) }), Buffer.from(JSON.stringify(body)), {
      signal: abort.signal,
      attempts,
      onSent: (wasSent) => sent.push(wasSent),
      onChanges: () => undefined,
      onReader: (reader) => readers.push(reader),
      onPlanned: (whenEnded) => close.push(whenEnded),
    });
  return { open, requests, readers, attempts, abort, sent, room, close };
}

const batchReply = async (): Promise<OpenedResponse> => ({
  kind: 'unary',
  body: Buffer.from('{}'),
  usage: usageOf({ input_token: 5 }),
  upstreamId: 'up_1',
});

/** More texts than three upstream calls accept. */
const MANY_TEXTS = { input: Array.from({ length: 31 }, (_, index) => `text ${index}`) };
const embed = (test: ReturnType<typeof setUp>, body: object = MANY_TEXTS) =>
  test.open('embeddings', 'text-embedding-v4', body);

describe('a single call', () => {
  it('passes account, test mode, signal and attempts on', async () => {
    const test = setUp(batchReply);
    const opened = await test.open('chat.completions', 'cl-opus-4-7', { model: 'm', messages: [] }, true);
    expect(opened).toEqual(await batchReply());
    expect(test.requests).toEqual([
      expect.objectContaining({
        accountId: 'acct_a',
        isTest: true,
        signal: test.abort.signal,
        attempts: test.attempts,
      }),
    ]);
  });

  it('of an unknown model or endpoint fails with a retry-after for the rollout', async () => {
    const test = setUp(batchReply);
    const rollout = { code: 'upstream_unavailable', details: { retryAfterMs: 5_000 } };
    await expect(test.open('chat.completions', 'model-of-tomorrow', {})).rejects.toMatchObject(rollout);
    await expect(test.open('endpoint.of.tomorrow', 'cl-opus-4-7', {})).rejects.toMatchObject(rollout);
    expect(test.requests).toEqual([]);
  });
});

describe('a long reply', () => {
  it('takes room until its ticket has ended: first what it may become, then what it is', async () => {
    const test = setUp(async ({ takeRoom }) => {
      await takeRoom(undefined);
      expect(test.room.takenBytes).toBe(16 * 1024 * 1024);
      return batchReply();
    });
    await test.open('chat.completions', 'cl-opus-4-7', { model: 'm', messages: [] });
    expect(test.room.takenBytes).toBe(2);
    for (const end of test.close) end();
    expect(test.room.takenBytes).toBe(0);
  });
});

describe('parallel calls', () => {
  it('become one response with the usage of all', async () => {
    const test = setUp(batchReply);
    expect(await embed(test)).toMatchObject({ kind: 'unary', usage: usageOf({ input_token: 20 }) });
    expect(test.requests).toHaveLength(4);
  });

  it('run eight at a time', async () => {
    let running = 0;
    let peak = 0;
    const test = setUp(async () => {
      running += 1;
      peak = Math.max(peak, running);
      await new Promise(setImmediate);
      running -= 1;
      return batchReply();
    });
    await embed(test, { input: Array.from({ length: 200 }, () => 'text') });
    expect([peak, test.requests.length]).toEqual([8, 20]);
  });

  it('all fail if one fails: running ones are cancelled, waiting ones never start', async () => {
    const cancelled: unknown[] = [];
    const failure = new GatewayError('upstream_error', 'No.');
    const test = setUp(async ({ signal }, index) => {
      if (index === 2) {
        await new Promise(setImmediate);
        throw failure;
      }
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          cancelled.push(signal.reason);
          reject(signal.reason);
        }),
      );
    });
    await expect(embed(test, { input: Array.from({ length: 200 }, () => 'text') })).rejects.toBe(failure);
    expect(test.requests).toHaveLength(8);
    expect(cancelled).toEqual(Array.from({ length: 7 }, () => failure));
  });

  it('that make one image each keep the images that arrived, and fail only together', async () => {
    const image = { image: 'https://a.example/1.png' };
    const reply = JSON.stringify({
      output: { choices: [{ message: { content: [image] } }] },
      usage: { image_count: 1 },
    });
    const failure = new GatewayError('upstream_error', 'No.');
    const draw = async (fails: (index: number) => boolean) => {
      const test = setUp(async ({ adapter }, index) => {
        if (fails(index) || adapter.kind === 'stream') throw failure;
        return { kind: 'unary', ...(await adapter.readReply(Buffer.from(reply))) };
      });
      return test.open('images.generations', 'qn-image-2.0', { prompt: 'x', n: 3 });
    };
    const opened = await draw((index) => index === 1);
    if (opened.kind === 'stream') throw new Error('expected a reply');
    expect(opened.usage.units).toEqual({ image: 2 });
    expect(JSON.parse(Buffer.from(opened.body).toString())).toEqual({
      created: expect.any(Number),
      data: [{ url: image.image }, { url: image.image }],
    });
    await expect(draw(() => true)).rejects.toBe(failure);
  });

  it('end with the reason of the abort', async () => {
    const reason = new Error('client left');
    const test = setUp(
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    setTimeout(() => test.abort.abort(reason), 5);
    await expect(embed(test)).rejects.toBe(reason);
  });

  it('reject a stream', async () => {
    const test = setUp(async () => streamOf(new FakeReader(), 'one').response);
    await expect(embed(test)).rejects.toThrow('must not return a stream');
  });

  it('may be none: an estimate of tokens needs no upstream', async () => {
    const test = setUp(batchReply);
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] };
    expect(await test.open('messages.count_tokens', 'gm-2.5-pro', body)).toMatchObject({ kind: 'unary' });
    expect(test.requests).toEqual([]);
  });
});

describe('a sequence of calls', () => {
  const speak = (test: ReturnType<typeof setUp>, input: string) =>
    test.open('audio.speech', 'qn3-tts-flash', { input, response_format: 'wav' });

  const samples = (used = usageOf({ character: 5 })) => {
    const reader = new FakeReader();
    reader.used = used;
    return { reader, response: streamOf(reader, 'abc').response };
  };

  it('meters all parts from the first one on', async () => {
    const test = setUp(async ({ onReader }) => {
      const { reader, response } = samples();
      onReader(reader);
      return response;
    });
    const opened = await speak(test, 'Hello.');
    expect(opened).toMatchObject({ kind: 'stream', contentType: 'audio/wav' });
    expect(test.readers[0]?.usage()).toEqual(usageOf({ character: 5 }));
  });

  it('of one part knows its total usage before the end', async () => {
    const test = setUp(async ({ onReader }) => {
      const { reader, response } = samples();
      onReader(reader);
      return response;
    });
    expect(await speak(test, 'Hello.')).toHaveProperty('totalUsage', usageOf({ character: 5 }));
  });

  it.each([
    ['several parts', 'One sentence here. '.repeat(100), false],
    ['only an estimate', 'Hello.', true],
  ])('of %s does not', async (_, input, isEstimated) => {
    const test = setUp(async ({ onReader }) => {
      const { reader, response } = samples(usageOf({ character: 5 }, isEstimated));
      onReader(reader);
      return response;
    });
    expect(await speak(test, input)).not.toHaveProperty('totalUsage');
  });

  it('without any audio is an upstream error', async () => {
    const test = setUp(async () => {
      const reader = new FakeReader();
      reader.end = () => new Uint8Array(0);
      return streamOf(reader, '').response;
    });
    await expect(speak(test, 'Hello.')).rejects.toMatchObject({ code: 'upstream_error' });
    expect(test.readers[0]?.usage()).toEqual(NO_USAGE);
  });
});
