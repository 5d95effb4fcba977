import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from '@jest/globals';
import OpenAI, { toFile } from 'openai';
import { VoyageAIClient } from 'voyageai';
import { startForTests } from '../test-support/start-for-tests.js';

const url = await startForTests();
const openAiAt = (path: string) => new OpenAI({ apiKey: 'k', baseURL: `${url}${path}`, maxRetries: 0 });
const openai = openAiAt('/openai/v1');

describe("OpenAI's client", () => {
  it('reads the events of a streamed image', async () => {
    const request = { model: 'gpt-image-2', prompt: 'a kite', stream: true as const, partial_images: 2 };
    const types: string[] = [];
    for await (const event of await openai.images.generate(request)) types.push(event.type);
    expect(types).toEqual([
      'image_generation.partial_image',
      'image_generation.partial_image',
      'image_generation.completed',
    ]);
  });

  it('edits an image', async () => {
    const made = await openai.images.generate({ model: 'gpt-image-2', prompt: 'a kite' });
    const image = await toFile(Buffer.from(made.data?.[0]?.b64_json ?? '', 'base64'), 'a.png', { type: 'image/png' });
    const edited = await openai.images.edit({ model: 'gpt-image-2', prompt: 'a red one', image });
    expect(edited.usage).toMatchObject({ input_tokens: 197, output_tokens: 1_767 });
  });

  it.each([
    ['xAI', '/xai/v1', 'grok-imagine-image'],
    ['BytePlus', '/ark/api/v3', 'seedream-4-5-251128'],
  ])('reads an image of %s', async (_vendor, path, model) => {
    const request = { model, prompt: 'a kite', response_format: 'b64_json' as const };
    const { data } = await openAiAt(path).images.generate(request);
    expect(data?.[0]?.b64_json?.length).toBeGreaterThan(100);
  });

  it('reads embeddings of Alibaba', async () => {
    const client = openAiAt('/dashscope/compatible-mode/v1');
    const request = { model: 'text-embedding-v4', input: ['a', 'b'], encoding_format: 'float' as const };
    const { data, usage } = await client.embeddings.create(request);
    expect([data.length, data[0]?.embedding.length, usage.total_tokens]).toEqual([2, 1_024, 1]);
  });

  it.each(['/openai/v1', '/dashscope/compatible-mode/v1', '/ark/api/v3', '/xai/v1'])(
    'lists the models of %s',
    async (path) => {
      const ids: string[] = [];
      for await (const model of openAiAt(path).models.list()) ids.push(model.id);
      expect(ids.length).toBeGreaterThan(2);
    },
  );
});

describe("Anthropic's client", () => {
  const client = new Anthropic({ apiKey: 'k', baseURL: `${url}/anthropic`, maxRetries: 0 });

  it('lists models by pages and counts tokens', async () => {
    const seen: string[] = [];
    for await (const { id, lifecycle } of client.models.list({ limit: 2 })) seen.push(`${id} ${lifecycle}`);
    expect(seen).toContain('claude-haiku-4-5-20251001 active');
    const messages = [{ role: 'user' as const, content: 'Hello' }];
    expect(await client.messages.countTokens({ model: 'claude-opus-4-7', messages })).toEqual({ input_tokens: 2 });
  });
});

describe("Voyage's client", () => {
  const client = new VoyageAIClient({ apiKey: 'k', environment: `${url}/voyage/v1` });

  it('reads embeddings of several texts, and base64', async () => {
    const listed = await client.embed({ model: 'voyage-4', input: ['a', 'b'], outputDimension: 256 });
    expect(listed.data?.map(({ embedding }) => embedding?.length)).toEqual([256, 256]);
    expect(listed.usage).toEqual({ totalTokens: 2 });
    const encoded = await client.embed({ model: 'voyage-4', input: 'a', encodingFormat: 'base64' });
    expect(typeof encoded.data?.[0]?.embedding).toBe('string');
  });

  it('reads an error', async () => {
    await expect(client.embed({ model: 'voyage-9', input: 'a' })).rejects.toMatchObject({ statusCode: 400 });
  });
});
