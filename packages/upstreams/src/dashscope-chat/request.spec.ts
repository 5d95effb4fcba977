import { packed, TOOL_CALL_MARK } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { CHAT_ADAPTERS } from '../conformance/adapters.js';
import { callOf, targetOf } from '../conformance/calls.js';

const model = 'qn3.8-omni-flash';
const tool = (name: string) => ({ type: 'function', function: { name } });
const body = { model, messages: [{ role: 'user', content: 'Hi' }], tools: [tool('f'), tool('g'), tool('h')] };
const allowed = (mode: string, ...names: readonly string[]) => ({
  tool_choice: { type: 'allowed_tools', allowed_tools: { mode, tools: names.map(tool) } },
});

const built = (fields: object) =>
  CHAT_ADAPTERS['dashscope-chat'].buildRequest(callOf({ ...body, ...fields }), targetOf(model));
const sent = (fields: object) => JSON.parse(String(built(fields).body));
const changed = (fields: object) => built(fields).changes;

describe('a choice among some tools', () => {
  it('sends those tools', () => {
    expect(sent(allowed('auto', 'f', 'h'))).toMatchObject({ tools: [tool('f'), tool('h')], tool_choice: 'auto' });
    expect(sent({})).toMatchObject({ tools: body.tools });
    expect(sent({})).not.toHaveProperty('tool_choice');
  });

  it('that requires one names it, and asks in words for one of several', () => {
    expect(sent(allowed('required', 'g'))).toMatchObject({ tools: [tool('g')], tool_choice: tool('g') });
    expect(sent(allowed('required', 'f', 'g'))).toMatchObject({
      tools: [tool('f'), tool('g')],
      tool_choice: 'auto',
      messages: [{ role: 'system', content: expect.stringContaining('a call of one of the tools') }, body.messages[0]],
    });
    expect(changed({ tool_choice: 'required' })).toMatchObject({ filled: { tool_choice: 'auto' } });
    expect(() => sent(allowed('required', 'x'))).toThrow("expected 'tools' beside it");
  });
});

it('sends no data of another vendor in the ids of calls', () => {
  const id = `call_1${TOOL_CALL_MARK}${packed({ protocol: 'gemini-generate', data: { thoughtSignature: 's' } })}`;
  const { messages } = sent({
    messages: [
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ ...tool('f'), id, function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: id, content: 'x' },
    ],
  });
  expect(messages[1].tool_calls[0].id).toBe('call_1');
  expect(messages[2].tool_call_id).toBe('call_1');
});
