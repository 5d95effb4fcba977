import type { ModelEntry } from '@gateway/contracts';
import {
  eventually,
  expectedCost,
  framesOf,
  fullResponse,
  nanoOf,
  openResponse,
  startTestStack,
} from '@gateway/testing';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';

const stack = await startTestStack();
afterAll(() => stack.stop());
afterEach(() => stack.simulator.clearFaults());

const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });
/** The official client: only its address and its key are changed. */
const client = new OpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey: customer.apiKey, maxRetries: 0 });
const { speech } = client.audio;
const models = (await client.models.list()).data as unknown as ModelEntry[];

const FLASH = 'qn3-tts-flash';
const INSTRUCT = 'qn3-tts-instruct-flash';
const WAV_HEAD_BYTES = 44;
/** The simulator speaks a character in sixty milliseconds, in samples of two bytes at 24 kHz. */
const BYTES_PER_CHARACTER = 2_880;
const SECONDS_PER_CHARACTER = 0.06;
const SECONDS_PER_FRAME = 576 / 24_000;
const SENTENCE = 'The ferry leaves at nine, and it does not wait. ';

const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());
const priceOf = (id: string): ModelEntry => models.find((model) => model.id === id) as ModelEntry;

async function moneyOf(act: () => Promise<unknown>) {
  await waitUntilSettled(stack, [customer]);
  const since = await stack.simulator.lastSeq();
  const before = new Set((await stack.ledger.settlements(customer.accountId)).map(({ requestId }) => requestId));
  await act();
  await waitUntilSettled(stack, [customer]);
  const calls = await stack.simulator.closedJournal(since);
  const all = await stack.ledger.settlements(customer.accountId);
  const settlements = all.filter(({ requestId }) => !before.has(requestId));
  const billed = (model: string): bigint =>
    calls.reduce((sum, call) => sum + (call.billed === null ? 0n : expectedCost(priceOf(model), call.billed)), 0n);
  return { calls, settlements, billed };
}

const params = (fields: object): OpenAI.Audio.SpeechCreateParams =>
  ({ model: FLASH, voice: 'Cherry', input: 'Good morning', ...fields }) as OpenAI.Audio.SpeechCreateParams;

describe('speech', () => {
  it('returns MP3 by default, as long as the text, with its cost', async () => {
    const before = nanoOf((await customer.balance()).balance_usd);
    const { billed, settlements } = await moneyOf(async () => {
      const response = await speech.create(params({ input: SENTENCE, voice: 'alloy' }));
      expect(response.headers.get('content-type')).toBe('audio/mpeg');
      expect(response.headers.get('content-length')).toBeNull();
      expect(response.headers.get('x-request-id')).toMatch(/^req_\d{6}[a-z2-7]{20}$/);
      const frames = framesOf(await bytesOf(response));
      expect(frames.every(({ sampleRateHz, channels }) => sampleRateHz === 24_000 && channels === 1)).toBe(true);
      const seconds = frames.length * SECONDS_PER_FRAME;
      expect(seconds).toBeGreaterThanOrEqual(SENTENCE.length * SECONDS_PER_CHARACTER);
      expect(seconds).toBeLessThan(SENTENCE.length * SECONDS_PER_CHARACTER + 0.3);
      // USD 10 for a million characters: 10,000 nano-dollars each.
      expect(nanoOf(response.headers.get('x-cost-usd') ?? '')).toBe(BigInt(SENTENCE.length) * 10_000n);
    });
    expect(settlements).toHaveLength(1);
    expect(settlements[0]).toMatchObject({
      model: FLASH,
      outcome: 'completed',
      isEstimated: false,
      units: { character: SENTENCE.length },
      chargedNanoUsd: billed(FLASH),
    });
    expect(nanoOf((await customer.balance()).balance_usd)).toBe(before - billed(FLASH));
  });

  it('returns WAV on request, with the exact samples of the upstream', async () => {
    const response = await speech.create(params({ input: 'Ahoy', response_format: 'wav' }));
    expect(response.headers.get('content-type')).toBe('audio/wav');
    const file = await bytesOf(response);
    expect(file.toString('latin1', 0, 4) + file.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ');
    expect(file.readUInt32LE(24)).toBe(24_000);
    expect(file.length).toBe(WAV_HEAD_BYTES + 4 * BYTES_PER_CHARACTER);
    expect(file.subarray(WAV_HEAD_BYTES).some((byte) => byte !== 0)).toBe(true);
  });

  it('follows instructions with the model that supports them, always as WAV', async () => {
    for (const response_format of ['mp3', 'wav', undefined]) {
      const { calls, settlements, billed } = await moneyOf(async () => {
        const fields = { model: INSTRUCT, response_format, instructions: 'Whisper.' };
        const response = await speech.create(params(fields));
        expect(response.headers.get('content-type')).toBe('audio/wav');
        expect((await bytesOf(response)).toString('latin1', 0, 4)).toBe('RIFF');
      });
      expect(settlements[0]?.chargedNanoUsd).toBe(billed(INSTRUCT));
      const [sent] = await stack.simulator.requests((calls[0]?.seq ?? 0) - 1);
      expect(JSON.parse(sent?.body ?? '')).toEqual({
        model: 'qwen3-tts-instruct-flash',
        input: { text: 'Good morning', voice: 'Cherry', instructions: 'Whisper.' },
      });
    }
  });

  it.each([
    ['none', undefined, 'Cherry'],
    ['one of the other protocol', 'shimmer', 'Cherry'],
    ['one of its own', 'Ethan', 'Ethan'],
  ])('uses the right voice for %s', async (_, voice, spoken) => {
    const since = await stack.simulator.lastSeq();
    await bytesOf(await speech.create(params({ voice, speed: 2 })));
    const [sent] = await stack.simulator.requests(since);
    expect(JSON.parse(sent?.body ?? '')).toEqual({
      model: 'qwen3-tts-flash',
      input: { text: 'Good morning', voice: spoken },
    });
  });

  it('counts a Han character as two, as the upstream does', async () => {
    const { settlements, billed } = await moneyOf(async () =>
      bytesOf(await speech.create(params({ input: 'Hello 世界' }))),
    );
    expect(settlements[0]?.units).toEqual({ character: 10 });
    expect(settlements[0]?.chargedNanoUsd).toBe(billed(FLASH));
  });

  it('charges a marked estimate where the upstream returns no usage', async () => {
    const { settlements, billed } = await moneyOf(async () =>
      bytesOf(await speech.create(params({ input: '{{sim no_usage}} Hello 世界' }))),
    );
    expect(settlements[0]).toMatchObject({ outcome: 'completed', isEstimated: true, chargedNanoUsd: billed(FLASH) });
  });

  it('streams while it is generated', async () => {
    const input = `{{sim chunk_ms=500 chunks=8}} ${SENTENCE}`;
    const body = { model: FLASH, input, response_format: 'wav' };
    const response = await openResponse(stack.baseUrl, { key: customer.apiKey, body, path: '/v1/audio/speech' });
    const arrivals: number[] = [];
    for await (const _ of response.message) arrivals.push(Date.now());
    expect(arrivals.length).toBeGreaterThan(4);
    expect((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)).toBeGreaterThan(600);
    expect(response.headers['x-accel-buffering']).toBe('no');
  });
});

describe('a long text', () => {
  it('is one file of several upstream calls, split between sentences, for one charge', async () => {
    const input = SENTENCE.repeat(30).trim();
    const { calls, settlements, billed } = await moneyOf(async () => {
      const response = await speech.create(params({ input, response_format: 'wav' }));
      expect((await bytesOf(response)).length).toBe(WAV_HEAD_BYTES + input.length * BYTES_PER_CHARACTER);
      expect(response.headers.get('x-cost-usd')).toBeNull();
    });
    expect(calls).toHaveLength(3);
    const sent = await stack.simulator.requests((calls[0]?.seq ?? 0) - 1);
    const texts = sent.map(({ body }) => (JSON.parse(body) as { input: { text: string } }).input.text);
    expect(texts.join('')).toBe(input);
    for (const text of texts) expect(text.length % SENTENCE.length === 0 || text === texts.at(-1)).toBe(true);
    expect(settlements).toHaveLength(1);
    expect(settlements[0]).toMatchObject({ units: { character: input.length }, chargedNanoUsd: billed(FLASH) });
    expect(settlements[0]?.attempts).toHaveLength(3);
  });

  it('of the maximum length in Chinese consists of whole MP3 frames', async () => {
    const input = '今天天气很好，我们去公园散步。'.repeat(273).slice(0, 4_095);
    const frames = framesOf(await bytesOf(await speech.create(params({ input }))));
    expect(frames.length * SECONDS_PER_FRAME).toBeGreaterThanOrEqual(input.length * SECONDS_PER_CHARACTER);
  });
});

describe('rejected speech', () => {
  it.each([
    ['an empty text', { input: '' }, 'input'],
    ['blanks', { input: ' \n ' }, 'input'],
    ['a missing text', { input: undefined }, 'input'],
    ['a text above the limit', { input: 'x'.repeat(4_097) }, 'input'],
    ['an unknown format', { response_format: 'opus' }, 'response_format'],
    ['instructions to a model without them', { instructions: 'Slowly.' }, 'instructions'],
    ['an unknown model', { model: 'tts-1' }, 'tts-1'],
    ['a model of another endpoint', { model: 'vg-4' }, '/v1/embeddings'],
  ])('rejects %s in Style B', async (_, fields, words) => {
    const body = { model: FLASH, input: 'Hi', ...fields };
    const response = await fullResponse(stack.baseUrl, { key: customer.apiKey, body, path: '/v1/audio/speech' });
    expect(response.status).toBe(400);
    expect(response.json()).toEqual({
      code: 'InvalidParameter',
      message: expect.stringContaining(words),
      request_id: response.headers['x-request-id'],
      error: {
        message: expect.stringContaining(words),
        type: 'invalid_request_error',
        code: expect.any(String),
        param: expect.anything(),
      },
    });
    await expect(speech.create(params({ ...fields }))).rejects.toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      message: expect.stringContaining(words),
    });
  });

  it('returns the upstream’s error for an unknown voice for free', async () => {
    const { settlements } = await moneyOf(async () => {
      await expect(speech.create(params({ voice: 'Unknown' }))).rejects.toMatchObject({
        status: 400,
        error: { code: 'InvalidParameter', message: expect.stringContaining("Input should be 'Cherry', 'Serena'") },
      });
    });
    expect(settlements[0]).toMatchObject({ outcome: 'failed', chargedNanoUsd: 0n });
  });

  it('rejects requests without a key in both styles', async () => {
    const response = await fullResponse(stack.baseUrl, {
      key: 'sk-wrong',
      body: { model: FLASH, input: 'Hi' },
      path: '/v1/audio/speech',
    });
    expect([response.status, response.json()]).toMatchObject([
      401,
      { code: 'InvalidApiKey', error: { type: 'authentication_error', code: 'invalid_api_key' } },
    ]);
  });
});

describe('interrupted speech', () => {
  const slow = (more = '') => `{{sim chunk_ms=120 ${more}}} ${SENTENCE.repeat(4)}`;

  /** Disconnects after that many bytes of audio. */
  async function leaveAfter(input: string, bytes: number): Promise<void> {
    const body = { model: FLASH, input, response_format: 'wav' };
    const response = await openResponse(stack.baseUrl, { key: customer.apiKey, body, path: '/v1/audio/speech' });
    let got = 0;
    for await (const piece of response.message) {
      got += (piece as Buffer).length;
      if (got > bytes) break;
    }
    response.disconnect();
  }

  it('by its client is paid whole, as the upstream bills it', async () => {
    const { calls, settlements, billed } = await moneyOf(async () => {
      await leaveAfter(slow(), 2_000);
      await eventually(async () => expect(await stack.ledger.settlementCount(customer.accountId)).toBeGreaterThan(0));
    });
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({ client_aborted: true });
    expect(settlements).toHaveLength(1);
    expect(settlements[0]).toMatchObject({ outcome: 'aborted', isEstimated: false });
    expect(settlements[0]?.chargedNanoUsd).toBe(billed(FLASH));
    expect(settlements[0]?.chargedNanoUsd).toBeGreaterThan(0n);
  });

  it('by its client in the first part of a long text is paid for that part; the others are not requested', async () => {
    const { calls, settlements, billed } = await moneyOf(() => leaveAfter(slow() + SENTENCE.repeat(30), 30_000));
    expect(calls).toHaveLength(1);
    expect(settlements[0]).toMatchObject({ outcome: 'aborted' });
    expect(settlements[0]?.chargedNanoUsd).toBe(billed(FLASH));
  });

  it.each(['cut_after=3', 'error_after=3'])(
    'by the upstream (%s) costs nothing and is no complete file',
    async (fault) => {
      const { settlements } = await moneyOf(async () => {
        const response = await speech.create(params({ input: slow(fault), response_format: 'wav' }));
        await expect(response.arrayBuffer()).rejects.toThrow();
      });
      expect(settlements[0]).toMatchObject({ outcome: 'failed', chargedNanoUsd: 0n });
    },
  );

  it.each([
    ['status=503 times=9', 503, 'upstream_unavailable'],
    ['error_after=0', 502, 'upstream_error'],
    ['garbage', 502, 'upstream_error'],
  ])('before its first byte (%s) returns a %i that client libraries read, for free', async (fault, status, code) => {
    const { settlements } = await moneyOf(async () => {
      const broken = speech.create(params({ input: `{{sim ${fault}}} Hello` }));
      await expect(broken).rejects.toMatchObject({ status, type: 'upstream_error', code });
    });
    expect(settlements[0]).toMatchObject({ outcome: 'failed', chargedNanoUsd: 0n });
  });
});

it('leaves a consistent ledger', async () => {
  await expectConsistentLedger(stack, [customer]);
});
