import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { startTestStack } from '@gateway/testing';
import createInstructor from '@instructor-ai/instructor';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ChatAnthropic } from '@langchain/anthropic';
import { tool } from '@langchain/core/tools';
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { OpenAI as LlamaOpenAI, OpenAIEmbedding } from '@llamaindex/openai';
import { createOpenRouter } from '@openrouter/ai-sdk-provider';
import { tool as aiTool, generateObject, generateText, stepCountIs, streamText } from 'ai';
import { createAgent } from 'langchain';
import { Document, tool as llamaTool, Settings, VectorStoreIndex } from 'llamaindex';
import OpenAI from 'openai';
import { z } from 'zod';
import { z as formerZod } from 'zod/v3';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { hasClientPrograms, runProgram } from './client-programs.js';

const stack = await startTestStack();
const customer = await stack.createCustomer({ creditUsd: '100', limits: { rpm: 0, concurrency: 0 } });
const home = await mkdtemp(join(tmpdir(), 'client-programs-'));
afterAll(async () => {
  await stack.stop();
  await rm(home, { recursive: true, force: true });
});

const { apiKey } = customer;
const root = stack.baseUrl;
const baseURL = `${root}/v1`;
/** One model of each upstream protocol, one that never streams, and a name that clients have built in. */
const MODELS = [
  'gp-5.4-mini',
  'gp-5.4-pro',
  'cl-opus-5-5',
  'cl-sonnet-4-6',
  'gm-2.5-flash',
  'gm-3.8-flash',
  'qn3.8-omni-flash',
  'gpt-4o',
];

const weather = tool(async () => 'a clear sky', {
  name: 'get_weather',
  description: 'The weather in a city',
  schema: z.object({ city: z.string() }),
});
const configuration = { baseURL };
const WEATHER = { role: 'user', content: 'What is the weather in Rome? Use the tool.' };

describe.each([
  ['ChatOpenAI', (model: string) => new ChatOpenAI({ model, apiKey, configuration, maxRetries: 0 })],
  [
    'ChatOpenAI by responses',
    (model: string) => new ChatOpenAI({ model, apiKey, configuration, useResponsesApi: true, maxRetries: 0 }),
  ],
  [
    'ChatAnthropic',
    (model: string) => new ChatAnthropic({ model, apiKey, anthropicApiUrl: root, maxTokens: 3_000, maxRetries: 0 }),
  ],
  [
    'ChatGoogleGenerativeAI',
    (model: string) => new ChatGoogleGenerativeAI({ model, apiKey, baseUrl: root, maxRetries: 0 }),
  ],
] as const)('LangChain %s', (_name, open) => {
  it.each(MODELS)('generates and streams text by %s', async (model) => {
    expect((await open(model).invoke('Say hello there')).text).toContain('Say hello there');
    let streamed = '';
    for await (const chunk of await open(model).stream('Stream it')) streamed += chunk.text;
    expect(streamed).toContain('Stream it');
  });

  // Current Claude models refuse a forced tool, which LangChain uses for schemas.
  it.each(MODELS.filter((model) => model !== 'cl-opus-5-5'))('calls a tool and fills a schema by %s', async (model) => {
    const assistant = open(model).bindTools([weather]);
    const asked = await assistant.invoke([WEATHER]);
    const [call] = asked.tool_calls ?? [];
    expect(call?.name).toBe('get_weather');
    const result = await weather.invoke({ ...call, type: 'tool_call' } as never);
    expect((await assistant.invoke([WEATHER, asked, result])).text).toContain('a clear sky');
    const schema = z.object({ name: z.string() });
    const filled = await open(model).withStructuredOutput(schema).invoke('As json');
    expect(filled).toEqual({ name: expect.any(String) });
  });

  it.each(MODELS)('runs an agent, whole and streamed, by %s', async (model) => {
    const messages = [WEATHER];
    const agent = createAgent({ model: open(model), tools: [weather] });
    expect((await agent.invoke({ messages })).messages.at(-1)?.text).toContain('a clear sky');
    let streamed = '';
    for await (const [chunk] of await agent.stream({ messages }, { streamMode: 'messages' })) streamed += chunk.text;
    expect(streamed).toMatch(/The tool answered: .*a clear sky/);
  });
});

describe('other libraries', () => {
  it('LangChain embeds several texts', async () => {
    const embeddings = new OpenAIEmbeddings({ model: 'vg-4', apiKey, configuration, maxRetries: 0 });
    expect((await embeddings.embedDocuments(['a', 'b'])).map(({ length }) => length)).toEqual([1_024, 1_024]);
  });

  it.each(MODELS)('@ai-sdk/openai-compatible generates, streams and fills a schema by %s', async (id) => {
    const provider = createOpenAICompatible({ name: 'gateway', baseURL, apiKey, supportsStructuredOutputs: true });
    const model = provider(id);
    expect((await generateText({ model, prompt: 'Say hello there', maxRetries: 0 })).text).toContain('Say hello there');
    expect(await streamText({ model, prompt: 'Stream it', maxRetries: 0 }).text).toContain('Stream it');
    const schema = z.object({ name: z.string() });
    const { object } = await generateObject({ model, schema, prompt: 'As json', maxRetries: 0 });
    expect(object).toEqual({ name: expect.any(String) });
  });
});

describe.each(MODELS)('@openrouter/ai-sdk-provider by %s', (id) => {
  const provider = createOpenRouter({ baseURL, apiKey });

  it('generates, streams, reasons and counts', async () => {
    const reasoning = { effort: 'low' } as const;
    const { text, reasoningText } = await generateText({
      model: provider(id, { reasoning }),
      prompt: 'Say hello there',
      maxRetries: 0,
    });
    expect(text).toContain('Say hello there');
    const model = provider(id, { reasoning, usage: { include: true } });
    const streamed = streamText({ model, prompt: 'Stream it', maxRetries: 0 });
    expect(await streamed.text).toContain('Stream it');
    expect(await streamed.reasoningText).toEqual(reasoningText);
    // OpenAI's chat completions show none.
    if (!id.startsWith('gp')) expect(reasoningText).toBeTruthy();
    expect((await streamed.usage).outputTokens).toBeGreaterThan(0);
  });

  it('runs a tool and fills a schema', async () => {
    const { text } = await generateText({
      model: provider(id),
      prompt: WEATHER.content,
      tools: { weather: aiTool({ inputSchema: z.object({ city: z.string() }), execute: async () => 'a clear sky' }) },
      stopWhen: stepCountIs(3),
      maxRetries: 0,
    });
    expect(text).toContain('a clear sky');
    const schema = z.object({ name: z.string() });
    const { object } = await generateObject({ model: provider(id), schema, prompt: 'As json', maxRetries: 0 });
    expect(object).toEqual({ name: expect.any(String) });
  });
});

describe.each(MODELS)('LlamaIndex by %s', (model) => {
  const llm = new LlamaOpenAI({ model, apiKey, baseURL, maxRetries: 0 });

  it('chats, streams and calls a tool', async () => {
    const { message } = await llm.chat({ messages: [{ role: 'user', content: 'Say hello there' }] });
    expect(message.content).toContain('Say hello there');
    let streamed = '';
    const asked = { messages: [{ role: 'user' as const, content: 'Stream it' }], stream: true as const };
    for await (const { delta } of await llm.chat(asked)) streamed += delta;
    expect(streamed).toContain('Stream it');
    const getWeather = llamaTool({
      name: 'get_weather',
      description: 'The weather in a city',
      parameters: z.object({ city: z.string() }),
      execute: () => 'a clear sky',
    });
    const messages = [{ role: 'user' as const, content: WEATHER.content }];
    const { newMessages, toolCalls } = await llm.exec({ messages, tools: [getWeather] });
    expect(toolCalls).toMatchObject([{ name: 'get_weather' }]);
    const last = await llm.chat({ messages: [...messages, ...newMessages] });
    expect(last.message.content).toContain('a clear sky');
  });

  it('queries an index', async () => {
    Settings.llm = llm;
    Settings.embedModel = new OpenAIEmbedding({ model: 'vg-4', apiKey, baseURL, maxRetries: 0 });
    const index = await VectorStoreIndex.fromDocuments([new Document({ text: 'The sky of Rome is clear.' })]);
    const { message } = await index.asQueryEngine().query({ query: 'Which sky has Rome?' });
    expect(message.content).toContain('The sky of Rome is clear.');
  });
});

/** Instructor reads schemas of Zod 3, and sends an empty schema for one of Zod 4. */
const PERSON = { name: 'Person', schema: formerZod.object({ name: formerZod.string() }) };

describe.each([
  // Current Claude models refuse a forced tool.
  ['TOOLS', MODELS.filter((model) => model !== 'cl-opus-5-5')],
  ['FUNCTIONS', MODELS.filter((model) => model !== 'cl-opus-5-5')],
  ['JSON', MODELS],
  ['JSON_SCHEMA', MODELS],
  ['MD_JSON', MODELS],
  ['THINKING_MD_JSON', MODELS],
] as const)('Instructor in mode %s', (mode, models) => {
  it.each(models)('fills a schema by %s', async (model) => {
    const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
    const person = await createInstructor({ client, mode }).chat.completions.create({
      model,
      messages: [{ role: 'user', content: 'Answer as json' }],
      response_model: PERSON,
    });
    expect(person).toMatchObject({ name: expect.any(String) });
  });
});

const CODEX_CONFIG = `model_provider = "gateway"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.gateway]
name = "gateway"
base_url = "${baseURL}"
env_key = "GATEWAY_KEY"
wire_api = "responses"
`;

const GEMINI_SETTINGS = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false },
};

const PROGRAM_MODELS = ['gp-5.4-mini', 'gp-5.4-pro', 'cl-sonnet-4-6', 'gm-2.5-flash', 'qn3.8-omni-flash'];

(hasClientPrograms ? describe : describe.skip)('a command-line assistant calls its tool and reports the result', () => {
  it.each(PROGRAM_MODELS)('Codex CLI, by %s', async (model) => {
    await writeFile(join(home, 'config.toml'), CODEX_CONFIG);
    const flags = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '-m', model];
    const text = await runProgram({
      script: '@openai/codex/bin/codex.js',
      args: ['exec', ...flags, '{{sim tool=exec_command}} Use the tool'],
      home,
      env: { CODEX_HOME: home, GATEWAY_KEY: apiKey },
    });
    expect(text).toContain('The tool answered:');
  });

  it.each(PROGRAM_MODELS)('Gemini CLI, by %s', async (model) => {
    await mkdir(join(home, '.gemini'), { recursive: true });
    await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify(GEMINI_SETTINGS));
    const text = await runProgram({
      script: '@google/gemini-cli/bundle/gemini.js',
      args: ['-m', model, '--yolo', '-p', '{{sim tool=list_directory}} Use the tool'],
      home,
      env: { GOOGLE_GEMINI_BASE_URL: root, GEMINI_API_KEY: apiKey, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    });
    expect(text).toContain('The tool answered:');
  });
});

it('leaves a consistent ledger', () => expectConsistentLedger(stack, [customer]));
