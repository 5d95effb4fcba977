import { createAlibaba } from '@ai-sdk/alibaba';
import { createByteDance } from '@ai-sdk/bytedance';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createVoyage } from '@ai-sdk/voyage';
import { createXai } from '@ai-sdk/xai';
import { describe, expect, it } from '@jest/globals';
import { embedMany, generateImage, generateText, experimental_generateVideo as generateVideo } from 'ai';
import { startForTests } from '../test-support/start-for-tests.js';

const url = await startForTests();
const apiKey = 'k';
const openai = createOpenAI({ apiKey, baseURL: `${url}/openai/v1` });
const google = createGoogle({ apiKey, baseURL: `${url}/gemini/v1beta` });
const xai = createXai({ apiKey, baseURL: `${url}/xai/v1` });
const ark = createByteDance({ apiKey, baseURL: `${url}/ark/api/v3` });
const voyage = createVoyage({ apiKey, baseURL: `${url}/voyage/v1` });
const alibaba = createAlibaba({
  apiKey,
  baseURL: `${url}/dashscope/compatible-mode/v1`,
  videoBaseURL: `${url}/dashscope`,
  embeddingBaseURL: `${url}/dashscope/api/v1`,
});

describe("Vercel's client reads an image", () => {
  it.each([
    ['OpenAI', openai.image('gpt-image-2'), 'image/png'],
    ['xAI', xai.image('grok-imagine-image'), 'image/jpeg'],
    ['BytePlus', ark.image('seedream-4-5-251128'), 'image/jpeg'],
  ])('of %s', async (_vendor, model, mediaType) => {
    const { image } = await generateImage({ model, prompt: 'a kite', maxRetries: 0 });
    expect(image.mediaType).toBe(mediaType);
    expect(image.uint8Array.length).toBeGreaterThan(100);
  });

  it('of OpenAI, made from another one', async () => {
    const model = openai.image('gpt-image-2');
    const { image } = await generateImage({ model, prompt: 'a kite', maxRetries: 0 });
    const edited = await generateImage({
      model,
      prompt: { text: 'a red one', images: [image.uint8Array] },
      maxRetries: 0,
    });
    expect(edited.usage).toMatchObject({ inputTokens: 194 + 3, outputTokens: 1_767 });
  });

  it("of Gemini's interactions", async () => {
    const model = google.interactions('gemini-3.1-flash-image');
    const { files, usage } = await generateText({ model, prompt: 'a kite', maxRetries: 0 });
    expect(files.map(({ mediaType }) => mediaType)).toEqual(['image/jpeg']);
    expect(usage.outputTokens).toBeGreaterThanOrEqual(1_120);
  });
});

/** The client refuses to fetch from a loopback address by itself. */
const download = async ({ url: address }: { readonly url: URL }) => {
  const response = await fetch(address);
  return { data: new Uint8Array(await response.arrayBuffer()), mediaType: 'video/mp4' };
};

describe("Vercel's client reads a video", () => {
  it.each([
    ['grok-imagine-video', xai.video('grok-imagine-video')],
    ['grok-imagine-video-1.5', xai.video('grok-imagine-video-1.5')],
    ['wan2.6-t2v', alibaba.video('wan2.6-t2v')],
    ['wan2.7-t2v', alibaba.video('wan2.7-t2v')],
    ['wan3.0-video', alibaba.video('wan3.0-video')],
    ['happyhorse-1.1-t2v', alibaba.video('happyhorse-1.1-t2v')],
    ['seedance-1-5-pro-251215', ark.video('seedance-1-5-pro-251215')],
    ['seedance-2-0-260128', ark.video('seedance-2-0-260128')],
  ])('of %s', async (_name, model) => {
    const often = { pollIntervalMs: 50 };
    const { video } = await generateVideo({
      model,
      prompt: '{{sim task_seconds=0}} a kite',
      duration: 5,
      maxRetries: 0,
      download,
      providerOptions: { xai: often, alibaba: often, bytedance: often },
    });
    expect(Buffer.from(video.uint8Array.subarray(4, 8)).toString()).toBe('ftyp');
  });

  it('that failed as an error', async () => {
    const rejected = generateVideo({
      model: alibaba.video('wan2.7-t2v'),
      prompt: '{{sim task_seconds=0 task_fail=DataInspectionFailed}} a kite',
      maxRetries: 0,
      download,
      providerOptions: { alibaba: { pollIntervalMs: 50 } },
    });
    await expect(rejected).rejects.toThrow();
  });
});

describe("Vercel's client reads embeddings", () => {
  it.each([
    ['gemini-embedding-001', google.embedding('gemini-embedding-001'), 3_072],
    ['gemini-embedding-2', google.embedding('gemini-embedding-2'), 3_072],
    ['voyage-4', voyage.embedding('voyage-4'), 1_024],
    ['text-embedding-v4', alibaba.embedding('text-embedding-v4'), 1_024],
  ])('of %s, one and several', async (_name, model, length) => {
    for (const values of [['a'], ['a', 'b', 'c']]) {
      const { embeddings } = await embedMany({ model, values, maxRetries: 0 });
      expect(embeddings.map((embedding) => embedding.length)).toEqual(values.map(() => length));
    }
  });
});
