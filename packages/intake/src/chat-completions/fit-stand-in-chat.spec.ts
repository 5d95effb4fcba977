import { findModel } from '@gateway/catalogue';
import { isGatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { JSON_ENDPOINTS } from '../json-endpoints.js';

const messages = [{ role: 'user', content: 'Hi' }];

/** A request by the name `name`, which the model `id` serves. */
function validate(name: string, id: string, fields: object) {
  const model = findModel(id);
  if (model === undefined) throw new Error(id);
  return JSON_ENDPOINTS['chat.completions'].validate({ model: name, messages, ...fields }, model);
}

describe('an effort of a built-in name', () => {
  it.each([
    ['gpt-5-mini', 'gp-5.4-mini', 'minimal', 'none'],
    ['gpt-5-mini', 'gp-5.4-mini', 'max', 'xhigh'],
    ['claude-opus-4-8', 'cl-sonnet-4-6', 'none', 'low'],
    ['gpt-5', 'gm-2.5-flash', 'max', 'high'],
  ])('of %s, which %s serves: %s becomes %s', (name, id, effort, fitted) => {
    const { rewritten, changes } = validate(name, id, { reasoning_effort: effort });
    expect(rewritten).toEqual({ model: name, messages, reasoning_effort: fitted });
    expect(changes).toEqual({ filled: { reasoning_effort: fitted }, dropped: [] });
  });

  it('that OpenRouter spells is fitted too', () => {
    const { rewritten, changes } = validate('gpt-5-mini', 'gp-5.4-mini', { reasoning: { effort: 'minimal' } });
    expect(rewritten).toEqual({ model: 'gpt-5-mini', messages, reasoning: true, reasoning_effort: 'none' });
    expect(changes?.filled).toEqual({ reasoning_effort: 'none' });
  });

  it('stays if the model takes it', () => {
    for (const effort of ['low', null])
      expect(validate('gpt-5-mini', 'gp-5.4-mini', { reasoning_effort: effort })).not.toHaveProperty('rewritten');
  });

  it('is refused by the own name of a model', () => {
    let thrown: unknown;
    try {
      validate('gp-5.4-mini', 'gp-5.4-mini', { reasoning_effort: 'minimal' });
    } catch (error) {
      thrown = error;
    }
    expect(isGatewayError(thrown) && thrown.code).toBe('unsupported_value');
  });
});
