import { describe, expect, it } from '@jest/globals';
import { CHAT_ADAPTERS } from '../conformance/adapters.js';
import { callOf, targetOf } from '../conformance/calls.js';

const model = 'qn3.8-omni-flash';
const tool = (name: string) => ({ type: 'function', function: { name } });
const body = { model, messages: [{ role: 'user', content: 'Hi' }], tools: [tool('f'), tool('g'), tool('h')] };
const allowed = (mode: string, ...names: readonly string[]) => ({
  tool_choice: { type: 'allowed_tools', allowed_tools: { mode, tools: names.map(tool) } },
});

const sent = (fields: object) => {
  const call = callOf({ ...body, ...fields });
  return JSON.parse(String(CHAT_ADAPTERS['dashscope-chat'].buildRequest(call, targetOf(model)).body));
};

describe('a choice among some tools', () => {
  it('sends those tools', () => {
    expect(sent(allowed('auto', 'f', 'h'))).toMatchObject({ tools: [tool('f'), tool('h')], tool_choice: 'auto' });
    expect(sent({})).toMatchObject({ tools: body.tools });
    expect(sent({})).not.toHaveProperty('tool_choice');
  });

  it('that requires one names it, and is refused for several', () => {
    expect(sent(allowed('required', 'g'))).toMatchObject({ tools: [tool('g')], tool_choice: tool('g') });
    expect(() => sent(allowed('required', 'f', 'g'))).toThrow("'required' is not supported");
    expect(() => sent(allowed('required', 'x'))).toThrow("'required' is not supported");
  });
});
