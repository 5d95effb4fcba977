import { describe, expect, it } from '@jest/globals';
import { withBudget } from './thinking-budget.js';

const budgets = { none: '0', low: '1024', high: '24576' };
const contents = [{ parts: [{ text: 'a "thinkingLevel" in a text' }] }];

function sent(config: object, given: typeof budgets | null = budgets) {
  const { body, changes } = withBudget({ body: Buffer.from(JSON.stringify({ contents, ...config })), budgets: given });
  return { ...(JSON.parse(body.toString()) as object), changes };
}

describe('a level of thinking for a model with budgets', () => {
  it.each([
    ['generationConfig', 'thinkingConfig', 'thinkingLevel', 'HIGH'],
    ['generation_config', 'thinking_config', 'thinking_level', 'high'],
    ['generationConfig', 'thinking_config', 'thinkingLevel', 'High'],
  ])('%s.%s.%s=%s becomes its budget, and that is reported', (config, thinking, level, value) => {
    const request = { [config]: { topP: 1, [thinking]: { includeThoughts: true, [level]: value } } };
    expect(sent(request)).toEqual({
      contents,
      [config]: { topP: 1, [thinking]: { includeThoughts: true, thinkingBudget: 24_576 } },
      changes: { filled: { 'generationConfig.thinkingConfig.thinkingBudget': '24576' }, dropped: [] },
    });
  });

  it('goes if it is unspecified, and stays for the vendor to refuse if it has no budget', () => {
    const level = (thinkingLevel: string) => ({ generationConfig: { thinkingConfig: { thinkingLevel } } });
    expect(sent(level('THINKING_LEVEL_UNSPECIFIED'))).toEqual({ contents, generationConfig: { thinkingConfig: {} } });
    expect(sent(level('thinking_level_unspecified'), null)).toEqual({
      contents,
      generationConfig: { thinkingConfig: {} },
    });
    expect(sent(level('extreme'))).toEqual({ contents, ...level('extreme') });
    expect(sent(level('high'), null)).toEqual({ contents, ...level('high') });
  });

  it('leaves the bytes of every other request', () => {
    const body = Buffer.from(' { "contents" : [ ] } ');
    expect(withBudget({ body, budgets }).body).toBe(body);
  });
});
