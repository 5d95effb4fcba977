import { describe, expect, it } from '@jest/globals';
import { worstCaseOfMessages } from './worst-case-of-messages.js';

const bodyOf = (content: unknown, more: object = {}) => ({ messages: [{ role: 'user', content }], ...more });

describe('worstCaseOfMessages', () => {
  it('holds the prompt by its bytes and the output by its cap', () => {
    const { units, inputTokensTotal } = worstCaseOfMessages(
      bodyOf('x'.repeat(300), { system: 'y'.repeat(30) }),
      50,
      true,
    );
    expect(units).toEqual({ input_token: 118, output_token: 50 });
    expect(inputTokensTotal).toBe(118);
  });

  it('holds at the price of the most expensive cache write, if the model has caches', () => {
    const block = (ttl?: string) => ({ type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl } });
    expect(worstCaseOfMessages(bodyOf([block()]), 1, true).units).toHaveProperty('cache_write_token');
    expect(worstCaseOfMessages(bodyOf([block('1h'), block('5m')]), 1, true).units).toHaveProperty(
      'cache_write_1h_token',
    );
    expect(worstCaseOfMessages(bodyOf([block('1h')]), 1, false).units).toHaveProperty('input_token');
  });

  it('counts images and files at flat rates, also in tool results, and text everywhere', () => {
    const image = { type: 'image', source: { type: 'base64', data: 'A'.repeat(90_000) } };
    const pdf = { type: 'document', source: { type: 'base64', data: 'A'.repeat(90_000) } };
    const result = { type: 'tool_result', tool_use_id: 'c', content: [image, { type: 'text', text: 'x'.repeat(3) }] };
    const text = { type: 'document', source: { type: 'text', data: 'x'.repeat(6) } };
    const { units } = worstCaseOfMessages(bodyOf([image, pdf, result, text]), 1, true);
    expect(units.input_token).toBe(8 + 2 * 1_600 + 20_000 + 3);
  });

  it('holds the allowed searches, or ten', () => {
    const tools = (more: object) => ({ tools: [{ type: 'web_search_20250305', name: 'web_search', ...more }] });
    expect(worstCaseOfMessages(bodyOf('x', tools({ max_uses: 3 })), 1, true).units.web_search).toBe(3);
    expect(worstCaseOfMessages(bodyOf('x', tools({})), 1, true).units.web_search).toBe(10);
    expect(worstCaseOfMessages(bodyOf('x', tools({})), 1, false).units).not.toHaveProperty('web_search');
  });

  it('accepts any JSON in place of a message', () => {
    const strange = {
      messages: [null, 7, { content: [null, 'x', { type: 'document' }, {}] }],
      tools: [null],
      system: 5,
    };
    expect(worstCaseOfMessages(strange as never, 1, true).units.output_token).toBe(1);
  });
});
