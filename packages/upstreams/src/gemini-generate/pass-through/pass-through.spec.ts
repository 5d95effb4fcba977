import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { damagedBytes } from '../../conformance/damaged-bytes.js';
import { brokenStreams, replyFixtures, streamFixtures } from '../../conformance/fixtures.js';
import { readCut } from '../../conformance/read-cut.js';
import { errorOf, gatewayErrorOf } from '../../conformance/thrown-error.js';
import type { PassThroughGenerateCall, Target } from '../../protocol.js';
import { generatePassThrough } from './index.js';

const { create, countTokens } = generatePassThrough;
const target: Target = { baseUrl: 'https://upstream.example', credential: 'secret', upstreamModel: 'gemini-3.8-flash' };

const callOf = (more: Partial<PassThroughGenerateCall> = {}): PassThroughGenerateCall => ({
  body: Buffer.from('{"contents":[{"parts":[{"text":"abcdefgh"}]}]}'),
  framing: undefined,
  publicModel: 'gm-3.8-flash',
  ...more,
});

const streamCall = callOf({ framing: 'sse' });
const arrayCall = callOf({ framing: 'array' });
/** Line ends become LF, as in every stream of the gateway. */
const renamed = (bytes: Buffer | string): string =>
  bytes
    .toString()
    .replaceAll('\r\n', '\n')
    .replaceAll(/("modelVersion":\s*)"[^"]*"/g, '$1"gm-3.8-flash"');

const event = (fields: object): string => `data: ${JSON.stringify(fields)}\n\n`;
const text = (value: string, more: object = {}) => ({
  candidates: [{ content: { role: 'model', parts: [{ text: value }] }, index: 0, ...more }],
});
const COUNTS = { promptTokenCount: 7, candidatesTokenCount: 4, thoughtsTokenCount: 5, totalTokenCount: 16 };
const bodyOf = (call: Partial<PassThroughGenerateCall>): string =>
  String(create.buildRequest(callOf(call), target).body);

describe('a request that passes through', () => {
  it('sends the client’s bytes to the method of its response', () => {
    const body = Buffer.from(
      '{ "contents" : [ {"parts":[{"text":"x","thoughtSignature":"c2ln"}]} ], "safety_settings":[]}',
    );
    const request = create.buildRequest(callOf({ body }), target);
    expect(request.url).toBe('https://upstream.example/v1beta/models/gemini-3.8-flash:generateContent');
    expect(request.body).toBe(body);
    expect(request.headers).toMatchObject({ 'x-goog-api-key': 'secret', accept: 'application/json' });
    for (const framing of ['sse', 'array'] as const) {
      const streamed = create.buildRequest(callOf({ framing }), target);
      expect(streamed.url).toBe(
        'https://upstream.example/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse',
      );
      expect(streamed.headers.accept).toBe('text/event-stream');
    }
  });

  // @google/generative-ai, older releases of Genkit and multi-llm-ts send roles that some models refuse.
  it.each([
    ['function', 'model'],
    ['tool', 'assistant'],
  ])('has the results of functions from the user, and calls from the model', (role, caller) => {
    const results = [{ functionResponse: { name: 'get_weather', response: { sky: 'clear' } } }];
    const contents = [
      { role: 'user', parts: [{ text: 'Say "role": "function"' }] },
      { role: caller, parts: [{ functionCall: { name: 'get_weather', args: {} } }] },
      { role, parts: results },
    ];
    const expected = [contents[0], { ...contents[1], role: 'model' }, { role: 'user', parts: results }];
    const body = Buffer.from(JSON.stringify({ contents }));
    expect(JSON.parse(bodyOf({ body }))).toEqual({ contents: expected });
    expect(JSON.parse(String(countTokens.buildRequest(callOf({ body }), target).body))).toEqual({ contents: expected });
    const quoted = Buffer.from(JSON.stringify({ contents: contents.slice(0, 1) }));
    expect(create.buildRequest(callOf({ body: quoted }), target).body).toBe(quoted);
  });

  it('loses the model of its body, which the path names', () => {
    expect(bodyOf({ body: Buffer.from('{"model":"models/gm-3.8-flash","contents":[1e1]}') })).toBe(
      '{"contents":[1e1]}',
    );
  });

  it.each([
    ['{"contents":[]}', '{"contents":[],"generationConfig":{"maxOutputTokens":90}}'],
    [
      '{"generation_config":{"topK":4,"max_output_tokens":null}}',
      '{"generation_config":{"topK":4,"maxOutputTokens":90}}',
    ],
  ])('gets the cap that its hold pays for: %s', (body, sent) => {
    expect(bodyOf({ body: Buffer.from(body), outputCap: 90 })).toBe(sent);
  });

  it('that counts tokens names the upstream’s model inside', () => {
    const inner = { model: 'models/gm-3.8-flash', contents: [] };
    const call = callOf({ body: Buffer.from(JSON.stringify({ generateContentRequest: inner })) });
    const request = countTokens.buildRequest(call, target);
    expect(request.url).toBe('https://upstream.example/v1beta/models/gemini-3.8-flash:countTokens');
    expect(JSON.parse(String(request.body))).toEqual({
      generateContentRequest: { model: 'models/gemini-3.8-flash', contents: [] },
    });
  });
});

describe('a response that passes through', () => {
  it.each(replyFixtures('gemini-generate'))('changes only the model: $name', ({ upstream, usage }) => {
    const bytes = Buffer.from(JSON.stringify(upstream, null, 2));
    const reply = create.readReply(bytes, callOf());
    expect(Buffer.from(reply.body).toString('utf8')).toBe(renamed(bytes));
    if (!usage.isEstimated) expect(reply.usage).toEqual(usage);
  });

  it('is estimated if the upstream sends no usage', () => {
    const reply = create.readReply(Buffer.from(JSON.stringify(text('abcdefghi'))), callOf());
    expect(reply.usage).toEqual({
      units: { input_token: 2, output_token: 3 },
      inputTokensTotal: 2,
      isEstimated: true,
    });
  });

  it('passes a broken end, which its clients repeat, and bills what the upstream reports', () => {
    const candidates = [{ finishReason: 'MALFORMED_FUNCTION_CALL', index: 0 }];
    const body = Buffer.from(
      JSON.stringify({ candidates, usageMetadata: { promptTokenCount: 7, totalTokenCount: 7 } }),
    );
    const reply = create.readReply(body, callOf());
    expect(reply.body).toEqual(body);
    expect(reply.usage).toMatchObject({ units: { input_token: 7, output_token: 0 }, isEstimated: false });
  });

  it('that counts tokens is free', () => {
    const body = Buffer.from('{ "totalTokens": 5 }');
    expect(countTokens.readReply(body, callOf())).toMatchObject({ body, usage: { units: {} } });
    expect(errorOf(() => countTokens.readReply(Buffer.from('{}'), callOf())).code).toBe('upstream_error');
  });

  it.each([['<html>'], ['{}'], ['[]'], ['{"candidates":7}']])('is rejected if it is %s', (body) => {
    expect(errorOf(() => create.readReply(Buffer.from(body), callOf())).code).toBe('upstream_error');
  });
});

describe('a stream that passes through', () => {
  it.each(streamFixtures('gemini-generate'))('changes only the model, cut at every byte: $name', (fixture) => {
    for (let cut = 0; cut <= fixture.upstream.length; cut += 1) {
      const reader = create.openReader(streamCall);
      expect(readCut(reader, fixture.upstream, [cut])).toBe(renamed(fixture.upstream));
      expect(reader.usage()).toEqual(fixture.usage);
      expect(reader.isFinal).toBe(true);
    }
  });

  it.each(streamFixtures('gemini-generate'))(
    'becomes one array of the same events, cut at every byte: $name',
    (fixture) => {
      const events = renamed(fixture.upstream)
        .split('\n\n')
        .filter((one) => one.startsWith('data: '))
        .map((one) => JSON.parse(one.slice('data: '.length)) as unknown);
      for (let cut = 0; cut <= fixture.upstream.length; cut += 1) {
        const reader = create.openReader(arrayCall);
        expect(JSON.parse(readCut(reader, fixture.upstream, [cut]))).toEqual(events);
        expect(reader.usage()).toEqual(fixture.usage);
      }
    },
  );

  it('forwards comments, and JSON in several lines', () => {
    const lines = 'data: {"modelVersion": "x",\ndata:  "candidates": [{"finishReason": "STOP"}]}\n\n';
    const sent = `: hello\n\n${lines}`;
    expect(readCut(create.openReader(streamCall), Buffer.from(sent), [12])).toBe(
      ': hello\n\ndata: {"modelVersion": "gm-3.8-flash",\ndata:  "candidates": [{"finishReason": "STOP"}]}\n\n',
    );
  });

  it('is estimated until it has ended, from the counts so far', () => {
    const reader = create.openReader(streamCall);
    reader.read(Buffer.from(event(text('abcdefghi'))));
    expect(reader.usage()).toMatchObject({ units: { input_token: 2, output_token: 3 }, isEstimated: true });
    reader.read(Buffer.from(event({ ...text('jk'), usageMetadata: COUNTS })));
    expect(reader.usage()).toMatchObject({ units: { input_token: 7, output_token: 9 }, isEstimated: true });
    expect(reader.isFinal).toBe(false);
    reader.read(Buffer.from(event({ ...text('', { finishReason: 'STOP' }), usageMetadata: COUNTS })));
    expect(reader.usage()).toMatchObject({ units: { input_token: 7, output_token: 9 }, isEstimated: false });
    expect(reader.isFinal).toBe(true);
  });

  it('ends when each of its candidates has', () => {
    const body = Buffer.from('{"contents":[],"generation_config":{"candidate_count":2}}');
    const reader = create.openReader(callOf({ body, framing: 'sse' }));
    const ended = (index: number) => ({ ...text('a', { index, finishReason: 'STOP' }), usageMetadata: COUNTS });
    reader.read(Buffer.from(event(ended(0))));
    expect(reader.isFinal).toBe(false);
    reader.read(Buffer.from(event(text('b', { index: 1 }))));
    expect(errorOf(() => reader.end()).code).toBe('upstream_error');
    reader.read(Buffer.from(event(ended(1))));
    expect(reader.isFinal).toBe(true);
    expect(Buffer.from(reader.end()).toString()).toBe('');
  });

  it.each([streamCall, arrayCall])('never ends cleanly if it was cut', (call) => {
    const reader = create.openReader(call);
    reader.read(Buffer.from(event(text('abc'))));
    expect(errorOf(() => reader.end()).code).toBe('upstream_error');
    expect(errorOf(() => create.openReader(call).end()).code).toBe('upstream_error');
  });

  it.each(brokenStreams('gemini-generate'))('ends with an error if the upstream sends one: $name', ({ upstream }) => {
    const reader = create.openReader(streamCall);
    expect(errorOf(() => readCut(reader, upstream, [])).code).toBe('upstream_unavailable');
  });

  it('throws only GatewayErrors for garbage', () => {
    const known = streamFixtures('gemini-generate').map(({ upstream }) => upstream);
    const damaged = damagedBytes(known);
    fc.assert(
      fc.property(damaged, fc.nat(), fc.constantFrom(streamCall, arrayCall), (bytes, cut, call) => {
        const reader = create.openReader(call);
        gatewayErrorOf(() => readCut(reader, bytes, [cut % bytes.length]));
        for (const count of Object.values(reader.usage().units)) {
          expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
