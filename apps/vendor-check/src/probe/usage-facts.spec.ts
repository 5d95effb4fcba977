import { describe, expect, it } from '@jest/globals';
import { statedCostNanoUsd, unknownCounters, usagesIn } from './usage-facts.js';

describe('usagesIn', () => {
  it('finds the usage of a body and of every event of a stream', () => {
    expect(usagesIn('{"response":{"usage":{"input_tokens":1}}}')).toEqual([{ input_tokens: 1 }]);
    const stream =
      'event: a\ndata: {"message":{"usage":{"input_tokens":2}}}\n\ndata: {"usageMetadata":{"x":3}}\n\ndata: [DONE]\n';
    expect(usagesIn(stream)).toEqual([{ input_tokens: 2 }, { x: 3 }]);
  });
});

describe('unknownCounters', () => {
  it.each([
    [
      'OpenAI',
      { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, prompt_tokens_details: { cached_tokens: 4 } },
    ],
    ['Anthropic', { input_tokens: 1, cache_read_input_tokens: 2, cache_creation_input_tokens: 3, output_tokens: 4 }],
    ['Gemini', { promptTokenCount: 1, candidatesTokenCount: 2, thoughtsTokenCount: 3, totalTokenCount: 4 }],
    ['Ark', { generated_images: 1, output_tokens: 2, total_tokens: 3 }],
  ])('knows the counters of %s', (_vendor, usage) => {
    expect(unknownCounters(usage)).toEqual([]);
  });

  it('names the others by their path, and none that is zero', () => {
    expect(unknownCounters({ agent_steps: 2, idle: 0, iterations: [{ type: 'x', compute_units: 5 }] })).toEqual([
      'agent_steps',
      'iterations.0.compute_units',
    ]);
  });
});

it('reads the cost that xAI states', () => {
  expect(statedCostNanoUsd([{ cost_in_usd_ticks: 200_000_000 }])).toBe(20_000_000n);
  expect(statedCostNanoUsd([{ total_tokens: 5 }])).toBeUndefined();
});
