import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import {
  createAccountClient,
  createPublicClient,
  dataOf,
  followTask,
  GatewayError,
  readPages,
  readWebhook,
} from '@gateway/client';
import { callJson, createPng, startTestStack, WebhookReceiver } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { embedMany, generateImage, generateObject, generateText, stepCountIs, streamText, tool } from 'ai';
import OpenAI, { AzureOpenAI, toFile } from 'openai';
import { z } from 'zod';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';

const stack = await startTestStack();
afterAll(() => stack.stop());

const customer = await stack.createCustomer({ creditUsd: '100', limits: { rpm: 0, concurrency: 0 } });
const { apiKey } = customer;
const root = stack.baseUrl;
const baseURL = `${root}/v1`;

/** A family of each vendor, the newest Claude model, one that never streams, and a name that clients have built in. */
const MODELS = [
  'gp-5.4-mini',
  'cl-sonnet-4-6',
  'cl-opus-5-5',
  'gm-2.5-flash',
  'gm-3.8-flash',
  'qn3.8-omni-flash',
  'gp-5.4-pro',
  'gpt-4o',
];

const weather = tool({
  description: 'The weather in a city',
  inputSchema: z.object({ city: z.string() }),
  execute: async () => ({ sky: 'a clear sky' }),
});

describe.each([
  ['@ai-sdk/openai .chat', (id: string) => createOpenAI({ baseURL, apiKey }).chat(id)],
  ['@ai-sdk/anthropic', (id: string) => createAnthropic({ baseURL, apiKey })(id)],
] as const)('%s', (_name, modelOf) => {
  it.each(MODELS)('generates and streams text by %s', async (id) => {
    const { text } = await generateText({ model: modelOf(id), prompt: 'Say hello there', maxRetries: 0 });
    expect(text).toContain('Say hello there');
    const streamed = streamText({ model: modelOf(id), prompt: 'Stream it', maxRetries: 0 });
    expect(await streamed.text).toContain('Stream it');
    expect((await streamed.usage).outputTokens).toBeGreaterThan(0);
  });

  it.each(['gp-5.4-mini', 'cl-opus-5-5', 'gm-2.5-flash', 'gm-3.8-flash'])(
    'runs a tool and answers with its result by %s',
    async (id) => {
      const prompt = 'What is the weather in Rome? Use the tool.';
      const { text, steps } = await generateText({
        model: modelOf(id),
        prompt,
        tools: { weather },
        stopWhen: stepCountIs(3),
        maxRetries: 0,
      });
      expect(steps.length).toBe(2);
      expect(text).toContain('a clear sky');
    },
  );

  it('generates an object by a schema', async () => {
    const schema = z.object({ name: z.string(), year: z.number() });
    const { object } = await generateObject({
      model: modelOf('gm-2.5-flash'),
      schema,
      prompt: 'As json',
      maxRetries: 0,
    });
    expect(object).toMatchObject({ name: expect.any(String), year: expect.any(Number) });
  });
});

describe('@ai-sdk/openai', () => {
  const openai = createOpenAI({ baseURL, apiKey });

  it('embeds many texts', async () => {
    const { embeddings } = await embedMany({ model: openai.embedding('vg-4'), values: ['one', 'two'], maxRetries: 0 });
    expect(embeddings.map(({ length }) => length)).toEqual([1_024, 1_024]);
  });

  it.each(['qn-image-2.0', 'gm-2.5-flash-image', 'seedream-4.5', 'grok-imagine-image', 'gp-image-2'])(
    'makes an image by %s',
    async (id) => {
      const { image } = await generateImage({ model: openai.image(id), prompt: 'A kite', maxRetries: 0 });
      expect(image.uint8Array.length).toBeGreaterThan(100);
    },
  );
});

describe('openai', () => {
  const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });

  it.each(MODELS)('creates and streams a chat by %s', async (model) => {
    const messages = [{ role: 'user' as const, content: 'Say hello there' }];
    const whole = await client.chat.completions.create({ model, messages });
    expect(whole.choices[0]?.message.content).toContain('Say hello there');
    const final = await client.chat.completions.stream({ model, messages }).finalContent();
    expect(final).toContain('Say hello there');
  });

  it.each(['gp-5.4-mini', 'gp-5.4-pro', 'cl-opus-5-5', 'gm-2.5-flash'])(
    'runs tools by itself with %s',
    async (model) => {
      const parameters = { type: 'object', properties: { city: { type: 'string' } } };
      const sky = {
        name: 'sky',
        description: 'The sky',
        parameters,
        parse: JSON.parse,
        function: async () => 'a clear sky',
      };
      const messages = [{ role: 'user' as const, content: 'What is the sky in Rome? Use the tool.' }];
      const tools = [{ type: 'function' as const, function: sky }];
      const whole = client.chat.completions.runTools({ model, messages, tools });
      expect(await whole.finalContent()).toContain('a clear sky');
      const streamed = client.chat.completions.runTools({ model, messages, tools, stream: true });
      expect(await streamed.finalContent()).toContain('a clear sky');
    },
  );

  it('completes, embeds, makes and edits images', async () => {
    const { choices } = await client.completions.create({ model: 'gm-2.5-flash', prompt: 'Once' });
    expect(choices[0]?.text).toContain('Once');
    expect((await client.embeddings.create({ model: 'vg-4', input: [[9906]] })).data).toHaveLength(1);
    const image = await toFile(createPng({ width: 512, height: 512 }), 'a.png', { type: 'image/png' });
    const edited = await client.images.edit({ model: 'gm-2.5-flash-image', prompt: 'Night', image });
    expect(edited.data?.[0]?.b64_json).toBeDefined();
  });
});

describe('the clients of other hosts, with another host', () => {
  const messages = [{ role: 'user' as const, content: 'Say hello there' }];

  it('Azure: chat, streams, vectors, images, speech and responses', async () => {
    const client = new AzureOpenAI({ endpoint: root, apiKey, apiVersion: '2025-04-01-preview', maxRetries: 0 });
    const { choices } = await client.chat.completions.create({ model: 'cl-sonnet-4-6', messages });
    expect(choices[0]?.message.content).toContain('Say hello there');
    const final = await client.chat.completions.stream({ model: 'gp-5.4-mini', messages }).finalContent();
    expect(final).toContain('Say hello there');
    expect((await client.embeddings.create({ model: 'vg-4', input: 'one' })).data).toHaveLength(1);
    expect((await client.images.generate({ model: 'gp-image-2', prompt: 'A kite' })).data).toHaveLength(1);
    const image = await toFile(createPng({ width: 512, height: 512 }), 'a.png', { type: 'image/png' });
    expect((await client.images.edit({ model: 'gp-image-2', prompt: 'Night', image })).data).toHaveLength(1);
    const { id } = await client.responses.create({ model: 'gp-5.4-mini', input: 'Say hello there' });
    expect((await client.responses.retrieve(id)).output_text).toContain('Say hello there');
    expect((await client.models.list()).data.length).toBeGreaterThan(10);
  });

  it('Azure: files and batches', async () => {
    const client = new AzureOpenAI({ endpoint: root, apiKey, apiVersion: '2025-04-01-preview', maxRetries: 0 });
    const url = '/chat/completions';
    const line = JSON.stringify({ custom_id: 'a', method: 'POST', url, body: { model: 'gp-5.4-mini', messages } });
    const file = await client.files.create({ file: await toFile(Buffer.from(line), 'a.jsonl'), purpose: 'batch' });
    expect(await (await client.files.content(file.id)).text()).toBe(line);
    // The library's type has the paths of OpenAI alone.
    const request = {
      input_file_id: file.id,
      endpoint: url as '/v1/chat/completions',
      completion_window: '24h',
    } as const;
    const { id, endpoint } = await client.batches.create(request);
    expect(endpoint).toBe('/v1/chat/completions');
    expect((await client.batches.list()).data.map((batch) => batch.id)).toContain(id);
    await client.batches.cancel(id);
  });

  it.each([
    ['Groq', '/openai/v1'],
    ['OpenRouter', '/api/v1'],
    ['Google, OpenAI-compatible', '/v1beta/openai'],
    ['DashScope', '/compatible-mode/v1'],
  ])('%s', async (_name, path) => {
    const client = new OpenAI({ baseURL: `${root}${path}`, apiKey, maxRetries: 0 });
    const { choices } = await client.chat.completions.create({ model: 'gp-5.4-mini', messages });
    expect(choices[0]?.message.content).toContain('Say hello there');
  });

  it('a vendor of models with Anthropic’s format', async () => {
    const client = new Anthropic({ baseURL: `${root}/anthropic`, apiKey, maxRetries: 0 });
    const message = await client.messages.create({ model: 'cl-sonnet-4-6', max_tokens: 64, messages });
    expect(message.content[0]).toMatchObject({ type: 'text', text: expect.stringContaining('Say hello there') });
  });
});

describe('@anthropic-ai/sdk', () => {
  const client = new Anthropic({ baseURL: root, apiKey, maxRetries: 0 });

  it.each([...MODELS, 'claude-sonnet-5', 'claude-3-5-haiku-latest'])(
    'creates and streams a message by %s',
    async (model) => {
      const body = { model, max_tokens: 4_000, messages: [{ role: 'user' as const, content: 'Say hello there' }] };
      expect(JSON.stringify((await client.messages.create(body)).content)).toContain('Say hello there');
      expect(await client.messages.stream(body).finalText()).toContain('Say hello there');
    },
  );

  it.each(MODELS)('fills a schema with an optional property by %s', async (model) => {
    const format = zodOutputFormat(z.object({ name: z.string(), nickname: z.string().optional() }));
    const messages = [{ role: 'user' as const, content: 'As json' }];
    const { parsed_output } = await client.messages.parse({
      model,
      max_tokens: 4_000,
      messages,
      output_config: { format },
    });
    expect(parsed_output).toMatchObject({ name: expect.any(String) });
  });
});

it('serves the clients that only use fetch: rerank', async () => {
  const body = { model: 'rerank-2.5', query: 'France', documents: ['Berlin', 'Paris in France'] };
  const list = await callJson<{ results: { index: number }[] }>(`${baseURL}/rerank`, {
    token: apiKey,
    method: 'POST',
    body,
  });
  expect(list.results[0]?.index).toBe(1);
});

describe('@gateway/client', () => {
  const account = createAccountClient({ baseUrl: stack.system.accountUrl, token: customer.token });
  const gateway = createPublicClient({ baseUrl: root, token: apiKey });

  it('follows a task, and reads the webhook of its end', async () => {
    const receiver = await WebhookReceiver.open();
    const { data } = await account.POST('/account/webhook-secret/rotate', { body: {} });
    const submitted = gateway.POST('/v1/videos/generations', {
      body: { model: 'wn2.7-t2v', duration: 2, input: { prompt: 'A paper boat' }, webhook_url: receiver.url },
    });
    const { id } = await dataOf(submitted);
    let last = '';
    for await (const { status } of followTask(gateway, id)) last = status;
    expect(last).toBe('succeeded');
    await receiver.until(1);
    const [delivery] = receiver.received;
    const event = readWebhook(data?.secret ?? '', delivery?.headers ?? {}, delivery?.body ?? '');
    expect(event).toMatchObject({ type: 'video.task.succeeded', data: { id, status: 'succeeded' } });
    expect(() => readWebhook(data?.secret ?? '', delivery?.headers ?? {}, `${delivery?.body} `)).toThrow();
    await receiver.close();
  });

  it('quotes, reads every page, and throws refusals with their field', async () => {
    const body = {
      endpoint: 'chat.completions' as const,
      body: { model: 'gm-2.5-flash', messages: [{ role: 'user', content: 'Hi' }] },
    };
    expect(await dataOf(account.POST('/account/quote', { body }))).toMatchObject({ model: 'gm-2.5-flash' });
    const lines: string[] = [];
    const read = (cursor?: string) =>
      dataOf(
        account.GET('/account/ledger', { params: { query: { limit: 1, ...(cursor !== undefined && { cursor }) } } }),
      );
    for await (const { kind } of readPages(read)) lines.push(kind);
    expect(lines.length).toBeGreaterThan(1);
    const wrong = account.POST('/account/keys', { body: { name: 'x', rpm: -1 } }).catch((error: unknown) => error);
    expect(await wrong).toMatchObject({ status: 400, param: 'rpm' });
    expect(await wrong).toBeInstanceOf(GatewayError);
  });
});

it('leaves a consistent ledger', async () => {
  await expectConsistentLedger(stack, [customer]);
});
