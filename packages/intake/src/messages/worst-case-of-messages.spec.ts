import { findModel, withCapability } from '@gateway/catalogue';
import { describe, expect, it } from '@jest/globals';
import { worstCaseOfMessages } from './worst-case-of-messages.js';

const bodyOf = (content: unknown, more: object = {}) => ({ messages: [{ role: 'user', content }], ...more });

const worst = (body: object, maxTokens = 1, id = 'cl-sonnet-4-6') => {
  const model = findModel(id);
  if (model === undefined) throw new Error(id);
  return worstCaseOfMessages(body as Readonly<Record<string, unknown>>, maxTokens, withCapability(model, 'chat'));
};
const unitsOf = (body: object, id?: string) => worst(body, 1, id).worstCase.units;

describe('worstCaseOfMessages', () => {
  it('holds the prompt by its text and the output by its cap', () => {
    const { worstCase } = worst(bodyOf('x'.repeat(300), { system: 'y'.repeat(30) }), 50);
    expect(worstCase).toMatchObject({ units: { input_token: 173, output_token: 50 }, inputTokensTotal: 173 });
  });

  it('holds at the price of the most expensive cache write, if the model has caches', () => {
    const block = (ttl?: string) => ({ type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl } });
    expect(unitsOf(bodyOf([block()]))).toHaveProperty('cache_write_token');
    expect(unitsOf(bodyOf([block('1h'), block('5m')]))).toHaveProperty('cache_write_1h_token');
    const definition = { name: 'get_time', input_schema: {}, cache_control: { type: 'ephemeral', ttl: '1h' } };
    const addition = { type: 'tool_addition', tool: { type: 'tool_definition', definition } };
    expect(unitsOf(bodyOf([addition]))).toHaveProperty('cache_write_1h_token');
    expect(unitsOf(bodyOf([block('1h')]), 'gm-2.5-pro')).toHaveProperty('input_token');
  });

  it('holds images at the most of the model, also in tool results, and text everywhere', () => {
    const image = { type: 'image', source: { type: 'base64', data: 'A'.repeat(90_000) } };
    const byUrl = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
    const result = { type: 'tool_result', tool_use_id: 'c', content: [image, { type: 'text', text: 'x'.repeat(3) }] };
    const text = { type: 'document', source: { type: 'text', data: 'x'.repeat(6) } };
    expect(unitsOf(bodyOf([image, result, text])).input_token).toBe(8 + 2 * 1_568 + 5);
    expect(worst(bodyOf([image]))).not.toHaveProperty('refersToMedia');
    expect(worst(bodyOf([byUrl]))).toMatchObject({ refersToMedia: true });
    expect(unitsOf(bodyOf([byUrl]), 'cl-opus-4-7').input_token).toBe(8 + 4_784);
  });

  it('holds title and context of a document, which the model reads', () => {
    const source = { type: 'text', data: '' };
    const about = { title: 'x'.repeat(300), context: 'y'.repeat(3_000) };
    const extra = (more: object) => unitsOf(bodyOf([{ type: 'document', source, ...more }])).input_token ?? 0;
    expect(extra(about) - extra({})).toBeGreaterThanOrEqual(3_300 / 4);
  });

  it('holds the context window for a document by address', () => {
    const pdf = { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } };
    expect(worst(bodyOf([pdf]))).toMatchObject({ worstCase: { inputTokensTotal: 1_000_000 }, refersToMedia: true });
  });

  it('holds the allowed searches of all tools, or ten for each, with the tokens of their results', () => {
    const tool = (type: string, more: object = {}) => ({ type, name: 'web', ...more });
    const tools = (...all: readonly object[]) => bodyOf('x', { tools: all });
    const both = unitsOf(
      tools(tool('web_search_20250305', { max_uses: 3 }), tool('web_search_20260209', { max_uses: 2 })),
    );
    expect(both.web_search).toBe(5);
    expect(both.input_token).toBeGreaterThan(5 * 20_000);
    expect(unitsOf(tools(tool('web_search_20250305'))).web_search).toBe(10);
    expect(unitsOf(tools(tool('web_search_20250305')), 'gm-2.5-pro')).not.toHaveProperty('web_search');
    const fetches = unitsOf(tools(tool('web_fetch_20250910', { max_uses: 2, max_content_tokens: 5_000 })));
    expect(fetches).not.toHaveProperty('web_search');
    expect(fetches.input_token).toBeGreaterThan(10_000);
    expect(fetches.input_token).toBeLessThan(20_000);
  });

  it('accepts any JSON in place of a message', () => {
    const strange = {
      messages: [null, 7, { content: [null, 'x', { type: 'document' }, {}] }],
      tools: [null],
      system: 5,
    };
    expect(unitsOf(strange).output_token).toBe(1);
  });
});
