import type { ModelEntry } from '@gateway/contracts';
import { fullResponse, nanoOf, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import OpenAI, { BadRequestError } from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { CITY, PIXEL_PNG, TONE_WAV, weatherTool } from '../support/samples.js';
import { chatModels } from './chat-models.js';

type Message = OpenAI.Chat.ChatCompletionMessageParam;

const stack = await startTestStack();
afterAll(() => stack.stop());

const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 100_000, concurrency: 0 } });
/** The official client: only its address and its key are changed. */
const client = new OpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey: customer.apiKey });
const { completions } = client.chat;

const models = await chatModels(stack.baseUrl, customer.apiKey);
const REASONING = ['gp-5.4-pro', 'gp-5-pro'];
const ids = models.map(({ id }) => id);
const standard = ids.filter((id) => !REASONING.includes(id));
/** The vendor's reasoning models reject stop sequences. */
const supportingStop = standard.filter((id) => !id.startsWith('gp-'));

/** The others have no JSON mode, or none while they reason. */
const hasJsonMode = (id: string): boolean => id.startsWith('gm-') || id.startsWith('gp-');

const userMessages = (text: string): Message[] => [{ role: 'user', content: text }];

async function collect(stream: AsyncIterable<OpenAI.Chat.ChatCompletionChunk>) {
  const chunks: OpenAI.Chat.ChatCompletionChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
  const finishes = chunks.flatMap(({ choices }) => choices.map((choice) => choice.finish_reason)).filter(Boolean);
  return { chunks, text, finishes, usages: chunks.map(({ usage }) => usage).filter((usage) => usage != null) };
}

describe('the models of a key', () => {
  it('are listed with the fields that client libraries and people need', async () => {
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    expect(ids).toEqual(
      expect.arrayContaining(['cl-opus-4-7', 'cl-sonnet-4-6', 'gm-2.5-pro', 'gm-2.5-flash', ...REASONING]),
    );
    for (const model of models) {
      expect(model).toMatchObject({ object: 'model', created: expect.any(Number), owned_by: expect.any(String) });
      expect(model.endpoints).toContain('/v1/chat/completions');
      expect(Object.keys(model.pricing.per_million)).toEqual(expect.arrayContaining(['input_token', 'output_token']));
    }
  });

  it('are found by id and by alias', async () => {
    for (const { id, aliases } of models) {
      for (const name of [id, ...aliases])
        expect(await client.models.retrieve(name)).toMatchObject({ id, object: 'model' });
    }
  });

  it('are limited to those that the key may use', async () => {
    const { key } = await customer.newKey({ models: ['gm-2.5-flash'] });
    const restricted = new OpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey: key, maxRetries: 0 });
    expect((await restricted.models.list()).data.map(({ id }) => id)).toEqual(['gm-2.5-flash']);
    await expect(restricted.models.retrieve('cl-opus-4-7')).rejects.toMatchObject({ status: 404 });
    const forbidden = restricted.chat.completions.create({ model: 'cl-opus-4-7', messages: userMessages('Hello') });
    await expect(forbidden).rejects.toMatchObject({ status: 403 });
  });
});

describe.each(ids)('%s', (model) => {
  const isReasoning = REASONING.includes(model);

  it('responds with usage, cost and balance', async () => {
    const before = nanoOf((await customer.balance()).balance_usd);
    const { data, response } = await completions
      .create({ model, messages: userMessages('Greetings from the harbour') })
      .withResponse();
    expect(data).toMatchObject({ object: 'chat.completion', model, created: expect.any(Number) });
    expect(data.id).not.toBe('');
    expect(data.choices).toHaveLength(1);
    expect(data.choices[0]).toMatchObject({ index: 0, finish_reason: 'stop', message: { role: 'assistant' } });
    expect(data.choices[0]?.message.content).toContain('Greetings from the harbour');
    const { usage } = data;
    expect(usage?.prompt_tokens).toBeGreaterThan(0);
    expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0));

    expect(response.headers.get('x-request-id')).toMatch(/^req_\d{6}[a-z2-7]{20}$/);
    const cost = nanoOf(response.headers.get('x-cost-usd') ?? '');
    expect(cost).toBeGreaterThan(0n);
    expect(nanoOf(response.headers.get('x-balance-usd') ?? '')).toBe(before - cost);
    expect(response.headers.get('x-ratelimit-limit-requests')).toBe('100000');
    expect(Number(response.headers.get('x-ratelimit-remaining-requests'))).toBeLessThan(100_000);
    expect(response.headers.get('x-ratelimit-reset-requests')).toMatch(/^\d+(\.\d+)?s$/);
    expect(nanoOf((await customer.balance()).balance_usd)).toBe(before - cost);
  });

  it('accepts a system message, several turns and content in parts', async () => {
    const response = await completions.create({
      model,
      messages: [
        { role: 'system', content: 'You are terse.' },
        { role: 'user', content: 'First question', name: 'ada' },
        { role: 'assistant', content: 'First answer' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Second ' },
            { type: 'text', text: 'question' },
          ],
        },
      ],
    });
    expect(response.choices[0]?.message.content).toMatch(/Second\s+question/);
  });

  it('accepts its aliases and responds under its own name', async () => {
    const { aliases } = models.find(({ id }) => id === model) as ModelEntry;
    expect(aliases.length).toBeGreaterThan(0);
    for (const alias of aliases) {
      expect((await completions.create({ model: alias, messages: userMessages('Hello') })).model).toBe(model);
    }
  });

  it('calls a tool and responds with its result', async () => {
    const tools = [weatherTool];
    const messages = userMessages(`What is the weather in ${CITY}? Use the tool.`);
    const first = await completions.create({ model, messages, tools, tool_choice: 'auto' });
    const [choice] = first.choices;
    expect(choice?.finish_reason).toBe('tool_calls');
    const [call] = choice?.message.tool_calls ?? [];
    if (call?.type !== 'function' || choice === undefined) throw new Error('no call of a function');
    expect(call.function.name).toBe('get_weather');
    expect(JSON.parse(call.function.arguments)).toMatchObject({ city: expect.any(String) });

    const result: Message = { role: 'tool', tool_call_id: call.id, content: '{"sky":"a clear sky"}' };
    const second = await completions.create({ model, messages: [...messages, choice.message, result], tools });
    expect(second.choices[0]?.finish_reason).toBe('stop');
    expect(second.choices[0]?.message.content).toContain('a clear sky');
  });

  it.each([false, true])('calls a tool with free text, and responds with its result (stream: %s)', async (isStream) => {
    const tools = [{ type: 'custom' as const, custom: { name: 'apply_patch', description: 'Applies a patch' } }];
    const messages = userMessages('Use the tool to patch it.');
    const body = { model, messages, tools };
    const message = isStream
      ? await completions.stream(body).finalMessage()
      : (await completions.create(body)).choices[0]?.message;
    const [call] = message?.tool_calls ?? [];
    if (message === undefined || call?.type !== 'custom') throw new Error('no call of a custom tool');
    expect(call.custom).toEqual({ name: 'apply_patch', input: expect.stringMatching(/./) });
    const result: Message = { role: 'tool', tool_call_id: call.id, content: 'patched' };
    const second = await completions.create({ ...body, messages: [...messages, message as Message, result] });
    expect(second.choices[0]?.message.content).toContain('patched');
  });

  it('calls the one function that is named', async () => {
    const response = await completions.create({
      model,
      messages: userMessages('Use the tool for anything'),
      tools: [weatherTool],
      tool_choice: { type: 'function', function: { name: 'get_weather' } },
    });
    expect(response.choices[0]?.message.tool_calls).toHaveLength(1);
  });

  it.each([false, true])(
    'calls a function in the older form, and responds with its result (stream: %s)',
    async (stream) => {
      const { description = '', parameters = {}, name } = weatherTool.function;
      const functions = [{ name, description, parameters }];
      const messages = userMessages('{{sim tools=2}} What is the weather? Use the tool.');
      const body = { model, messages, functions, function_call: { name } };
      const answer = stream ? await completions.stream(body).finalChatCompletion() : await completions.create(body);
      const [choice] = answer.choices;
      expect(choice?.finish_reason).toBe('function_call');
      const { function_call: call, tool_calls: calls } = choice?.message ?? {};
      expect(calls).toBeUndefined();
      expect(call?.name).toBe(name);
      expect(JSON.parse(call?.arguments ?? '')).toMatchObject({ city: expect.any(String) });

      const called: Message = { role: 'assistant', content: null, function_call: call ?? null };
      const result: Message = { role: 'function', name, content: '{"sky":"a clear sky"}' };
      const second = await completions.create({ model, messages: [...messages, called, result], functions });
      expect(second.choices[0]?.finish_reason).toBe('stop');
      expect(second.choices[0]?.message.content).toContain('a clear sky');
    },
  );

  it('calls several tools at once, each with its own id', async () => {
    const messages = userMessages('{{sim tools=3}} Use the tool for three cities.');
    const response = await completions.create({
      model,
      messages,
      tools: [weatherTool],
      parallel_tool_calls: true,
    });
    const calls = response.choices[0]?.message.tool_calls ?? [];
    expect(calls).toHaveLength(3);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
  });

  it('receives exactly what was admitted where a body repeats a field', async () => {
    const since = await stack.simulator.lastSeq();
    const message = '{"role":"user","content":"not admitted","c\\u006fntent":"Say hi"}';
    const body = `{"model":"gp-5.4-mini","model":"${model}","messages":[${message}],"max_completion_tokens":5,"max_completion_tokens":50}`;
    const path = '/v1/chat/completions';
    const headers = { 'content-type': 'application/json' };
    const response = await fullResponse(stack.baseUrl, { key: customer.apiKey, path, body, headers });
    expect(response.json()).toMatchObject({ model, object: 'chat.completion' });
    const [sent] = await stack.simulator.requests(since);
    expect(sent?.body).toMatch(/Say hi/);
    expect(sent?.body).not.toMatch(/priced|gp-5\.4-mini|:5[,}]/);
  });

  it('responds in JSON on request', async () => {
    const since = await stack.simulator.lastSeq();
    const response = await completions.create({
      model,
      messages: userMessages('Answer in json, please'),
      response_format: { type: 'json_object' },
    });
    expect(JSON.parse(response.choices[0]?.message.content ?? '')).toEqual(expect.any(Object));
    if (hasJsonMode(model)) return;
    // It has no such mode, so the prompt must ask for JSON.
    const [sent] = await stack.simulator.requests(since);
    expect(sent?.body).toMatch(/JSON object/);
    expect(sent?.body).not.toContain('response_format');
  });

  it("responds by a schema, which the client's parse helper reads", async () => {
    const Event = z.object({ name: z.string(), year: z.number(), guests: z.array(z.string()), isOpen: z.boolean() });
    const response = await completions.parse({
      model,
      messages: userMessages('Describe an event as json'),
      response_format: zodResponseFormat(Event, 'event'),
    });
    expect(Event.safeParse(response.choices[0]?.message.parsed).success).toBe(true);
  });

  it('accepts an image', async () => {
    const response = await completions.create({
      model,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: PIXEL_PNG } },
          ],
        },
      ],
    });
    expect(response.choices[0]?.message.content).toContain('1 image');
  });

  it('sees the image in the result of a tool', async () => {
    const tools = [weatherTool];
    const messages = userMessages('Use the tool for anything');
    const first = await completions.create({ model, messages, tools });
    const called = first.choices[0]?.message as Message & OpenAI.ChatCompletionMessage;
    const [call] = called.tool_calls ?? [];
    // OpenAI's own type has text there only.
    const content = [{ type: 'image_url', image_url: { url: PIXEL_PNG } }] as unknown as string;
    const result: Message = { role: 'tool', tool_call_id: call?.id ?? '', content };
    const since = await stack.simulator.lastSeq();
    const { data, response } = await completions
      .create({ model, messages: [...messages, called, result], tools })
      .withResponse();
    expect(response.headers.get('x-gateway-filled')).toContain('messages=tool_media');
    expect(data.choices[0]?.message.content).toContain('The next message shows the result.');
    const [sent] = await stack.simulator.requests(since);
    expect(sent?.body).toContain(PIXEL_PNG.split(',')[1]);
  });

  it('respects the limit of output tokens', async () => {
    const response = await completions.create({
      model,
      messages: userMessages('{{sim completion_tokens=400 reasoning_tokens=4}} Write a lot'),
      max_completion_tokens: 40,
    });
    expect(response.choices[0]?.finish_reason).toBe('length');
    expect(response.usage?.completion_tokens).toBeLessThanOrEqual(44);
  });

  if (isReasoning) {
    it('counts reasoning tokens among the output tokens', async () => {
      const messages = userMessages('{{sim reasoning_tokens=70}} Think first');
      const { usage } = await completions.create({ model, messages, reasoning_effort: 'high' });
      expect(usage?.completion_tokens_details?.reasoning_tokens).toBe(70);
      expect(usage?.completion_tokens).toBeGreaterThan(70);
    });

    it('streams its whole answer, and reports that', async () => {
      const request = { model, messages: userMessages('Hello there'), stream: true } as const;
      const { data: stream, response } = await completions
        .create({ ...request, stream_options: { include_usage: true } })
        .withResponse();
      expect(response.headers.get('x-gateway-filled')).toContain('stream=false');
      let text = '';
      let usage: OpenAI.CompletionUsage | null | undefined;
      for await (const chunk of stream) {
        text += chunk.choices[0]?.delta.content ?? '';
        usage = chunk.usage;
      }
      expect(text).toContain('Hello there');
      expect(usage?.completion_tokens).toBeGreaterThan(0);
      const final = await client.chat.completions.stream({ ...request, tools: [weatherTool] }).finalChatCompletion();
      expect(final.choices[0]?.finish_reason).toMatch(/stop|tool_calls/);
    });

    it('rejects max_tokens by name', async () => {
      const rejected = completions.create({ model, messages: userMessages('Hello'), max_tokens: 100 });
      await expect(rejected).rejects.toBeInstanceOf(BadRequestError);
      await expect(rejected).rejects.toMatchObject({
        param: 'max_tokens',
        message: expect.stringContaining('max_completion_tokens'),
      });
    });

    it('ignores a temperature', async () => {
      const response = await completions.create({ model, messages: userMessages('Hello'), temperature: 0.2 });
      expect(response.choices[0]?.finish_reason).toBe('stop');
    });
  } else {
    it('streams its response in many chunks, with usage last on request', async () => {
      const stream = await completions.create({
        model,
        messages: userMessages('{{sim chunks=12}} Stream'),
        stream: true,
        stream_options: { include_usage: true },
      });
      const { chunks, text, finishes, usages } = await collect(stream);
      expect(text).toMatch(/^the river runs past the old mill/);
      expect(chunks.length).toBeGreaterThanOrEqual(12);
      expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
      for (const chunk of chunks) expect(chunk).toMatchObject({ object: 'chat.completion.chunk', model });
      expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant');
      expect(finishes).toEqual(['stop']);
      expect(usages).toHaveLength(1);
      expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
    });

    it('streams without usage by default', async () => {
      const stream = await completions.create({
        model,
        messages: userMessages('{{sim chunks=3}} Stream'),
        stream: true,
      });
      const { chunks, usages, finishes } = await collect(stream);
      expect(usages).toHaveLength(0);
      expect(finishes).toEqual(['stop']);
      expect(chunks.every(({ choices }) => choices.length === 1)).toBe(true);
    });

    it('returns the same text in a stream and in a whole response', async () => {
      const messages = userMessages('The same words, umlauts äöü and 漢字, either way');
      const whole = await completions.create({ model, messages });
      const { text } = await collect(await completions.create({ model, messages, stream: true }));
      expect(text).toBe(whole.choices[0]?.message.content);
    });

    it('streams several tool calls, each in chunks under its own index', async () => {
      const runner = completions.stream({
        model,
        messages: userMessages('{{sim tools=2}} Use the tool for two cities.'),
        tools: [weatherTool],
        parallel_tool_calls: true,
        stream_options: { include_usage: true },
      });
      const final = await runner.finalChatCompletion();
      const [choice] = final.choices;
      expect(choice?.finish_reason).toBe('tool_calls');
      expect(choice?.message.tool_calls).toHaveLength(2);
      for (const call of choice?.message.tool_calls ?? []) {
        expect(call.type === 'function' && JSON.parse(call.function.arguments)).toMatchObject({
          city: expect.any(String),
        });
      }
      expect(final.usage?.completion_tokens).toBeGreaterThan(0);
    });

    it('streams a response by a schema', async () => {
      const Point = z.object({ x: z.number(), y: z.number() });
      const runner = completions.stream({
        model,
        messages: userMessages('A point as json'),
        response_format: zodResponseFormat(Point, 'point'),
      });
      const final = await runner.finalChatCompletion();
      expect(Point.safeParse(final.choices[0]?.message.parsed).success).toBe(true);
    });

    it('accepts the older name of the output limit', async () => {
      const messages = userMessages('{{sim completion_tokens=400 reasoning_tokens=4}} Write a lot');
      const response = await completions.create({ model, messages, max_tokens: 40 });
      expect(response.choices[0]?.finish_reason).toBe('length');
    });
  }
});

describe.each(supportingStop)('%s', (model) => {
  it('stops before a stop sequence', async () => {
    for (const stop of ['STOP', ['unheard', 'STOP']]) {
      const response = await completions.create({ model, messages: userMessages('before STOP after'), stop });
      expect(response.choices[0]).toMatchObject({ finish_reason: 'stop' });
      expect(response.choices[0]?.message.content).toMatch(/before $/);
    }
  });
});

describe('the model that accepts video and audio', () => {
  const model = 'qn3.8-omni-flash';

  it('accepts a video', async () => {
    const video = { type: 'video_url', video_url: { url: 'https://example.com/harbour.mp4' } };
    const content = [{ type: 'text', text: 'Describe the scene' }, video] as OpenAI.Chat.ChatCompletionContentPart[];
    const response = await completions.create({ model, messages: [{ role: 'user', content }] });
    expect(response.choices[0]?.message.content).toContain('1 video');
  });

  it.each([
    ['as data', { type: 'input_audio', input_audio: { data: TONE_WAV, format: 'wav' } }],
    ['by address', { type: 'audio_url', audio_url: { url: 'https://example.com/harbour.mp3' } }],
  ])('accepts audio given %s', async (_how, part) => {
    const content = [{ type: 'text', text: 'Transcribe' }, part] as OpenAI.Chat.ChatCompletionContentPart[];
    const response = await completions.create({ model, messages: [{ role: 'user', content }] });
    expect(response.choices[0]?.message.content).toContain('1 audio clip');
  });

  it('always reasons, and returns the reasoning apart from the text', async () => {
    const response = await completions.create({ model, messages: userMessages('{{sim reasoning_tokens=20}} Think') });
    expect(response.usage?.completion_tokens_details?.reasoning_tokens).toBe(20);
    expect(response.choices[0]?.message).toHaveProperty('reasoning_content');
  });

  it('is the only one that accepts these inputs', async () => {
    const video = { type: 'video_url', video_url: { url: 'https://example.com/harbour.mp4' } };
    const content = [video] as unknown as OpenAI.Chat.ChatCompletionContentPart[];
    const rejected = completions.create({ model: 'cl-sonnet-4-6', messages: [{ role: 'user', content }] });
    await expect(rejected).rejects.toMatchObject({ status: 400, param: 'messages[0].content[0]' });
  });
});

describe("a request in the vendor's own format", () => {
  it('keeps the client’s digits and letters, except for changed fields', async () => {
    const since = await stack.simulator.lastSeq();
    const messages = '[ {"content":"{{sim chunks=2}} \\u00e9\\/ é \\ud83d\\ude00 \\"}]", "role":"user"} ]';
    const body = `{ "messages" : ${messages},"seed":7.0,\n"stop":[],"max_tokens":64,"stream":true,"model":"gp-5.4-mini" }`;
    const headers = { 'content-type': 'application/json' };
    const response = await fullResponse(stack.baseUrl, { key: customer.apiKey, body, headers });
    expect(response.text).toMatch(/\[DONE\]\n\n$/);
    const [sent] = await stack.simulator.requests(since);
    expect(sent?.body).toContain(`"messages":${messages}`);
    expect(sent?.body).toContain('"seed":7.0');
    const { messages: _, seed, ...rest } = JSON.parse(sent?.body ?? '');
    expect(rest).toEqual({
      model: 'gpt-5.4-mini',
      max_completion_tokens: 64,
      stream: true,
      stream_options: { include_usage: true },
    });
  });
});

describe('a stream', () => {
  it('ends with its cost as a comment only if the client requests it', async () => {
    const body = { model: 'gp-5.4-mini', messages: userMessages('Hello'), stream: true };
    const response = await fullResponse(stack.baseUrl, {
      key: customer.apiKey,
      body,
      headers: { 'x-include-cost': 'true' },
    });
    expect(response.headers['content-type']).toMatch(/^text\/event-stream/);
    const comment = /\n: cost cost_usd=(\d+\.\d+) balance_usd=(\d+\.\d+)\n\n$/.exec(response.text);
    expect(comment).not.toBeNull();
    expect((await customer.balance()).balance_usd).toBe(comment?.[2]);
    expect(response.text).toContain('data: [DONE]\n\n: cost');

    const silent = await fullResponse(stack.baseUrl, { key: customer.apiKey, body });
    expect(silent.text).toMatch(/data: \[DONE\]\n\n$/);
  });
});

describe('the client library', () => {
  it('retries a retryable error and then succeeds', async () => {
    const since = await stack.simulator.lastSeq();
    const patient = new OpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey: customer.apiKey, maxRetries: 2 });
    const messages = userMessages('{{sim status=500 times=4}} Try again');
    const response = await patient.chat.completions.create({ model: 'gm-2.5-flash', messages });
    expect(response.choices[0]?.message.content).toContain('Try again');
    expect((await stack.simulator.closedJournal(since)).map(({ status }) => status)).toEqual([500, 500, 500, 500, 200]);
  });

  it('does not retry other errors', async () => {
    const since = await stack.simulator.lastSeq();
    const patient = new OpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey: customer.apiKey, maxRetries: 5 });
    const rejected = patient.chat.completions.create({
      model: 'gm-2.5-flash',
      messages: userMessages('{{sim status=400}}'),
    });
    await expect(rejected).rejects.toBeInstanceOf(BadRequestError);
    expect(await stack.simulator.closedJournal(since)).toHaveLength(1);
  });

  it('runs tools by its own helper', async () => {
    const runner = completions.runTools({
      model: 'cl-sonnet-4-6',
      messages: userMessages('Use the tool for the weather'),
      tools: [
        {
          type: 'function',
          function: {
            name: 'get_weather',
            description: weatherTool.function.description ?? '',
            parameters: weatherTool.function.parameters ?? {},
            parse: (text: string) => JSON.parse(text) as { city: string },
            function: ({ city }: { city: string }) => `rain over ${city}`,
          },
        },
      ],
    });
    expect(await runner.finalContent()).toContain('rain over');
  });
});

describe('afterwards', () => {
  it('leaves a consistent ledger', async () => {
    await expectConsistentLedger(stack, [customer]);
  });
});
