import { describe, expect, it } from '@jest/globals';
import { reasoningForm } from './reasoning-field.js';

const head = { id: 'chatcmpl-1', created: 1, model: 'm' };
const whole = (fields: object) => JSON.parse(Buffer.from(reasoningForm.whole({ ...head, ...fields })).toString());
const chunk = (fields: object) => JSON.parse(reasoningForm.chunk({ ...head, ...fields }).slice('data: '.length));

describe('an answer to a client of OpenRouter’s form', () => {
  it('has its reasoning in both fields', () => {
    const message = { role: 'assistant', content: 'Clear', refusal: null, reasoning_content: 'Hm' };
    const choice = { index: 0, message, logprobs: null, finish_reason: 'stop' };
    const usage = { total_tokens: 3 };
    expect(whole({ choices: [choice], usage })).toEqual({
      ...head,
      choices: [{ ...choice, message: { ...message, reasoning: 'Hm' } }],
      usage,
    });
  });

  it('streams it in both fields', () => {
    const deltas = [{ role: 'assistant', reasoning_content: '' }, { reasoning_content: 'Hm' }, { content: 'Clear' }];
    const streamed = deltas.map((delta) => chunk({ choices: [{ index: 0, delta }] }).choices[0].delta);
    expect(streamed).toEqual([
      { role: 'assistant', reasoning_content: '', reasoning: '' },
      { reasoning_content: 'Hm', reasoning: 'Hm' },
      { content: 'Clear' },
    ]);
  });

  it('keeps counts and errors of a stream', () => {
    const counts = { choices: [], usage: { total_tokens: 3 } };
    expect(chunk(counts)).toEqual({ ...head, ...counts });
    expect(reasoningForm.chunk({ error: { message: 'gone' } })).toBe('data: {"error":{"message":"gone"}}\n\n');
  });
});
