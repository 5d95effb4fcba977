import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../tool.js';
import { CompletionAssembler } from './completion-assembler.js';
import { MessageAssembler } from './message-assembler.js';

const USAGE = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };

describe('CompletionAssembler', () => {
  const chunk = (delta: JsonObject, finish_reason: string | null = null): JsonObject => ({
    id: 'c1',
    created: 5,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
  });

  it('joins text, reasoning and tool calls', () => {
    const assembler = new CompletionAssembler();
    const call = (index: number, named: JsonObject, id?: string) => ({ tool_calls: [{ index, id, function: named }] });
    const texts = [
      chunk({ role: 'assistant', reasoning_content: 'Hm' }),
      chunk({ reasoning_content: '.', content: 'Let me ' }),
      chunk({ content: 'look.' }),
      chunk(call(0, { name: 'look', arguments: '' }, 't0')),
      chunk(call(1, { name: 'listen', arguments: '{}' }, 't1')),
      chunk(call(0, { arguments: '{"at":' })),
      chunk(call(0, { arguments: '"it"}' })),
      chunk({}, 'tool_calls'),
      { id: 'c1', choices: [], usage: USAGE },
    ].map((event) => assembler.add(event));
    expect(texts.join('')).toBe('Let me look.');
    expect(assembler.result()).toEqual({
      id: 'c1',
      object: 'chat.completion',
      created: 5,
      model: 'm',
      choices: [
        {
          index: 0,
          logprobs: null,
          finish_reason: 'tool_calls',
          message: {
            role: 'assistant',
            content: 'Let me look.',
            refusal: null,
            reasoning_content: 'Hm.',
            tool_calls: [
              { id: 't0', type: 'function', function: { name: 'look', arguments: '{"at":"it"}' } },
              { id: 't1', type: 'function', function: { name: 'listen', arguments: '{}' } },
            ],
          },
        },
      ],
      usage: USAGE,
    });
  });

  it('joins the pieces of each thought', () => {
    const assembler = new CompletionAssembler();
    const piece = (index: number, fields: JsonObject) => chunk({ reasoning_details: [{ index, ...fields }] });
    const events = [
      piece(0, { type: 'reasoning.text', text: 'Hm' }),
      piece(0, { type: 'reasoning.text', text: '.' }),
      piece(0, { type: 'reasoning.text', signature: 's' }),
      piece(1, { type: 'reasoning.encrypted', data: 'x' }),
      chunk({}, 'stop'),
      { id: 'c1', choices: [], usage: USAGE },
    ];
    for (const event of events) assembler.add(event);
    expect(assembler.result()?.choices[0]?.message.reasoning_details).toEqual([
      { index: 0, type: 'reasoning.text', text: 'Hm.', signature: 's' },
      { index: 1, type: 'reasoning.encrypted', data: 'x' },
    ]);
  });

  it('returns nothing before the finish reason and the usage', () => {
    const assembler = new CompletionAssembler();
    expect(assembler.result()).toBeUndefined();
    assembler.add(chunk({ content: 'Hel' }));
    assembler.add(chunk({}, 'stop'));
    expect(assembler.result()).toBeUndefined();
    assembler.add({ choices: [], usage: USAGE });
    expect(assembler.result()?.choices[0]?.message.content).toBe('Hel');
  });
});

describe('MessageAssembler', () => {
  const start = {
    type: 'message_start',
    message: { id: 'm1', role: 'assistant', content: [], stop_reason: null, usage: { input_tokens: 4 } },
  };
  const begin = (index: number, content_block: JsonObject) => ({ type: 'content_block_start', index, content_block });
  const delta = (index: number, fields: JsonObject) => ({ type: 'content_block_delta', index, delta: fields });

  it('assembles every type of block, unknown types included', () => {
    const assembler = new MessageAssembler();
    const texts = [
      start,
      { type: 'ping' },
      begin(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'Hm' }),
      delta(0, { type: 'signature_delta', signature: 'abc' }),
      begin(1, { type: 'text', text: '' }),
      delta(1, { type: 'text_delta', text: 'Hel' }),
      delta(1, { type: 'text_delta', text: 'lo' }),
      delta(1, { type: 'citations_delta', citation: { url: 'u' } }),
      begin(2, { type: 'tool_use', id: 't', name: 'look', input: {} }),
      delta(2, { type: 'input_json_delta', partial_json: '{"at":' }),
      delta(2, { type: 'input_json_delta', partial_json: '"it"}' }),
      begin(3, { type: 'tool_use', id: 'u', name: 'wait', input: {} }),
      delta(3, { type: 'input_json_delta', partial_json: '' }),
      begin(4, { type: 'web_search_tool_result', content: [] }),
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
    ].map((event) => assembler.add(event));
    expect(assembler.result()).toBeUndefined();
    assembler.add({ type: 'message_stop' });
    expect(texts.join('')).toBe('Hello');
    expect(assembler.result()).toEqual({
      id: 'm1',
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm', signature: 'abc' },
        { type: 'text', text: 'Hello', citations: [{ url: 'u' }] },
        { type: 'tool_use', id: 't', name: 'look', input: { at: 'it' } },
        { type: 'tool_use', id: 'u', name: 'wait', input: {} },
        { type: 'web_search_tool_result', content: [] },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 4, output_tokens: 9 },
    });
  });
});
