import { describe, expect, it } from '@jest/globals';
import { promptOf } from './input-items.js';

const asked = (system: string, said: string) => ({
  model: 'm',
  messages: [
    { role: 'system' as const, content: system },
    { role: 'user' as const, content: said },
  ],
  response_format: { type: 'json_object' as const },
});

describe('a prompt that must be answered in JSON', () => {
  it.each([
    ['nobody asks for it in words', asked('Be brief.', 'A colour')],
    ['only the instructions do, where the vendor does not look', asked('Answer in JSON.', 'A colour')],
  ])('says so in its input, without which the vendor refuses it: %s', (_when, request) => {
    const { instructions, input } = promptOf(request);
    expect(instructions).toBe(request.messages[0]?.content);
    expect(input).toEqual([
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Answer with one JSON object.' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'A colour' }] },
    ]);
  });

  it('is left as it is if the client says it', () => {
    expect(promptOf(asked('Be brief.', 'A colour as json')).input).toHaveLength(1);
  });
});
