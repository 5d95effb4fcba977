import { findModel } from '@gateway/catalogue';
import { describe, expect, it } from '@jest/globals';
import { JSON_ENDPOINTS } from '../json-endpoints.js';

const MODELS = ['gp-5.4-mini', 'cl-sonnet-4-6', 'gm-2.5-flash', 'qn3.8-omni-flash'];
const url = 'data:image/png;base64,AAAA';
const text = { type: 'text', text: 'What is it?' };
const messagesWith = (image_url: unknown) => [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: [text, { type: 'image_url', image_url }] },
];

function validate(id: string, messages: unknown) {
  const model = findModel(id);
  if (model === undefined) throw new Error(id);
  return JSON_ENDPOINTS['chat.completions'].validate({ model: id, messages }, model);
}

describe('an image as its address alone, as Mistral’s clients send it', () => {
  it.each(MODELS)('becomes the published object, is held as it, and is reported: %s', (id) => {
    const { rewritten, changes, ...valid } = validate(id, messagesWith(url));
    expect(rewritten).toEqual({ model: id, messages: messagesWith({ url }) });
    const { changes: published, ...same } = validate(id, messagesWith({ url }));
    const filled = { ...published?.filled, 'messages[].content[].image_url': 'url' };
    expect(changes).toEqual({ ...published, filled });
    expect(valid).toEqual(same);
  });

  it('stays as it is in its published form', () => {
    expect(validate('cl-sonnet-4-6', messagesWith({ url }))).not.toHaveProperty('rewritten');
  });

  it.each([7, null, ''])('is refused as %j', (wrong) => {
    expect(() => validate('cl-sonnet-4-6', messagesWith(wrong))).toThrow(/messages\[1\]\.content\[1\]\.image_url/);
  });
});
