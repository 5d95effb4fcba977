import { createAlibaba } from '@ai-sdk/alibaba';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { describe, expect, it } from '@jest/globals';
import { generateText, isStepCount, type LanguageModel, Output, streamText, tool } from 'ai';
import { z } from 'zod';
import { readAsset } from '../media/assets.js';
import { startForTests } from '../test-support/start-for-tests.js';

const url = await startForTests();
const apiKey = 'k';
const openai = createOpenAI({ apiKey, baseURL: `${url}/openai/v1` });
const anthropic = createAnthropic({ apiKey, baseURL: `${url}/anthropic/v1` });
const google = createGoogle({ apiKey, baseURL: `${url}/gemini/v1beta` });
const alibaba = createAlibaba({ apiKey, baseURL: `${url}/dashscope/compatible-mode/v1` });

const MODELS: readonly (readonly [name: string, model: LanguageModel, hiddenTokens: number])[] = [
  ['OpenAI over responses', openai.responses('gpt-5.4-mini'), 0],
  ['OpenAI over chat', openai.chat('gpt-4o'), 0],
  ['Anthropic', anthropic('claude-opus-4-7'), 0],
  ['Gemini 2.5', google('gemini-2.5-flash'), 32],
  ['Gemini 3', google('gemini-3.8-flash'), 32],
  ['Alibaba', alibaba('qwen3.6-plus'), 0],
];

const weather = tool({ inputSchema: z.object({ city: z.string() }), execute: async ({ city }) => `12C in ${city}` });
const options = (model: LanguageModel) => ({ model, maxRetries: 0 });

describe.each(MODELS)("Vercel's client reads %s", (_name, model, hiddenTokens) => {
  it('as text with usage', async () => {
    const { text, usage, finishReason } = await generateText({ ...options(model), prompt: 'Hello' });
    expect([text, finishReason]).toEqual(['I received 5 bytes. You said: Hello', 'stop']);
    expect([usage.inputTokens, usage.outputTokens]).toEqual([2, 11 + hiddenTokens]);
  });

  it('as a stream with usage', async () => {
    const result = streamText({ ...options(model), prompt: '{{sim words=9}}' });
    const pieces: string[] = [];
    for await (const piece of result.textStream) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe('the river runs past the old mill and turns');
    expect((await result.usage).outputTokens).toBe(11 + hiddenTokens);
  });

  it('when it is cut by its cap', async () => {
    const { finishReason } = await generateText({
      ...options(model),
      prompt: '{{sim words=200 reasoning_tokens=0}}',
      maxOutputTokens: 20,
    });
    expect(finishReason).toBe('length');
  });

  it.each([false, true])('as a tool call and its result (stream: %s)', async (isStream) => {
    const request = { ...options(model), prompt: 'Use the tool', tools: { weather }, stopWhen: isStepCount(3) };
    const result = isStream ? streamText(request) : await generateText(request);
    const steps = await result.steps;
    expect(steps[0]?.toolCalls).toMatchObject([{ toolName: 'weather', input: { city: 'city 1' } }]);
    expect(await result.text).toContain('12C in city 1');
  });

  it('as an object of a schema', async () => {
    const schema = z.object({ name: z.string(), age: z.number() });
    const request = { ...options(model), prompt: 'A person as JSON', output: Output.object({ schema }) };
    expect((await generateText(request)).output).toEqual({ name: 'name 1', age: 1 });
  });

  it('when it looks at an image', async () => {
    const image = { type: 'file' as const, data: readAsset('grey.jpg'), mediaType: 'image/jpeg' };
    const content = [{ type: 'text' as const, text: 'Look' }, image];
    const { text } = await generateText({ ...options(model), messages: [{ role: 'user', content }] });
    expect(text).toContain('1 image');
  });

  it('as its error', async () => {
    const rejected = generateText({ ...options(model), prompt: '{{sim status=503}}' });
    await expect(rejected).rejects.toMatchObject({ statusCode: 503, isRetryable: true });
  });
});

describe('thinking', () => {
  it.each([
    [
      'Anthropic',
      anthropic('claude-sonnet-4-6'),
      { anthropic: { thinking: { type: 'enabled', budgetTokens: 2_000 } } },
      64,
    ],
    ['Gemini', google('gemini-2.5-flash'), { google: { thinkingConfig: { includeThoughts: true } } }, 32],
    ['Alibaba', alibaba('qwen3.6-plus'), { alibaba: { enableThinking: true } }, 32],
  ])('of %s is read from a stream', async (_name, model, providerOptions, tokens) => {
    const result = streamText({ ...options(model), prompt: 'Hello', providerOptions });
    expect(await result.reasoningText).toHaveLength(tokens * 4);
    expect((await result.usage).outputTokens).toBe(tokens + 11);
  });
});

describe("Anthropic's own work", () => {
  const model = anthropic('claude-sonnet-4-6');

  it('of searching is read as sources', async () => {
    const tools = { web_search: anthropic.tools.webSearch_20250305({ maxUses: 3 }) };
    const { sources } = await generateText({ ...options(model), prompt: '{{sim searches=2}} Look it up', tools });
    expect(sources).toHaveLength(2);
  });

  it('of compacting is read from the iterations', async () => {
    const { usage, providerMetadata } = await generateText({
      ...options(model),
      prompt: '{{sim prompt_tokens=160000}} Go on',
      providerOptions: { anthropic: { contextManagement: { edits: [{ type: 'compact_20260112' }] } } },
    });
    expect(usage.inputTokens).toBe(160_000 + 682);
    expect(providerMetadata?.anthropic?.iterations).toMatchObject([{ type: 'compaction' }, { type: 'message' }]);
  });

  it.each(['advisor', 'fallback', 'code'])('of another kind is read from a stream: %s', async (kind) => {
    const result = streamText({ ...options(model), prompt: `{{sim iterations=${kind}}} Hello` });
    expect(await result.text).toContain('Hello');
    expect(await result.finishReason).toBe('stop');
  });
});
