import { describe, expect, it } from '@jest/globals';
import { functionForm } from './function-calls.js';

const head = { id: 'chatcmpl-1', created: 1, model: 'm' };
const called = (index: number, fields: object) => ({ index, id: `call_${index}`, type: 'function', function: fields });
const whole = (choice: object) =>
  JSON.parse(Buffer.from(functionForm.whole({ ...head, choices: [choice] })).toString());
const chunk = (fields: object) => JSON.parse(functionForm.chunk({ ...head, ...fields }).slice('data: '.length));
const delta = (fields: object) =>
  chunk({ choices: [{ index: 0, delta: fields, finish_reason: null }] }).choices[0].delta;

describe('an answer to a client that offered functions', () => {
  const text = { role: 'assistant', content: null, refusal: null, reasoning_content: 'Hm' };

  it('has its call as function_call', () => {
    const calls = [{ id: 'call_1', type: 'function', function: { name: 'sky', arguments: '{}' } }];
    const choice = { index: 0, message: { ...text, tool_calls: calls }, logprobs: null, finish_reason: 'tool_calls' };
    expect(whole(choice)).toEqual({
      ...head,
      choices: [
        {
          index: 0,
          message: { ...text, function_call: { name: 'sky', arguments: '{}' } },
          logprobs: null,
          finish_reason: 'function_call',
        },
      ],
    });
  });

  it('without a call keeps all that it has', () => {
    const choice = { index: 0, message: { ...text, content: 'Clear' }, logprobs: null, finish_reason: 'length' };
    expect(whole(choice)).toEqual({ ...head, choices: [choice] });
  });

  it('streams the first call only, for the older form has one', () => {
    expect(delta({ tool_calls: [called(0, { name: 'sky', arguments: '' })] })).toEqual({
      function_call: { name: 'sky', arguments: '' },
    });
    expect(delta({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] })).toEqual({
      function_call: { arguments: '{}' },
    });
    expect(delta({ content: 'a', tool_calls: [called(1, { name: 'sea', arguments: '' })] })).toEqual({ content: 'a' });
    expect(chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }).choices).toEqual([
      { index: 0, delta: {}, finish_reason: 'function_call' },
    ]);
  });

  it('keeps counts and errors of a stream', () => {
    expect(chunk({ choices: [], usage: { total_tokens: 3 } })).toEqual({
      ...head,
      choices: [],
      usage: { total_tokens: 3 },
    });
    expect(functionForm.chunk({ error: { message: 'gone' } })).toBe('data: {"error":{"message":"gone"}}\n\n');
  });
});
