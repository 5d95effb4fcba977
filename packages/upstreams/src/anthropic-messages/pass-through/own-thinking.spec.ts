import { clientToolId, packed } from '@gateway/contracts';
import { expect, it } from '@jest/globals';
import { ownMessages } from './own-thinking.js';

const vendor = { protocol: 'openai-responses', data: { encrypted_content: 'x' } } as const;
const user = { role: 'user', content: 'Hi' };
const of = (...messages: readonly object[]) => Buffer.from(JSON.stringify(messages));
const own = { type: 'thinking', thinking: 'Hm', signature: 'EqQB' };

it('leaves out what the vendor has not signed, and shortens the ids of calls', () => {
  const id = clientToolId('call_1', vendor);
  const messages = of(
    user,
    {
      role: 'assistant',
      content: [
        own,
        { type: 'thinking', thinking: 'Hm', signature: '' },
        { type: 'thinking', thinking: 'Hm', signature: packed(vendor) },
        { type: 'redacted_thinking', data: packed(vendor) },
        { type: 'redacted_thinking', data: 'EmwK' },
        { type: 'tool_use', id, name: 'f', input: {} },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'x' }] },
    { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm', signature: '' }] },
  );
  const { json = '', dropped } = ownMessages(messages);
  expect(JSON.parse(json)).toEqual([
    user,
    {
      role: 'assistant',
      content: [
        own,
        { type: 'redacted_thinking', data: 'EmwK' },
        { type: 'tool_use', id: 'call_1', name: 'f', input: {} },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'x' }] },
  ]);
  expect(dropped).toEqual(['1', '1', '1', '3'].map((at, index) => `messages[${at}].content[${[1, 2, 3, 0][index]}]`));
});

it('finds an empty signature behind white space, and parses nothing without one', () => {
  const spaced = Buffer.from('[{"role":"assistant","content":[{"type":"thinking","thinking":"","signature" : ""}]}]');
  expect(ownMessages(spaced)).toEqual({ json: '[]', dropped: ['messages[0].content[0]'] });
  const unread = Buffer.from(
    `${of(user, { role: 'assistant', content: [own] })
      .toString()
      .slice(0, -1)}, this is no JSON`,
  );
  expect(ownMessages(unread)).toEqual({ json: undefined, dropped: [] });
});
