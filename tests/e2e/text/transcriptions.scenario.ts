import type { ModelEntry } from '@gateway/contracts';
import { callJson, expectedCost, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import OpenAI, { toFile } from 'openai';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';

const stack = await startTestStack();
afterAll(() => stack.stop());

const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });
const client = new OpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey: customer.apiKey, maxRetries: 0 });
const entryOf = (id: string) => callJson<ModelEntry>(`${stack.baseUrl}/v1/models/${id}`, { token: customer.apiKey });

const MODELS = ['gm-2.5-pro', 'gm-2.5-flash', 'gm-3.8-flash', 'gm-3.5-flash-lite', 'qn3.8-omni-flash'];
const FAST = 'gm-3.5-flash-lite';
const VERBOSE = { response_format: 'verbose_json' };
/** The journal counts sound as text. One vendor bills its 250 tokens at 1.00 USD per million instead of 0.30. */
const SOUND_NANO_USD: Readonly<Record<string, bigint>> = { 'gm-2.5-flash': 250n * 700n };

/** Silence: 8,000 samples of one byte in each second. */
function wavOf(seconds: number): Buffer {
  const head = '524946462400000057415645666d74201000000001000100401f0000401f00000100080064617461401f0000';
  return Buffer.concat([Buffer.from(head, 'hex'), Buffer.alloc(seconds * 8_000 - head.length / 2, 0x80)]);
}

const recording = () => toFile(wavOf(2), 'a.wav', { type: 'audio/wav' });

function send(fields: Readonly<Record<string, string | Blob>>, headers: Record<string, string> = {}) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  const authorization = `Bearer ${customer.apiKey}`;
  return fetch(`${stack.baseUrl}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization, ...headers },
    body,
  });
}

const wavBlob = (seconds = 2) => new Blob([new Uint8Array(wavOf(seconds))], { type: 'audio/wav' });

describe.each(MODELS)('%s', (model) => {
  it('transcribes, charged as its vendor bills it', async () => {
    await waitUntilSettled(stack, [customer]);
    const known = (await stack.ledger.settlements(customer.accountId)).length;
    const since = await stack.simulator.lastSeq();
    const answer = await client.audio.transcriptions.create({
      model,
      file: await recording(),
      language: 'en',
      prompt: 'Gilgamesh',
    });
    expect(answer.text).toContain('1 audio clip');
    expect(answer.usage).toMatchObject({ type: 'tokens', total_tokens: expect.any(Number) });
    await waitUntilSettled(stack, [customer]);
    const [settled] = (await stack.ledger.settlements(customer.accountId)).slice(known);
    const [call] = await stack.simulator.closedJournal(since);
    if (call?.billed == null) throw new Error('the simulator billed nothing');
    const expected = expectedCost(await entryOf(model), call.billed) + (SOUND_NANO_USD[model] ?? 0n);
    expect(settled?.chargedNanoUsd).toBe(expected);
  });

  it('streams the text, then the whole with its counts', async () => {
    const stream = await client.audio.transcriptions.create({ model, file: await recording(), stream: true });
    let text = '';
    let done: OpenAI.Audio.TranscriptionTextDoneEvent | undefined;
    for await (const event of stream) {
      if (event.type === 'transcript.text.delta') text += event.delta;
      if (event.type === 'transcript.text.done') done = event;
    }
    expect(text).toContain('1 audio clip');
    expect(done).toMatchObject({ text, usage: { type: 'tokens', output_tokens: expect.any(Number) } });
  });

  it('answers as text', async () => {
    const file = await recording();
    const text = await client.audio.transcriptions.create({ model, file, response_format: 'text' });
    expect(text).toContain('1 audio clip');
  });
});

it('sends text as text/plain, and the duration with verbose_json', async () => {
  const text = await send({ model: FAST, file: wavBlob(), response_format: 'text' });
  expect(text.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(await text.text()).toMatch(/1 audio clip[^"{]*\n$/s);
  const verbose = await client.audio.transcriptions.create({
    model: FAST,
    file: await recording(),
    language: 'de',
    response_format: 'verbose_json',
  });
  expect(verbose).toMatchObject({ language: 'de', duration: 2, text: expect.any(String) });
  expect(verbose.usage).toEqual({ type: 'duration', seconds: 2 });
});

it.each([
  ['srt', /^1\n00:00:00,000 --> 00:00:01,000\n.*1 audio clip/],
  ['vtt', /^WEBVTT\n\n00:00:00\.000 --> 00:00:01\.000\n.*1 audio clip/],
])('makes subtitles as %s', async (response_format, expected) => {
  const response = await send({ model: FAST, file: wavBlob(), response_format });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(await response.text()).toMatch(expected);
});

it.each(MODELS.filter((model) => model.startsWith('gm-')))(
  '%s times its segments, charged as its vendor bills it',
  async (model) => {
    await waitUntilSettled(stack, [customer]);
    const known = (await stack.ledger.settlements(customer.accountId)).length;
    const since = await stack.simulator.lastSeq();
    const { data, response } = await client.audio.transcriptions
      .create({
        model,
        file: await recording(),
        response_format: 'verbose_json',
        timestamp_granularities: ['segment'],
      })
      .withResponse();
    expect(data.text).toContain('1 audio clip');
    expect(data.segments).toMatchObject([
      { id: 0, start: 0, end: 1, text: expect.stringContaining('1 audio clip') },
      { id: 1, start: 1, end: 2 },
      // The recording lasts two seconds.
      { id: 2, start: 2, end: 2 },
    ]);
    expect(data.text).toBe(data.segments?.map(({ text }) => text).join(' '));
    await waitUntilSettled(stack, [customer]);
    const [settled] = (await stack.ledger.settlements(customer.accountId)).slice(known);
    const [call] = await stack.simulator.closedJournal(since);
    if (call?.billed == null) throw new Error('the simulator billed nothing');
    const expected = expectedCost(await entryOf(model), call.billed) + (SOUND_NANO_USD[model] ?? 0n);
    expect(settled?.chargedNanoUsd).toBe(expected);
    expect(settled?.requestId).toBe(response.headers.get('x-request-id'));
  },
);

it('sends the recording as it came, with the least effort', async () => {
  const since = await stack.simulator.lastSeq();
  await send({ model: 'gm-2.5-flash', file: wavBlob() });
  const [sent] = await stack.simulator.requests(since);
  expect(JSON.stringify(sent)).toContain(wavOf(2).toString('base64').slice(0, 200));
  expect(JSON.stringify(sent)).toContain('audio/wav');
});

it.each([
  ['model', { model: 'gp-5.4-mini', file: wavBlob() }],
  ['model', { file: wavBlob() }],
  ['file', { model: FAST }],
  ['file', { model: FAST, file: 'not a file' }],
  ['file', { model: FAST, file: new Blob(['%PDF-1.7 and so on']) }],
  ['audio', { model: FAST, audio: wavBlob() }],
  ['response_format', { model: FAST, file: wavBlob(), response_format: 'ass' }],
  ['response_format', { model: 'qn3.8-omni-flash', file: wavBlob(), response_format: 'srt' }],
  ['timestamp_granularities[]', { model: FAST, file: wavBlob(), ...VERBOSE, 'timestamp_granularities[]': 'word' }],
  [
    'timestamp_granularities[]',
    { model: 'qn3.8-omni-flash', file: wavBlob(), ...VERBOSE, 'timestamp_granularities[]': 'segment' },
  ],
  ['temperature', { model: FAST, file: wavBlob(), temperature: '2' }],
])('refuses %s by name, for nothing', async (param, fields: Record<string, string | Blob>) => {
  const response = await send(fields);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { param, message: expect.stringContaining(param) } });
  expect(Number(response.headers.get('x-cost-usd'))).toBe(0);
});

it.each([[['word' as const]], [['word' as const, 'segment' as const]]])('refuses the times %j', async (times) => {
  const create = client.audio.transcriptions.create({
    model: FAST,
    file: await recording(),
    response_format: 'verbose_json',
    timestamp_granularities: times,
  });
  await expect(create).rejects.toThrow('no model reports the times of words');
});

it('takes no JSON', async () => {
  const headers = { authorization: `Bearer ${customer.apiKey}`, 'content-type': 'application/json' };
  const url = `${stack.baseUrl}/v1/audio/transcriptions`;
  expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).toBe(415);
});

it.each(['whisper-1', 'gpt-4o-transcribe'])('serves the name %s by a light model, and says so', async (model) => {
  const sent = await client.audio.transcriptions.create({ model, file: await recording() }).withResponse();
  expect(sent.data.text).toContain('1 audio clip');
  expect(sent.response.headers.get('x-gateway-filled')).toContain(`model=${FAST}`);
});

it('transcribes a long recording', async () => {
  const response = await send({ model: FAST, file: wavBlob(900) });
  expect(response.status).toBe(200);
});

it('runs once for one idempotency key, and conflicts with another recording', async () => {
  await waitUntilSettled(stack, [customer]);
  const known = (await stack.ledger.settlements(customer.accountId)).length;
  const headers = { 'idempotency-key': 'transcription-1' };
  const fields = { model: FAST, file: wavBlob() };
  const first = await (await send(fields, headers)).text();
  const second = await send(fields, headers);
  expect(await second.text()).toBe(first);
  expect((await send({ model: FAST, file: wavBlob(3) }, headers)).status).toBe(409);
  await waitUntilSettled(stack, [customer]);
  expect((await stack.ledger.settlements(customer.accountId)).length).toBe(known + 1);
});

it('has a quote, which holds each second of the recording', async () => {
  const body = { model: 'gm-2.5-flash', file: wavOf(2).toString('base64') };
  const quoted = await stack.accounts.quote(customer.apiKey, { endpoint: 'audio.transcriptions', body });
  expect(quoted).toMatchObject({ valid: true, hold_units: { input_audio_token: 64 } });
  const timed = { ...body, ...VERBOSE, timestamp_granularities: ['segment'] };
  const quotedTimes = await stack.accounts.quote(customer.apiKey, { endpoint: 'audio.transcriptions', body: timed });
  expect(quotedTimes).toMatchObject({ valid: true, hold_units: { input_audio_token: 64 } });
});

it('leaves a consistent ledger', async () => {
  await expectConsistentLedger(stack, [customer]);
});
