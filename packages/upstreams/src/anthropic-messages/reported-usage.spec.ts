import { describe, expect, it } from '@jest/globals';
import { messagesUsageOf } from './reported-usage.js';
import { readMessagesUsage } from './usage.js';

const read = (usage: object) => {
  const counts = readMessagesUsage(usage);
  if (counts === undefined) throw new Error('expected counts');
  return messagesUsageOf(counts, false, usage);
};

const entry = (type: string, input: number, output: number, model: string | null = null) => ({
  ...{ type, model, input_tokens: input, output_tokens: output, cache_read_input_tokens: 0 },
  ...{ cache_creation_input_tokens: 0, cache_creation: null },
});

/* The counts of answers as the vendor gave them. */
describe('usage.iterations', () => {
  it('of a compaction adds the summary, which is not in the top level', () => {
    const usage = read({
      input_tokens: 682,
      output_tokens: 1_320,
      iterations: [entry('compaction', 60_385, 592), entry('message', 682, 1_320)],
    });
    expect(usage).toEqual({
      units: { input_token: 682, output_token: 1_320 },
      inputTokensTotal: 682,
      isEstimated: false,
      apart: [{ type: 'compaction', units: { input_token: 60_385, output_token: 592 }, inputTokensTotal: 60_385 }],
    });
  });

  it('of an advisor adds its own model, beside the messages of the request', () => {
    const usage = read({
      input_tokens: 2_414,
      output_tokens: 3_200,
      iterations: [
        entry('message', 1_000, 200),
        entry('advisor_message', 2_728, 874, 'claude-opus-4-7'),
        entry('message', 1_414, 3_000),
      ],
    });
    expect(usage.units).toEqual({});
    expect(usage.apart?.map(({ type, model, units }) => [type, model, units.input_token])).toEqual([
      ['message', undefined, 1_000],
      ['message', undefined, 1_414],
      ['advisor_message', 'claude-opus-4-7', 2_728],
    ]);
  });

  it('of a fallback belongs to the model that served it; a hop that declined at once is free', () => {
    const usage = read({
      input_tokens: 412,
      output_tokens: 264,
      iterations: [entry('message', 500, 0, 'claude-fable-5'), entry('fallback_message', 412, 264, 'claude-opus-4-8')],
    });
    expect(usage).toMatchObject({ units: {}, inputTokensTotal: 0 });
    expect(usage.apart).toEqual([
      {
        type: 'fallback_message',
        model: 'claude-opus-4-8',
        units: { input_token: 412, output_token: 264 },
        inputTokensTotal: 412,
      },
    ]);
  });

  it('that does not add up leaves the top level as it is', () => {
    const usage = read({
      input_tokens: 10,
      output_tokens: 5,
      iterations: [entry('message', 1, 1), entry('message', 2, 2)],
    });
    expect(usage).toEqual({ units: { input_token: 10, output_token: 5 }, inputTokensTotal: 10, isEstimated: false });
  });

  it('that no response can have is raised once, and leaves the top level as it is', () => {
    const iterations = Array.from({ length: 1_001 }, () => entry('compaction', 1_000_000_000, 0));
    expect(read({ input_tokens: 10, output_tokens: 5, iterations })).toEqual({
      units: { input_token: 10, output_token: 5 },
      inputTokensTotal: 10,
      isEstimated: false,
      unpriced: ['iterations'],
    });
  });

  it('of an unknown type, or without counts, is raised', () => {
    const iterations = [entry('dream', 900, 1), { type: 'message' }];
    expect(read({ input_tokens: 1, output_tokens: 1, iterations }).unpriced).toEqual([
      'iterations.1',
      'iterations.dream',
    ]);
  });
});

describe('fields of the usage', () => {
  const base = { input_tokens: 5, output_tokens: 3 };

  it('pass in silence if they are priced, free, or zero', () => {
    const usage = {
      ...base,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
      output_tokens_details: { thinking_tokens: 2 },
      server_tool_use: { web_search_requests: 1, web_fetch_requests: 2, code_execution_requests: 0 },
      ...{
        service_tier: 'standard',
        speed: null,
        inference_geo: 'not_available',
        iterations: null,
        fallback_credit: null,
      },
    };
    expect(read(usage).unpriced).toBeUndefined();
  });

  it.each([
    [{ service_tier: 'priority' }, 'service_tier'],
    [{ speed: 'fast' }, 'speed'],
    [{ inference_geo: 'us' }, 'inference_geo'],
    [{ server_tool_use: { code_execution_requests: 1 } }, 'server_tool_use.code_execution_requests'],
    [{ container_seconds: 300 }, 'container_seconds'],
    [{ images: [{ size: 1 }] }, 'images'],
  ])('are raised if they have no price: %j', (more, field) => {
    expect(read({ ...base, ...more }).unpriced).toEqual([field]);
  });
});
