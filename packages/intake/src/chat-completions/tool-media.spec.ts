import { findModel } from '@gateway/catalogue';
import { describe, expect, it } from '@jest/globals';
import { JSON_ENDPOINTS } from '../json-endpoints.js';

const MODELS = ['gp-5.4-mini', 'cl-sonnet-4-6', 'gm-2.5-flash', 'qn3.8-omni-flash'];
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
const text = { type: 'text', text: 'Done.' };
const call = (id: string, name: string) => ({ id, type: 'function', function: { name, arguments: '{}' } });
const asked = { role: 'user', content: 'Look.' };
const called = { role: 'assistant', content: null, tool_calls: [call('a', 'screenshot'), call('b', 'crop')] };
const result = (tool_call_id: string, content: unknown) => ({ role: 'tool', tool_call_id, content });

function validate(id: string, messages: unknown) {
  const model = findModel(id);
  if (model === undefined) throw new Error(id);
  return JSON_ENDPOINTS['chat.completions'].validate({ model: id, messages }, model);
}

describe('an image in the result of a tool, as clients of other gateways send it', () => {
  it.each(MODELS)('is shown after the results, held as an image of the user, and reported: %s', (id) => {
    const given = [asked, called, result('a', [text, image]), result('b', [image]), { role: 'user', content: 'And?' }];
    const shown = [
      { type: 'text', text: 'Result of screenshot:' },
      image,
      { type: 'text', text: 'Result of crop:' },
      image,
    ];
    const published = [
      ...[asked, called, result('a', [text]), result('b', 'The next message shows the result.')],
      ...[
        { role: 'user', content: shown },
        { role: 'user', content: 'And?' },
      ],
    ];
    const { rewritten, changes, ...valid } = validate(id, given);
    expect(rewritten).toEqual({ model: id, messages: published });
    const { changes: unchanged, ...same } = validate(id, published);
    expect(changes?.filled).toEqual({ ...unchanged?.filled, messages: 'tool_media' });
    expect(valid).toEqual(same);
  });

  it('belongs to its own turn', () => {
    const again = { role: 'assistant', content: null, tool_calls: [call('c', 'screenshot')] };
    const given = [asked, called, result('a', [image]), result('b', 'No.'), again, result('c', [image])];
    const { rewritten } = validate('cl-sonnet-4-6', given);
    const roles = ['user', 'assistant', 'tool', 'tool', 'user', 'assistant', 'tool', 'user'];
    expect(rewritten?.messages).toMatchObject(roles.map((role) => ({ role })));
  });

  it('is not looked for where results are text', () => {
    expect(validate('cl-sonnet-4-6', [asked, called, result('a', [text]), result('b', 'No.')])).not.toHaveProperty(
      'rewritten',
    );
  });

  it.each([[{ type: 'thing' }], [7]])('leaves a part of another type to be refused: %j', (wrong) => {
    expect(() => validate('cl-sonnet-4-6', [asked, called, result('a', [image, wrong])])).toThrow(/messages\[2\]/);
  });
});
