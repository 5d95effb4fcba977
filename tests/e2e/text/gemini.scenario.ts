import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { callJson, fullResponse, nanoOf, startTestStack } from '@gateway/testing';
import { ApiError, type CallableTool, GoogleGenAI, Type } from '@google/genai';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { embedMany, generateText, streamText } from 'ai';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';
import { shareDispatcher } from '../support/share-dispatcher.js';

shareDispatcher();

const stack = await startTestStack();
afterAll(() => stack.stop());
afterEach(() => stack.simulator.clearFaults());

const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });
const clientOf = (apiVersion?: string, apiKey = customer.apiKey) =>
  new GoogleGenAI({
    apiKey,
    httpOptions: { baseUrl: stack.baseUrl },
    ...(apiVersion !== undefined && { apiVersion }),
  });
const model = 'gm-2.5-flash';

const send = (path: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
  fullResponse(stack.baseUrl, {
    method: 'POST',
    path,
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
const keyed = { 'x-goog-api-key': customer.apiKey };
const ask = (text: string) => JSON.stringify({ contents: [{ parts: [{ text }] }] });

const weather: CallableTool = {
  tool: async () => ({
    functionDeclarations: [
      { name: 'weather', parameters: { type: Type.OBJECT, properties: { city: { type: Type.STRING } } } },
    ],
  }),
  callTool: async (calls) => calls.map(({ name = '' }) => ({ functionResponse: { name, response: { degrees: 21 } } })),
};

describe.each([undefined, 'v1beta'])("Google's client, unchanged but for address and key (version %s)", (version) => {
  const client = clientOf(version);

  it('generates, streams and chats, under the public name of the model', async () => {
    const whole = await client.models.generateContent({ model, contents: 'Hello' });
    expect(whole.text).toContain('You said: Hello');
    expect(whole.modelVersion).toBe(model);
    expect(whole.usageMetadata?.promptTokenCount).toBeGreaterThan(0);
    const pieces: string[] = [];
    for await (const chunk of await client.models.generateContentStream({ model, contents: '{{sim words=9}}' })) {
      expect(chunk.modelVersion).toBe(model);
      pieces.push(chunk.text ?? '');
    }
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.join('')).toBe('the river runs past the old mill and turns');
    const chat = client.chats.create({ model: 'gemini-2.5-flash' });
    await chat.sendMessage({ message: 'one' });
    expect((await chat.sendMessage({ message: 'two' })).text).toContain('You said: two');
  });

  it('calls tools by itself', async () => {
    const response = await client.models.generateContent({
      model,
      contents: 'Use the tool',
      config: { tools: [weather] },
    });
    expect(response.automaticFunctionCallingHistory?.length).toBeGreaterThan(2);
    expect(response.text).toContain('21');
  });

  it('thinks on a level that only newer models know, and says so', async () => {
    const thinkingConfig = { thinkingLevel: 'HIGH', includeThoughts: true };
    const body = { contents: [{ parts: [{ text: 'Think' }] }], generationConfig: { thinkingConfig } };
    const path = `/v1beta/models/${model}:generateContent`;
    const sent = await fullResponse(stack.baseUrl, { path, key: customer.apiKey, body });
    expect([sent.status, sent.headers['x-gateway-filled']]).toEqual([
      200,
      'generationConfig.thinkingConfig.thinkingBudget=24576',
    ]);
  });

  it('counts tokens for nothing, embeds, and lists models', async () => {
    const before = (await customer.balance()).balance_usd;
    expect((await client.models.countTokens({ model, contents: 'Hello there' })).totalTokens).toBe(3);
    expect((await customer.balance()).balance_usd).toBe(before);
    const config = { outputDimensionality: 256, taskType: 'RETRIEVAL_QUERY' };
    const contents = ['a', 'b'];
    const { embeddings } = await client.models.embedContent({ model: 'gm-embedding-001', contents, config });
    expect(embeddings?.map(({ values }) => values?.length)).toEqual([256, 256]);
    const names: (string | undefined)[] = [];
    for await (const entry of await client.models.list({ config: { pageSize: 2 } })) names.push(entry.name);
    expect(names).toEqual(expect.arrayContaining([`models/${model}`, 'models/vg-4']));
    expect(await client.models.get({ model: 'gemini-2.5-flash' })).toMatchObject({
      name: `models/${model}`,
      inputTokenLimit: 1_048_576,
    });
  });

  it('reads errors in the form of its vendor', async () => {
    const failure = async (name: string, apiKey?: string): Promise<unknown> =>
      clientOf(version, apiKey)
        .models.generateContent({ model: name, contents: 'x' })
        .catch((error: unknown) => error);
    const missing = await failure('gemini-unknown');
    expect(missing).toBeInstanceOf(ApiError);
    expect(missing).toMatchObject({ status: 404, message: expect.stringContaining('NOT_FOUND') });
    expect(await failure(model, 'sk-wrong')).toMatchObject({ status: 401 });
    const poor = await stack.createCustomer({ creditUsd: '0.000001' });
    expect(await failure(model, poor.apiKey)).toMatchObject({ status: 402 });
  });
});

describe.each(['cl-sonnet-4-6', 'qn3.8-omni-flash', 'gp-5.4-mini'])("Google's client with %s", (other) => {
  const client = clientOf();

  it('generates, streams, counts and calls tools by itself', async () => {
    const whole = await client.models.generateContent({ model: other, contents: 'Hello' });
    expect(whole.text).toContain('Hello');
    expect(whole.modelVersion).toBe(other);
    expect(whole.candidates?.[0]?.finishReason).toBe('STOP');
    expect(whole.usageMetadata?.totalTokenCount).toBeGreaterThan(0);
    const pieces: string[] = [];
    for await (const chunk of await client.models.generateContentStream({
      model: other,
      contents: '{{sim words=9}}',
    })) {
      pieces.push(chunk.text ?? '');
    }
    expect(pieces.join('')).toBe('the river runs past the old mill and turns');
    expect((await client.models.countTokens({ model: other, contents: 'Hello there' })).totalTokens).toBeGreaterThan(0);
    const config = { tools: [weather], systemInstruction: 'Be terse.', maxOutputTokens: 500 };
    const answered = await client.models.generateContent({ model: other, contents: 'Use the tool', config });
    expect(answered.automaticFunctionCallingHistory?.length).toBeGreaterThan(2);
    expect(answered.text).toContain('21');
  });

  it('ends a stream once that is only a call', async () => {
    const asked = { contents: [{ parts: [{ text: 'Use the tool' }] }], tools: [await weather.tool()] };
    const path = `/v1beta/models/${other}:streamGenerateContent`;
    const { text } = await send(path, JSON.stringify(asked), keyed);
    const events = JSON.parse(text) as { candidates: [{ finishReason?: string }] }[];
    const reasons = events.map(({ candidates: [{ finishReason }] }) => finishReason);
    expect(reasons.filter((reason) => reason !== undefined)).toEqual(['STOP']);
    expect(reasons.at(-1)).toBe('STOP');
  });

  it('streams one array without alt=sse, and says what it cannot do', async () => {
    const array = await send(`/v1beta/models/${other}:streamGenerateContent`, ask('{{sim words=9}}'), keyed);
    expect((JSON.parse(array.text) as readonly object[]).length).toBeGreaterThan(2);
    const two = JSON.stringify({ contents: [{ parts: [{ text: 'x' }] }], generationConfig: { candidateCount: 2 } });
    const refused = await send(`/v1beta/models/${other}:generateContent`, two, keyed);
    expect(refused.json()).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } });
    await stack.simulator.fault({
      vendor: { c: 'anthropic', q: 'dashscope', g: 'openai' }[other[0] as 'c'],
      status: 400,
    });
    const failed = await send(`/v1beta/models/${other}:generateContent`, ask('x'), keyed);
    expect(failed.json()).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } });
  });
});

describe.each(['gp-5.4-pro', 'gp-5-pro'])("Google's client with %s, which never streams", (other) => {
  it('gets its answer as a stream of one part, which says so', async () => {
    const pieces: string[] = [];
    for await (const chunk of await clientOf().models.generateContentStream({ model: other, contents: 'Hello' })) {
      pieces.push(chunk.text ?? '');
    }
    expect(pieces.join('')).toContain('Hello');
    const path = `/v1beta/models/${other}:streamGenerateContent`;
    const array = await send(path, ask('Hello'), keyed);
    expect(array.headers['x-gateway-filled']).toContain('stream=false');
    expect(JSON.parse(array.text)).toEqual([expect.objectContaining({ modelVersion: other })]);
  });
});

describe("Vercel's provider of Google", () => {
  const google = createGoogleGenerativeAI({ baseURL: `${stack.baseUrl}/v1beta`, apiKey: customer.apiKey });

  it('generates, streams and embeds', async () => {
    expect((await generateText({ model: google(model), prompt: 'Hello' })).text).toContain('You said: Hello');
    const { textStream } = streamText({ model: google(model), prompt: '{{sim words=9}}' });
    const pieces: string[] = [];
    for await (const piece of textStream) pieces.push(piece);
    expect(pieces.join('')).toBe('the river runs past the old mill and turns');
    const { embeddings } = await embedMany({ model: google.embedding('gm-embedding-001'), values: ['a', 'b'] });
    expect(embeddings.map((vector) => vector.length)).toEqual([3_072, 3_072]);
  });
});

describe('the bytes', () => {
  const written =
    '{ "contents":[{"role":"user","parts":[{"text":"Hi \\u00e9"}]}], "generation_config":{"max_output_tokens":1e2},"safety_settings":[] }';

  it.each([
    ['generateContent', ''],
    ['streamGenerateContent', '?alt=sse'],
  ])('of a request and its response are those of the client and the vendor: %s', async (method, query) => {
    const since = await stack.simulator.lastSeq();
    const ours = await send(`/v1beta/models/${model}:${method}${query}`, written, keyed);
    expect(ours.status).toBe(200);
    const [received] = await stack.simulator.requests(since);
    expect(received?.body).toBe(written);
    expect(received?.path).toBe(`/gemini/v1beta/models/gemini-2.5-flash:${method}${query}`);
    expect(JSON.stringify(received?.headers)).not.toContain(customer.apiKey);
    const theirs = await fullResponse(`${stack.system.simulatorUrl}/gemini`, {
      method: 'POST',
      path: `/v1beta/models/gemini-2.5-flash:${method}${query}`,
      body: written,
      headers: { 'content-type': 'application/json', 'x-goog-api-key': 'channel-a' },
    });
    const comparable = (text: string): string =>
      text
        .replaceAll(/"responseId": ?"[^"]*"/g, '')
        .replaceAll('gemini-2.5-flash', model)
        .replaceAll('\r\n', '\n');
    expect(comparable(ours.text)).toBe(comparable(theirs.text));
  });

  it('of a stream without alt=sse are one array', async () => {
    const response = await send(`/v1/models/${model}:streamGenerateContent`, ask('{{sim words=9}}'), keyed);
    expect(response.headers['content-type']).toContain('application/json');
    const elements = JSON.parse(response.text) as { readonly candidates: readonly { readonly content?: object }[] }[];
    expect(elements.length).toBeGreaterThan(2);
  });

  it('never hold a key in the URL', async () => {
    const response = await send(`/v1beta/models/${model}:generateContent?key=${customer.apiKey}`, ask('x'));
    expect(response.status).toBe(401);
    expect(response.json()).toMatchObject({
      error: { status: 'UNAUTHENTICATED', message: expect.stringContaining('logs') },
    });
    expect((await send(`/v1/models/${model}:countTokens?key=x`, ask('x'), keyed)).status).toBe(401);
  });
});

// As Google's guides write a body for curl, and Vercel's provider wrote `tools` until its version 2.
describe('a list whose only entry is written alone', () => {
  const alone = {
    system_instruction: { parts: { text: 'Be brief.' } },
    contents: { parts: { text: 'Hi' } },
    tools: { functionDeclarations: { name: 'weather' } },
  };

  it.each([model, 'gp-5.4-mini'])('is that list, for %s', async (id) => {
    const call = async (method: string, body: object) =>
      send(`/v1beta/models/${id}:${method}`, JSON.stringify(body), keyed);
    const response = await call('generateContent', alone);
    expect([response.status, response.text]).toEqual([200, expect.stringContaining('You said: Hi')]);
    expect((await call('countTokens', { generateContentRequest: { ...alone, model: `models/${id}` } })).status).toBe(
      200,
    );
    expect((await call('generateContent', { ...alone, tools: { google_search: {} } })).status).toBe(400);
  });

  it('is that list in a content to embed', async () => {
    const body = JSON.stringify({ content: { parts: { text: 'Hi' } } });
    expect((await send('/v1beta/models/vg-4-lite:embedContent', body, keyed)).status).toBe(200);
  });
});

describe('what cannot be served', () => {
  it.each([
    ['an unknown field', { contentz: 1 }, 'contentz'],
    ['a cache of a shared account', { cachedContent: 'cachedContents/a' }, 'cachedContent'],
    ['a search, which has no price', { tools: [{ google_search: {} }] }, 'tools[0].google_search'],
    ['both spellings of a field', { generationConfig: {}, generation_config: {} }, 'generation_config'],
    ['too much output', { generationConfig: { maxOutputTokens: 65_537 } }, 'generationConfig.maxOutputTokens'],
    ['sound', { generationConfig: { responseModalities: ['AUDIO'] } }, 'generationConfig.responseModalities'],
    ['a model other than the path’s', { model: 'models/gm-2.5-pro' }, 'model'],
    [
      'a file of a shared account',
      { contents: [{ parts: [{ fileData: { fileUri: 'files/a' } }] }] },
      'contents[0].parts[0].fileData.fileUri',
    ],
  ])('is a 400 that names it and costs nothing: %s', async (_what, more, field) => {
    const before = (await customer.balance()).balance_usd;
    const body = JSON.stringify({ contents: [{ parts: [{ text: 'x' }] }], ...more });
    const response = await send(`/v1beta/models/${model}:generateContent`, body, keyed);
    expect(response.status).toBe(400);
    const { error } = response.json() as { error: { status: string; details: readonly object[] } };
    expect(error.status).toBe('INVALID_ARGUMENT');
    expect(error.details).toContainEqual(
      expect.objectContaining({ fieldViolations: [expect.objectContaining({ field })] }),
    );
    expect((await customer.balance()).balance_usd).toBe(before);
  });

  it('is a 404 for an unknown method, in the form of the API', async () => {
    const response = await send(`/v1beta/models/${model}:dreamContent`, ask('x'), keyed);
    expect(response.json()).toMatchObject({ error: { code: 404, status: 'NOT_FOUND' } });
  });

  it('keeps a fault of the vendor in its form, with the time to wait', async () => {
    await stack.simulator.fault({ vendor: 'gemini', status: 503 });
    const response = await send(`/v1beta/models/${model}:generateContent`, ask('x'), keyed);
    expect(response.json()).toMatchObject({ error: { code: 503, status: 'UNAVAILABLE' } });
    expect(response.text).toContain('RetryInfo');
  });

  it('ends a stream that broke with an error, never cleanly', async () => {
    const sse = await send(
      `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
      ask('{{sim words=40 cut_after=3}}'),
      keyed,
    );
    expect(sse.text).toContain('"error":{"code":502');
    const array = send(`/v1beta/models/${model}:streamGenerateContent`, ask('{{sim words=40 cut_after=3}}'), keyed);
    await expect(array).rejects.toThrow();
  });
});

describe('the money', () => {
  it('is what the vendor counts; a repeated Idempotency-Key is free', async () => {
    await waitUntilSettled(stack, [customer]);
    const before = nanoOf((await customer.balance()).balance_usd);
    const headers = { ...keyed, 'idempotency-key': 'gemini-1' };
    const path = `/v1beta/models/${model}:generateContent`;
    const first = await send(path, ask('once'), headers);
    const again = await send(path, ask('once'), headers);
    expect(again.text).toBe(first.text);
    const { usageMetadata: usage } = first.json() as { usageMetadata: Record<string, number> };
    const output = (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0);
    const cost = BigInt(usage.promptTokenCount ?? 0) * 300n + BigInt(output) * 2_500n;
    expect(nanoOf(String(first.headers['x-cost-usd']))).toBe(cost);
    await waitUntilSettled(stack, [customer]);
    expect(nanoOf((await customer.balance()).balance_usd)).toBe(before - cost);
    const other = await send('/v1beta/models/gm-2.5-pro:generateContent', ask('once'), headers);
    expect(other.status).toBe(409);
  });

  it('is quoted by the body of the request', async () => {
    const quote = await callJson<{ hold_usd?: string }>(`${stack.system.accountUrl}/account/quote`, {
      method: 'POST',
      token: customer.apiKey,
      body: { endpoint: 'models.generate_content', body: { model, contents: [{ parts: [{ text: 'x' }] }] } },
    });
    expect(JSON.stringify(quote)).toContain('usd');
  });

  it('is consistent at the end', () => expectConsistentLedger(stack, [customer]));
});
