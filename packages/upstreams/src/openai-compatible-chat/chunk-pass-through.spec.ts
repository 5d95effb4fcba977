import { describe, expect, it } from '@jest/globals';
import { CHAT_ADAPTERS } from '../conformance/adapters.js';
import { smallCall } from '../conformance/calls.js';

const chunk = (fields: string): string =>
  `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,${fields}}\n\n`;
const delta = (content: string, model = 'gp-5.4-mini'): string =>
  chunk(`"model":"${model}","choices":[{"index":0,"delta":{"content":"${content}"},"finish_reason":null}]`);
const FINISH = chunk('"model":"gp-5.4-mini","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]');
const usage = (counts: string): string => chunk(`"model":"gp-5.4-mini","choices":[],"usage":${counts}`);
const COUNTS = '{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7}';

const open = (more: object = {}) =>
  CHAT_ADAPTERS['openai-chat'].openReader(smallCall('gp-5.4-mini', { stream: true, ...more }));
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

describe('a stream that passes through', () => {
  it('returns the received buffer uncopied if the model already has its public name', () => {
    const chunk = Buffer.from(delta('a') + delta('b'));
    const written = open().read(chunk);
    expect(written.buffer).toBe(chunk.buffer);
    expect(text(written)).toBe(chunk.toString('utf8'));
  });

  it('changes only the value of model', () => {
    const odd = 'data:{ "model" : "gpt-x" , "n":1.50, "big":12345678901234567890, "choices":[], "model2":"gpt-x" }\n\n';
    expect(text(open().read(Buffer.from(odd)))).toBe(odd.replace('"gpt-x"', '"gp-5.4-mini"'));
  });

  it.each([
    ['{"choices":[]}', '{"model":"gp-5.4-mini","choices":[]}'],
    ['{}', '{"model":"gp-5.4-mini"}'],
    ['{ }', '{"model":"gp-5.4-mini" }'],
  ])('adds the model to %s, which omits it', (sent, expected) => {
    expect(text(open().read(Buffer.from(`data: ${sent}\n\n`)))).toBe(`data: ${expected}\n\n`);
  });

  it('forwards comments, and joins JSON of several lines', () => {
    const written = open().read(Buffer.from(': keep-alive\n\ndata: {"model":"x",\ndata: "choices":[]}\n\n'));
    expect(text(written)).toBe(': keep-alive\n\ndata: {"model":"gp-5.4-mini", "choices":[]}\n\n');
  });

  it('drops usage that only the gateway requested', () => {
    const reader = open();
    expect(text(reader.read(Buffer.from(delta('a') + FINISH + usage(COUNTS))))).toBe(delta('a') + FINISH);
    expect(text(reader.end())).toBe('data: [DONE]\n\n');
    expect(reader.usage()).toEqual({
      units: { input_token: 5, output_token: 2 },
      inputTokensTotal: 5,
      isEstimated: false,
    });
  });

  it.each([
    ['{"model":"x","choices":[],"usage":null}', '{"model":"gp-5.4-mini","choices":[]}'],
    ['{"model":"gp-5.4-mini","choices":[] , "usage" : null ,"n":1}', '{"model":"gp-5.4-mini","choices":[]  ,"n":1}'],
    ['{ "usage":null, "model":"x","choices":[]}', '{  "model":"gp-5.4-mini","choices":[]}'],
    ['{"choices":[],"usage":null,"model":"x"}', '{"choices":[],"model":"gp-5.4-mini"}'],
    ['{"usage":null,"choices":[]}', '{"model":"gp-5.4-mini","choices":[]}'],
    ['{"choices":[],"model":"x","usage":null,"n":"\\"usage\\":null"}', null],
  ])('drops the null usage of %s, which only the gateway requested', (sent, expected) => {
    const event = Buffer.from(`data: ${sent}\n\n`);
    const written = text(open().read(event));
    if (expected !== null) expect(written).toBe(`data: ${expected}\n\n`);
    const { usage: _, ...others } = JSON.parse(sent);
    expect(JSON.parse(written.slice('data: '.length))).toEqual({ ...others, model: 'gp-5.4-mini' });
    const kept = text(open({ stream_options: { include_usage: true } }).read(event));
    expect(JSON.parse(kept.slice('data: '.length))).toEqual({ ...others, usage: null, model: 'gp-5.4-mini' });
  });

  it('is final only with usage, but ends cleanly without it', () => {
    const reader = open();
    reader.read(Buffer.from(delta('four letters') + FINISH));
    expect(reader.isFinal).toBe(false);
    expect(text(reader.end())).toBe('data: [DONE]\n\n');
    expect(reader.usage()).toEqual({
      units: { input_token: 2, output_token: 3 },
      inputTokensTotal: 2,
      isEstimated: true,
    });
  });

  it.each([
    ['null'],
    ['{}'],
    ['{"prompt_tokens":-1,"completion_tokens":2}'],
    ['{"prompt_tokens":1e400,"completion_tokens":2}'],
    ['{"prompt_tokens":1.5,"completion_tokens":2}'],
    ['{"prompt_tokens":5,"completion_tokens":"2"}'],
    ['{"prompt_tokens":5,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":6}}'],
    ['{"prompt_tokens":5,"completion_tokens":2,"completion_tokens_details":{"reasoning_tokens":-2}}'],
  ])('rejects the counts %s, and shows and bills its own estimate', (counts) => {
    const reader = open({ stream_options: { include_usage: true } });
    const written = text(reader.read(Buffer.from(delta('four letters') + FINISH + usage(counts)))) + text(reader.end());
    expect(reader.usage()).toMatchObject({ units: { input_token: 2, output_token: 3 }, isEstimated: true });
    const shown = written.split('\n\n').filter((event) => event.includes('"prompt_tokens":2'));
    expect(shown).toHaveLength(1);
    expect(JSON.parse(shown[0]?.slice(6) ?? '')).toMatchObject({
      id: 'chatcmpl-1',
      choices: [],
      usage: { completion_tokens: 3 },
    });
  });

  it('accepts a stream that is cut in its usage chunk', () => {
    const reader = open();
    reader.read(Buffer.from(`${delta('a')}${FINISH}data: {"choices":[],"usage":{"prom`));
    expect(text(reader.end())).toBe('data: [DONE]\n\n');
    expect(reader.usage().isEstimated).toBe(true);
  });

  it('returns the bytes before an error in the same chunk, then throws the error', () => {
    const reader = open();
    expect(
      text(
        reader.read(Buffer.from(`${delta('a')}data: {"error":{"code":"insufficient_quota","message":"org-1"}}\n\n`)),
      ),
    ).toBe(delta('a'));
    expect(() => reader.read(Buffer.from(delta('b')))).toThrow(
      expect.objectContaining({ code: 'upstream_unavailable' }),
    );
    expect(() => reader.end()).toThrow(expect.objectContaining({ message: expect.not.stringContaining('org-1') }));
  });
});
