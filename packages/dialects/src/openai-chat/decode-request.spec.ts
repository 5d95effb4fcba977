import { clientToolId } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { decodeRequest } from './decode-request.js';

const hi = { role: 'user', content: 'Hi' };
const decoded = (fields: object) => decodeRequest({ model: 'm', messages: [hi], ...fields }).request;
const named = (type: string, name: string) => ({ type, [type]: { name } });

describe('decodeRequest of chat completions', () => {
  it.each([
    ['auto', false],
    ['required', true],
  ])('reads the tools that mode %s allows', (mode, isRequired) => {
    const tools = [named('function', 'f'), named('custom', 'g')];
    const choice = { type: 'allowed_tools', allowed_tools: { mode, tools } };
    expect(decoded({ tool_choice: choice }).toolChoice).toEqual({ type: 'allowed', names: ['f', 'g'], isRequired });
  });

  it('reads the marks for the cache that clients of other gateways send', () => {
    const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } };
    const short = { cache_control: { type: 'ephemeral' } };
    const text = (words: string, mark: object = {}) => ({ type: 'text', text: words, ...mark });
    const { messages, tools } = decoded({
      messages: [
        { role: 'system', content: [text('a', hour), text('b'), text('c')] },
        { role: 'system', content: [text('a'), text('b')] },
        { role: 'user', content: [text('d', short), text('e')] },
        { role: 'assistant', content: [text('f', short)] },
        { role: 'tool', tool_call_id: 'call_1', content: [text('g', short)] },
      ],
      tools: [{ ...named('function', 'f'), ...short }],
    });
    const marked = (words: string, cache?: object) => ({ type: 'text', text: words, cache });
    expect(messages.map(({ content }) => content)).toEqual([
      [marked('a', { ttl: '1h' }), marked('b'), marked('c')],
      [{ type: 'text', text: 'ab' }],
      [marked('d', {}), marked('e')],
      [marked('f', {})],
      [expect.objectContaining({ id: 'call_1', content: [marked('g', {})] })],
    ]);
    expect(tools).toEqual([expect.objectContaining({ name: 'f', cache: {} })]);
  });

  it('reads the mark of a whole request', () => {
    expect(decoded({ cache_control: { type: 'ephemeral', ttl: '1h' } }).cache).toEqual({ ttl: '1h' });
    expect(decoded({}).cache).toBeUndefined();
  });

  it('reads the mark of a whole message as that of its last part', () => {
    const cache_control = { type: 'ephemeral' };
    const called = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } };
    const { messages } = decoded({
      messages: [
        { role: 'system', content: 'a', cache_control },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'b' },
            { type: 'text', text: 'c' },
          ],
          cache_control,
        },
        { role: 'assistant', content: 'd', tool_calls: [called], cache_control },
        { role: 'assistant', reasoning_content: 'Hm', cache_control },
        { role: 'tool', tool_call_id: 'call_1', content: 'e', cache_control },
      ],
    });
    expect(messages.map(({ content }) => content.map((part) => 'cache' in part && part.cache))).toEqual([
      [{}],
      [undefined, {}],
      [false, {}],
      [false],
      [{}],
    ]);
  });

  it('reads the vendor’s data of a call from its id, or from the field for it', () => {
    const vendor = { protocol: 'gemini-generate', data: { thoughtSignature: 's' } } as const;
    const called = { type: 'function', function: { name: 'f', arguments: '{}' } };
    const extra = { extra_content: { google: { thought_signature: 'new' } } };
    const id = clientToolId('call_1', vendor);
    const { messages } = decoded({
      messages: [
        {
          role: 'assistant',
          tool_calls: [
            { ...called, id },
            { ...called, id: 'call_2', ...extra },
          ],
        },
        { role: 'tool', tool_call_id: id, content: 'x' },
      ],
    });
    expect(messages.map(({ content }) => content)).toMatchObject([
      [
        { id: 'call_1', vendor },
        { id: 'call_2', vendor: { data: { thoughtSignature: 'new' } } },
      ],
      [{ id: 'call_1' }],
    ]);
  });
});
