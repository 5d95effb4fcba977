import { textSize } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findTopMember } from '../json/replace-member.js';
import { ChunkScanner } from './chunk-scanner.js';

const sizeOf = (text: string | null | undefined): number => textSize(text ?? '');

/** JSON with every character that may be escaped written as an escape. */
const escaped = (value: unknown): string =>
  JSON.stringify(value).replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

describe('ChunkScanner', () => {
  const text = fc.string({ unit: 'grapheme' });
  const chunk = fc.record({
    extra: fc.jsonValue(),
    choices: fc.array(
      fc.record({
        delta: fc.record({
          content: fc.option(text),
          reasoning_content: fc.option(text),
          tool_calls: fc.option(
            fc.array(fc.record({ id: text, function: fc.record({ name: text, arguments: text }) })),
          ),
        }),
        logprobs: fc.jsonValue(),
        finish_reason: fc.constantFrom(null, 'stop'),
      }),
    ),
    model: text,
    usage: fc.constantFrom(null, { prompt_tokens: 1 }),
  });

  it('finds what JSON.parse finds, for any escapes and spaces', () => {
    const scanner = new ChunkScanner();
    fc.assert(
      fc.property(
        chunk,
        fc.constantFrom(JSON.stringify, escaped, (value: unknown) => JSON.stringify(value, null, 2)),
        (value, write) => {
          const json = Buffer.from(write(value));
          const scan = scanner.scan(json);
          const deltas = value.choices.map(({ delta }) => delta);
          const calls = deltas.flatMap(({ tool_calls }) => tool_calls ?? []);
          const visible =
            deltas.reduce((sum, { content }) => sum + sizeOf(content), 0) +
            calls.reduce((sum, call) => sum + sizeOf(call.function.name) + sizeOf(call.function.arguments), 0);
          expect(scan).toMatchObject({
            hasUsage: value.usage !== null,
            hasError: false,
            hasChoices: value.choices.length > 0,
            hasFinishReason: value.choices.some(({ finish_reason }) => finish_reason !== null),
            visibleSize: visible,
            reasoningSize: deltas.reduce((sum, delta) => sum + sizeOf(delta.reasoning_content), 0),
          });
          expect(JSON.parse(json.toString('utf8', scan.modelStart, scan.modelEnd))).toBe(value.model);
        },
      ),
    );
  });

  it.each([
    ['<html>'],
    [''],
    ['[]'],
    ['{"choices":{}}'],
    ['{"choices":["x"]}'],
    ['{"choices":[{"delta":"x"}]}'],
    ['{"choices":[{"delta":{"content":7}}]}'],
    ['{"choices":[{"finish_reason":7}]}'],
    ['{"choices":[]'],
    ['{"choices":[]}}'],
    ['{"choices":[]} x'],
    ['{"choices":[{"delta":{"content":"\\x"}}]}'],
    ['{"choices":[{"delta":{"content":"\\u12g4"}}]}'],
    ['{"a":[1,2}'],
    ['{"a":nul}'],
    ['{"a":01}'],
    ['{a:1}'],
    [`{"a":${'['.repeat(100_000)}`],
  ])('refuses %.40s', (json) => {
    expect(() => new ChunkScanner().scan(Buffer.from(json))).toThrow(
      expect.objectContaining({ code: 'upstream_error' }),
    );
  });

  it('ignores names inside other values', () => {
    const json = Buffer.from('{"x":{"model":"inner","usage":{}},"y":"\\"model\\":\\"text\\"","model":"outer"}');
    const range = findTopMember(json, 'model');
    expect(json.toString('utf8', range?.start, range?.end)).toBe('"outer"');
    expect(new ChunkScanner().scan(json).hasUsage).toBe(false);
    expect(findTopMember(Buffer.from('{"a":1}'), 'model')).toBeUndefined();
  });
});
