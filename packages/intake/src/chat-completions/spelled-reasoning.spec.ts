import { findModel } from '@gateway/catalogue';
import { describe, expect, it } from '@jest/globals';
import { JSON_ENDPOINTS } from '../json-endpoints.js';

const messages = [{ role: 'user', content: 'Hi' }];

function validate(id: string, fields: object) {
  const model = findModel(id);
  if (model === undefined) throw new Error(id);
  return JSON_ENDPOINTS['chat.completions'].validate({ model: id, messages, ...fields }, model);
}

describe('the switch of reasoning of DeepSeek, Kimi, GLM and Anthropic', () => {
  it.each([
    ['cl-sonnet-4-6', { type: 'enabled' }, 'medium', []],
    ['gp-5.4-mini', { type: 'adaptive' }, 'medium', []],
    ['gm-2.5-flash', { type: 'enabled' }, 'medium', []],
    // Shows its reasoning by itself.
    ['qn3.8-omni-flash', { type: 'enabled' }, undefined, []],
    ['gp-5.4-mini', { type: 'enabled', effort: 'high', keep: 'all' }, 'high', ['thinking.keep']],
    ['cl-sonnet-4-6', { type: 'enabled', budget_tokens: 2_000 }, 'low', []],
    ['gm-2.5-flash', { type: 'enabled', budget_tokens: 8_000 }, 'medium', []],
    ['qn3.8-omni-flash', { type: 'enabled', budget_tokens: 30_000 }, 'high', []],
    ['gp-5.4-mini', { type: 'disabled' }, 'none', []],
    ['gm-2.5-flash', { type: 'disabled', budget_tokens: 8_000 }, 'none', ['thinking.budget_tokens']],
    // Always reasons.
    ['qn3.8-omni-flash', { type: 'disabled' }, 'low', []],
    ['gp-5.4-mini', { type: 'auto' }, undefined, ['thinking.type']],
    ['gp-5.4-mini', {}, undefined, []],
  ])('of %s, %j, becomes the effort %j', (id, thinking, effort, dropped) => {
    const published = effort === undefined ? {} : { reasoning_effort: effort };
    const { rewritten, changes, ...valid } = validate(id, { thinking });
    expect(rewritten).toEqual({ model: id, messages, ...published });
    expect(changes).toEqual({ filled: published, dropped });
    const { changes: _, ...same } = validate(id, published);
    expect(valid).toEqual(same);
  });

  it.each([
    [{ type: 'enabled' }, 'low', []],
    [{ type: 'disabled' }, 'none', []],
    [{ type: 'disabled' }, 'high', ['thinking.type']],
    [{ type: 'enabled', effort: 'high', budget_tokens: 9 }, 'low', ['thinking.effort', 'thinking.budget_tokens']],
  ])('%j gives way to the published effort %j', (thinking, reasoning_effort, dropped) => {
    const { rewritten, changes } = validate('gp-5.4-mini', { thinking, reasoning_effort });
    expect(rewritten).toEqual({ model: 'gp-5.4-mini', messages, reasoning_effort });
    expect(changes).toEqual({ filled: {}, dropped });
  });

  it('reports a name that every object has', () => {
    const thinking = JSON.parse('{"type": "enabled", "__proto__": 1}');
    expect(validate('gp-5.4-mini', { thinking }).changes?.dropped).toEqual(['thinking.__proto__']);
  });

  it.each(['on', true, [1]])('is refused as %j, as OpenAI does', (thinking) =>
    expect(() => validate('gp-5.4-mini', { thinking })).toThrow("Unknown parameter: 'thinking'."),
  );
});
