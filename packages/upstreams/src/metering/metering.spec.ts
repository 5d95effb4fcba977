import { chatUsageOf, estimateTokens, textSize } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { callOf } from '../conformance/calls.js';
import { readUsageMetadata } from '../gemini-generate/usage.js';
import { readCompletionUsage } from '../openai-compatible-chat/completion-usage.js';
import { estimateInputTokens } from './estimate-input-tokens.js';
import { OutputMeter } from './output-meter.js';
import { coherentCounts, readCount, usageOf } from './token-counts.js';
import { unpricedIn, withUnpriced } from './unpriced-usage.js';

describe('estimateInputTokens', () => {
  it('rounds the sum of all texts once, and adds a flat number for each other part', () => {
    const { request } = callOf({
      model: 'gm-2.5-pro',
      messages: [
        { role: 'system', content: 'a' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'ü' },
            { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
            { type: 'audio_url', audio_url: { url: 'https://example.com/a.mp3' } },
            { type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } },
          ],
        },
        { role: 'assistant', content: 'b' },
        { role: 'user', content: 'c' },
      ],
    });
    // 1 + 3 + 1 + 1 quarters are 2 tokens, not one for each text.
    expect(estimateInputTokens(request)).toBe(2 + 85 + 250 + 500);
  });
});

describe('OutputMeter', () => {
  it('does not depend on how the text is split', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (chunks) => {
        const meter = new OutputMeter(2);
        for (const chunk of chunks) meter.addText(chunk);
        expect(meter.estimate().completionTokens).toBe(estimateTokens(textSize(chunks.join(''))));
      }),
    );
  });

  it('counts reasoning as output', () => {
    const meter = new OutputMeter(2);
    meter.addReasoning('abcde');
    meter.addText('abc');
    expect(meter.estimate()).toMatchObject({ completionTokens: 2, reasoningTokens: 2 });
  });
});

describe('fields without a price', () => {
  const nested = (depth: number): object => (depth === 0 ? { tokens: 1 } : { inner: nested(depth - 1) });

  it('are a few at most, whatever a broken upstream reports', () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`field_${index}`, 1]));
    const found = unpricedIn(many, { counts: new Set() });
    expect(found).toHaveLength(8);
    expect(withUnpriced(usageOf(NO_COUNTS, false), [...found, ...found]).unpriced).toHaveLength(8);
  });

  it('are searched to the depth of a vendor, not to the end of the stack', () => {
    expect(unpricedIn(nested(3), { counts: new Set() })).toEqual(['inner.inner.inner.tokens']);
    expect(unpricedIn(JSON.parse(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`), { counts: new Set() })).toEqual(
      [],
    );
  });
});

const NO_COUNTS = { promptTokens: 0, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0 };

describe('token counts', () => {
  it.each([
    [-1],
    [1.5],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    ['1'],
    [null],
    [1_000_000_001],
    [2 ** 53 - 1],
    [2 ** 60],
  ])('rejects the count %p', (value) => {
    expect(readCount(value)).toBeUndefined();
  });

  it('give units that sum to the prompt and the output', () => {
    const count = fc.nat(1_000_000);
    fc.assert(
      fc.property(count, count, count, count, count, count, (plain, cached, written, written1h, audio, output) => {
        const counts = coherentCounts({
          promptTokens: plain + cached + written + written1h + audio,
          cachedTokens: cached,
          cacheWriteTokens: written,
          cacheWrite1hTokens: written1h,
          audioInputTokens: audio,
          completionTokens: output,
          reasoningTokens: 0,
        });
        expect(counts).toBeDefined();
        if (counts === undefined) return;
        const { units, inputTokensTotal } = usageOf(counts, false);
        const sum = Object.values(units).reduce((total, value) => total + value, 0);
        expect(sum).toBe(inputTokensTotal + output);
        expect(units.input_token).toBe(plain);
      }),
    );
  });

  it('show the audio of a prompt to the client, without changing what is billed', () => {
    const usage = { prompt_tokens: 251, completion_tokens: 4, prompt_tokens_details: { audio_tokens: 250 } };
    const counts = readCompletionUsage(usage);
    expect(counts && chatUsageOf(counts).prompt_tokens_details).toEqual({ cached_tokens: 0, audio_tokens: 250 });
    expect(counts && usageOf(counts, false).units).toEqual({ input_token: 251, output_token: 4 });
    const details = (tokenCount: number) => [{ modality: 'AUDIO', tokenCount }];
    const google = readUsageMetadata(
      {
        ...{ promptTokenCount: 251, candidatesTokenCount: 4, cachedContentTokenCount: 100 },
        ...{ promptTokensDetails: details(250), cacheTokensDetails: details(100) },
      },
      true,
    );
    expect(google && chatUsageOf(google).prompt_tokens_details).toEqual({ cached_tokens: 100, audio_tokens: 250 });
    expect(google && usageOf(google, false).units).toMatchObject({ input_token: 1, input_audio_token: 150 });
  });

  it('are rejected if the parts exceed the prompt', () => {
    expect(
      coherentCounts({ promptTokens: 5, cachedTokens: 6, completionTokens: 1, reasoningTokens: 0 }),
    ).toBeUndefined();
  });
});
