import { createOpenAI } from '@ai-sdk/openai';
import { eventually, fullResponse, openResponse, readEvents, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Agent, MemorySession, OpenAIProvider, Runner, tool } from '@openai/agents';
import { tool as aiTool, generateText, stepCountIs, streamText } from 'ai';
import OpenAI from 'openai';
import { z } from 'zod';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { expectEventSchema, expectResponseSchema } from '../support/expect-responses-schema.js';
import { CITY, PIXEL_PNG } from '../support/samples.js';

const stack = await startTestStack();
afterAll(() => stack.stop());

const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 100_000, concurrency: 0 } });
const { apiKey } = customer;
const baseURL = `${stack.baseUrl}/v1`;
/** One model of each upstream protocol. */
const MODELS = ['gp-5.4-mini', 'gp-5.4-pro', 'cl-sonnet-4-6', 'gm-2.5-flash', 'qn3.8-omni-flash'];

const weather = {
  type: 'function',
  name: 'get_weather',
  description: 'The weather in a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const openai = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
const user = (content: unknown) => [{ type: 'message', role: 'user', content }];

/** What the Open Responses specification names, and what coding assistants send. */
const CASES: readonly (readonly [name: string, body: Record<string, unknown>])[] = [
  ['a plain text', { input: user('Say hello in exactly 3 words.') }],
  [
    'a system prompt',
    { input: [{ type: 'message', role: 'system', content: 'You are a pirate.' }, ...user('Say hello.')] },
  ],
  ['a tool', { input: user('What is the weather like in San Francisco? Use the tool.'), tools: [weather] }],
  [
    'an image',
    {
      input: user([
        { type: 'input_text', text: 'What do you see?' },
        { type: 'input_image', image_url: PIXEL_PNG },
      ]),
    },
  ],
  [
    'several turns',
    {
      input: [
        ...user('My name is Alice.'),
        { type: 'message', role: 'assistant', content: 'Hello Alice!' },
        ...user('What is my name?'),
      ],
    },
  ],
  ['reasoning', { input: user('{{sim reasoning_tokens=40}} Think'), reasoning: { effort: 'high', summary: 'auto' } }],
  [
    'a schema',
    {
      input: user('Answer in JSON.'),
      text: { format: { type: 'json_schema', name: 'a', schema: { type: 'object', properties: {} } } },
    },
  ],
  [
    'what a coding assistant sends',
    {
      input: [{ type: 'message', role: 'developer', content: 'Be brief.' }, ...user('Hello')],
      include: ['reasoning.encrypted_content'],
      parallel_tool_calls: false,
      prompt_cache_key: 'session-1',
      reasoning: { effort: 'medium', summary: 'auto' },
      store: false,
      tool_choice: 'auto',
      tools: [weather, { type: 'custom', name: 'apply_patch', description: 'x' }],
    },
  ],
  [
    'tools that a coding assistant adds by an item',
    {
      input: [
        {
          type: 'additional_tools',
          role: 'developer',
          tools: [{ type: 'namespace', name: 'local', tools: [weather] }],
        },
        ...user('What is the weather? Use the tool.'),
      ],
      store: false,
    },
  ],
];

async function eventsOf(body: object): Promise<Record<string, unknown>[]> {
  const response = await openResponse(stack.baseUrl, { path: '/v1/responses', key: apiKey, body });
  expect(response.status).toBe(200);
  const events: Record<string, unknown>[] = [];
  for await (const event of readEvents(response.message)) {
    if (event.kind === 'data') events.push(JSON.parse(event.text) as Record<string, unknown>);
  }
  return events;
}

describe.each(MODELS)("OpenAI's published schema holds %s", (model) => {
  it.each(CASES)('for %s, whole and streamed', async (_name, body) => {
    const whole = await fullResponse(stack.baseUrl, { path: '/v1/responses', key: apiKey, body: { model, ...body } });
    expect([whole.status, whole.status === 200 ? '' : whole.text]).toEqual([200, '']);
    expectResponseSchema(whole.json<object>());
    const events = await eventsOf({ model, ...body, stream: true });
    for (const event of events) expectEventSchema(event);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
    const last = events.at(-1) as { readonly response: object };
    expect(last).toMatchObject({ type: 'response.completed', response: { status: 'completed' } });
    expectResponseSchema(last.response);
  });

  it('and a tool is called, whole and event by event', async () => {
    const body = { model, input: user("What's the weather like in San Francisco?"), tools: [weather] };
    const whole = await fullResponse(stack.baseUrl, { path: '/v1/responses', key: apiKey, body });
    const call = expect.objectContaining({ type: 'function_call', name: 'get_weather' });
    expect(whole.json<{ output: object[] }>().output).toContainEqual(call);
    const events = await eventsOf({ ...body, stream: true });
    for (const event of [
      { type: 'response.output_item.added', item: call },
      { type: 'response.function_call_arguments.delta', delta: expect.any(String) },
      { type: 'response.function_call_arguments.done', arguments: expect.stringMatching(/^\{/) },
      { type: 'response.output_item.done', item: call },
    ]) {
      expect(events).toContainEqual(expect.objectContaining(event));
    }
  });

  it('and its client may leave right after the last event: the charge is whole', async () => {
    const stream = await openai.responses.create({ model, input: 'Leave at the end', stream: true }).withResponse();
    for await (const event of stream.data) if (event.type === 'response.completed') break;
    stream.data.controller.abort();
    const requestId = stream.response.headers.get('x-request-id') ?? '';
    await eventually(async () => {
      const settled = await stack.ledger.settlement(customer.accountId, requestId);
      expect(settled).toMatchObject({ outcome: 'completed', isEstimated: false });
    });
  });

  it('for a stream that breaks off', async () => {
    const events = await eventsOf({ model, input: '{{sim cut_after=2 chunks=6}} Go on and on', stream: true });
    for (const event of events) expectEventSchema(event);
    expect(events.at(-1)).toMatchObject({ type: 'response.failed' });
  });
});

describe.each(MODELS)('with %s', (model) => {
  it("the default model of Vercel's OpenAI provider runs tools and streams", async () => {
    const openai = createOpenAI({ baseURL, apiKey });
    const { text, steps } = await generateText({
      model: openai(model),
      prompt: `What is the weather in ${CITY}? Use the tool.`,
      tools: { get_weather: aiTool({ inputSchema: z.object({ city: z.string() }), execute: () => 'rain' }) },
      stopWhen: stepCountIs(3),
    });
    expect(steps.length).toBe(2);
    expect(text).toContain('rain');
    let streamed = '';
    for await (const delta of streamText({ model: openai(model), prompt: 'Greetings' }).textStream) streamed += delta;
    expect(streamed).toContain('Greetings');
  });

  it.each([
    ['HTTP', false],
    ['a WebSocket', true],
  ])("OpenAI's agents run tools, streamed too, over %s", async (_name, useResponsesWebSocket) => {
    const client = new OpenAI({ baseURL, apiKey });
    const modelProvider = new OpenAIProvider({ openAIClient: client, useResponses: true, useResponsesWebSocket });
    const runner = new Runner({ modelProvider, tracingDisabled: true });
    const getWeather = tool({
      name: 'get_weather',
      description: 'The weather in a city',
      parameters: z.object({ city: z.string() }),
      execute: async () => 'rain',
    });
    const agent = new Agent({ name: 'Reporter', instructions: 'Be brief.', model, tools: [getWeather] });
    const question = `What is the weather in ${CITY}? Use the tool.`;
    expect((await runner.run(agent, question)).finalOutput).toContain('rain');
    const stream = await runner.run(agent, question, { stream: true });
    await stream.completed;
    expect(stream.finalOutput).toContain('rain');
    await modelProvider.close();
  });

  it("OpenAI's agents keep a session over chat completions", async () => {
    const modelProvider = new OpenAIProvider({ openAIClient: new OpenAI({ baseURL, apiKey }), useResponses: false });
    const runner = new Runner({ modelProvider, tracingDisabled: true });
    const agent = new Agent({ name: 'Reporter', instructions: 'Be brief.', model });
    const session = new MemorySession();
    await runner.run(agent, 'Good morning', { session });
    expect((await runner.run(agent, 'Good night', { session })).finalOutput).toContain('Good night');
    expect(await session.getItems()).toHaveLength(4);
  });
});

describe('the ledger', () => {
  it('is consistent after all of it', async () => {
    await expectConsistentLedger(stack, [customer]);
  });
});
