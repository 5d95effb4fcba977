import type { StreamPart } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { BlockWriter } from '../answer-parts/block-writer.js';
import { OutputMeter } from '../metering/output-meter.js';
import type { AnswerSink } from '../protocol.js';
import { ItemDecoder } from './item-decoder.js';

function open() {
  const parts: StreamPart[] = [];
  const sink = { part: (part: StreamPart) => parts.push(part) } as unknown as AnswerSink;
  return { items: new ItemDecoder(new BlockWriter(sink, new OutputMeter(0))), parts };
}
const call = { type: 'function_call', call_id: 'call_1', name: 'get_weather' } as const;
const done = { output_index: 0, item: { ...call, arguments: '{"city":"Rome"}' } } as const;
const inputOf = (parts: readonly StreamPart[]): string =>
  parts.map((part) => (part.type === 'tool-input' ? part.delta : '')).join('');

describe('ItemDecoder', () => {
  it('takes the arguments that arrive in the last event only', () => {
    const { items, parts } = open();
    items.added({ output_index: 0, item: { ...call, arguments: '' } });
    items.done(done);
    expect(parts[0]).toMatchObject({ type: 'tool-call', id: 'call_1', name: 'get_weather', kind: 'function' });
    expect(inputOf(parts)).toBe('{"city":"Rome"}');
  });

  it('takes a call that arrives in the last event only', () => {
    const { items, parts } = open();
    items.done(done);
    expect(parts[0]).toMatchObject({ type: 'tool-call', id: 'call_1' });
    expect([inputOf(parts), items.hasToolCalls]).toEqual(['{"city":"Rome"}', true]);
  });

  it('takes arguments once that arrive in pieces and again in the last event', () => {
    const { items, parts } = open();
    items.added({ output_index: 0, item: { ...call, arguments: '' } });
    items.input({ output_index: 0, delta: '{"city":' });
    items.input({ output_index: 0, delta: '"Rome"}' });
    items.done(done);
    expect(inputOf(parts)).toBe('{"city":"Rome"}');
  });

  it('takes arguments of parallel calls apart, and a custom tool as one of free text', () => {
    const { items, parts } = open();
    items.added({ output_index: 0, item: { ...call, arguments: '' } });
    items.done(done);
    items.added({ output_index: 1, item: { type: 'custom_tool_call', call_id: 'call_2', name: 'patch', input: '' } });
    items.done({ output_index: 1, item: { type: 'custom_tool_call', call_id: 'call_2', name: 'patch', input: 'a' } });
    expect(parts.filter(({ type }) => type === 'tool-call')).toMatchObject([
      { id: 'call_1', kind: 'function' },
      { id: 'call_2', kind: 'custom' },
    ]);
    expect(parts.filter(({ type }) => type === 'tool-input')).toMatchObject([{ block: 0 }, { block: 1, delta: 'a' }]);
  });

  it('refuses arguments of a call that has not begun', () => {
    expect(() => open().items.input({ output_index: 3, delta: '{' })).toThrow();
  });
});
