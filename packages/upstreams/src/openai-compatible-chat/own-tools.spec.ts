import { describe, expect, it } from '@jest/globals';
import { CHAT_ADAPTERS } from '../conformance/adapters.js';
import { callOf, targetOf } from '../conformance/calls.js';

const messages = [{ role: 'user', content: 'Hi' }];
const tool = { type: 'function', function: { name: 'f', description: 'Has a "cache_control".' } };
const marked = { ...tool, cache_control: { type: 'ephemeral' } };

describe.each([
  ['openai-chat', 'gp-5.4-mini'],
  ['dashscope-chat', 'qn3.8-omni-flash'],
] as const)('tools to %s', (protocol, model) => {
  const sent = (fields: object) => {
    const { body } = CHAT_ADAPTERS[protocol].buildRequest(callOf({ model, messages, ...fields }), targetOf(model));
    return JSON.parse(String(body)).tools;
  };

  it('have no mark for another vendor’s cache', () => {
    expect(sent({ tools: [marked, tool] })).toEqual([tool, tool]);
    const choice = { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [tool] } };
    expect(sent({ tools: [marked], tool_choice: choice })).toEqual([tool]);
    expect(sent({ tools: [marked], tool_choice: 'required' })).toEqual([tool]);
  });

  it('are not reported as filled: the field table reports the mark', () => {
    const asked = [{ role: 'assistant', content: 'Hm', reasoning_content: 'Why' }, ...messages];
    const call = callOf({ model, messages: asked, tools: [marked] });
    const { changes } = CHAT_ADAPTERS[protocol].buildRequest(call, targetOf(model));
    expect(changes?.filled).toEqual({});
  });

  it('are sent as they are without one', () => {
    expect(sent({ tools: [tool] })).toEqual([tool]);
    expect(sent({})).toBeUndefined();
  });
});
