import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { eventually, fullResponse, nanoOf, startTestStack } from '@gateway/testing';
import { GoogleGenAI, type Interactions } from '@google/genai';
import { afterAll, describe, expect, it } from '@jest/globals';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';
import { shareDispatcher } from '../support/share-dispatcher.js';

shareDispatcher();

const stack = await startTestStack();
afterAll(() => stack.stop());

const limits = { rpm: 100_000, concurrency: 0 };
const customer = await stack.createCustomer({ creditUsd: '1000', limits });
const stranger = await stack.createCustomer({ creditUsd: '1000', limits });

const worker = stack.system.instance('sync-worker');

const clientOf = (apiKey: string) =>
  new GoogleGenAI({ apiKey, httpOptions: { baseUrl: stack.baseUrl, retryOptions: { attempts: 1 } } });
const { interactions } = clientOf(customer.apiKey);
const others = clientOf(stranger.apiKey).interactions;

/** One of each upstream protocol. */
const MODELS = ['gm-2.5-flash', 'cl-sonnet-4-6', 'gp-5.4-mini', 'gp-5.4-pro', 'qn3.8-omni-flash'];
const MODEL = 'gm-2.5-flash';
const TRANSLATED = 'cl-opus-4-7';
const IMAGES = 'gm-3-pro-image-preview';

const WEATHER = {
  type: 'function',
  name: 'get_weather',
  description: 'The weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
} as const;

const send = (body: object, path = '/v1beta/interactions') =>
  fullResponse(stack.baseUrl, { path, key: customer.apiKey, body });

type Event = Interactions.InteractionSSEEvent;

async function eventsOf(stream: AsyncIterable<Event>): Promise<readonly Event[]> {
  const events: Event[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

const textOf = (events: readonly Event[]): string =>
  events
    .map((event) => (event.event_type === 'step.delta' && event.delta.type === 'text' ? event.delta.text : ''))
    .join('');

/** The prompt of the newest upstream call. */
async function newestPrompt(): Promise<string> {
  const request = (await stack.simulator.requests(0)).at(-1);
  if (request === undefined) throw new Error('the vendor received no request');
  return request.body;
}

/** The interaction once it has this status. */
const until = (id: string, status: string): Promise<Interactions.Interaction> =>
  eventually(
    async () => {
      const found = await interactions.get(id);
      expect(found).toMatchObject({ id, status });
      return found as Interactions.Interaction;
    },
    { withinMs: 90_000, intervalMs: 200 },
  );

describe.each(MODELS)("Google's client, unchanged but for address and key: %s", (model) => {
  it('creates an interaction', async () => {
    const created = await interactions.create({ model, input: 'Hello' });
    expect(created).toMatchObject({ id: expect.stringMatching(/^int_/), status: 'completed', model });
    expect(created.output_text).toContain('You said: Hello');
    expect(created.usage?.total_input_tokens).toBeGreaterThan(0);
  });

  it('streams one, and its end is what is stored', async () => {
    const stream = await interactions.create({ model, input: 'Stream this', stream: true });
    const events = await eventsOf(stream);
    const [first] = events;
    const last = events.at(-1);
    if (first?.event_type !== 'interaction.created' || last?.event_type !== 'interaction.completed') {
      throw new Error(`the stream has ${events.map(({ event_type: type }) => type).join()}`);
    }
    expect(textOf(events)).toContain('You said: Stream this');
    const stored = await interactions.get(first.interaction.id);
    expect(stored).toMatchObject({ status: 'completed', usage: last.interaction.usage });
    expect(stored).toHaveProperty('output_text', textOf(events));
  });

  it('calls a function, and takes its result by the id of the interaction', async () => {
    const asked = await interactions.create({ model, input: 'Use the tool', tools: [WEATHER] });
    expect(asked.status).toBe('requires_action');
    const call = asked.steps?.find((step) => step.type === 'function_call');
    if (call?.type !== 'function_call') throw new Error('no call');
    const answered = await interactions.create({
      model,
      previous_interaction_id: asked.id,
      input: [{ type: 'function_result', call_id: call.id, name: call.name, result: '21 degrees' }],
      tools: [WEATHER],
    });
    expect(answered.status).toBe('completed');
    expect(answered.output_text).toContain('21 degrees');
  });

  it('takes the steps of an answer again before the result, as Google’s Agent Development Kit sends them', async () => {
    const asked = await interactions.create({ model, input: 'Use the tool', tools: [WEATHER] });
    const steps = asked.steps ?? [];
    const call = steps.find((step) => step.type === 'function_call');
    if (call?.type !== 'function_call') throw new Error('no call');
    const result = { type: 'function_result' as const, call_id: call.id, name: call.name, result: '21 degrees' };
    const input = [...steps, result];
    const answered = await interactions.create({ model, previous_interaction_id: asked.id, input, tools: [WEATHER] });
    expect(answered.output_text).toContain('21 degrees');
  });
});

describe('a stored interaction', () => {
  it('is continued by a model of another vendor, with the whole history', async () => {
    const first = await interactions.create({ model: MODEL, input: 'My boat is called Anna' });
    const second = await interactions.create({ model: TRANSLATED, input: 'Second', previous_interaction_id: first.id });
    const third = await interactions.create({ model: MODEL, input: 'Third', previous_interaction_id: second.id });
    expect(third).toMatchObject({ previous_interaction_id: second.id, status: 'completed' });
    const prompt = await newestPrompt();
    for (const text of ['My boat is called Anna', 'Second', 'Third']) expect(prompt).toContain(text);
    const whole = await interactions.get(third.id, { include_input: true });
    expect(whole).toMatchObject({ steps: [{ type: 'user_input' }, { type: 'model_output' }] });
  });

  it('belongs to its account and to its format', async () => {
    const { id } = await interactions.create({ model: MODEL, input: 'Mine' });
    await expect(others.get(id)).rejects.toMatchObject({ status: 404 });
    await expect(others.delete(id)).rejects.toMatchObject({ status: 404 });
    const next = others.create({ model: MODEL, input: 'Theirs', previous_interaction_id: id });
    await expect(next).rejects.toMatchObject({ status: 404 });
    const response = await fullResponse(stack.baseUrl, {
      path: `/v1/responses/${id}`,
      key: customer.apiKey,
      method: 'GET',
    });
    expect(response.status).toBe(404);
  });

  it('is deleted, and then continued no more', async () => {
    const { id } = await interactions.create({ model: MODEL, input: 'Forget me' });
    await interactions.delete(id);
    await expect(interactions.get(id)).rejects.toMatchObject({ status: 404 });
    const next = interactions.create({ model: MODEL, input: 'More', previous_interaction_id: id });
    await expect(next).rejects.toMatchObject({ status: 404 });
  });

  it('has no id with store: false', async () => {
    const created = await interactions.create({ model: MODEL, input: 'Keep nothing', store: false });
    expect(created).not.toHaveProperty('id');
  });

  it('is quoted with its history', async () => {
    const { id } = await interactions.create({ model: MODEL, input: 'A long tale. '.repeat(400) });
    const quote = (more: object) =>
      stack.accounts.quote(customer.apiKey, { endpoint: 'interactions', body: { model: MODEL, input: 'x', ...more } });
    const [alone, continued] = [await quote({}), await quote({ previous_interaction_id: id })];
    expect(nanoOf(continued.hold_usd)).toBeGreaterThan(nanoOf(alone.hold_usd));
  });
});

describe.each([MODEL, TRANSLATED])('an interaction of %s in the background', (model) => {
  it('answers at once, runs, and is read later', async () => {
    const begun = await interactions.create({ model, input: '{{sim delay_ms=2000}} Later', background: true });
    expect(begun).toMatchObject({ status: 'in_progress', steps: [] });
    // The client itself repeats a 409 until it succeeds.
    const early = await send({ model, input: 'Too early', previous_interaction_id: begun.id });
    expect(early.status).toBe(409);
    const ended = await until(begun.id, 'completed');
    expect(ended.output_text).toContain('Later');
    await expect(interactions.cancel(begun.id)).resolves.toMatchObject({ status: 'completed' });
  });

  it('streams, and its stream is read again from any event', async () => {
    const input = '{{sim words=9}}';
    const events = await eventsOf(await interactions.create({ model, input, background: true, stream: true }));
    const [first] = events;
    if (first?.event_type !== 'interaction.created') throw new Error('no first event');
    const { id } = first.interaction;
    const again = await eventsOf(await interactions.get(id, { stream: true }));
    expect(again).toEqual(events);
    const from = events[4]?.event_id;
    if (from === undefined) throw new Error('the events have no ids');
    expect(await eventsOf(await interactions.get(id, { stream: true, last_event_id: from }))).toEqual(events.slice(5));
    await until(id, 'completed');
  });

  it('is cancelled while it waits, for free', async () => {
    await worker.stop();
    const { id } = await interactions.create({ model, input: 'Never', background: true });
    const cancelled = interactions.cancel(id);
    await worker.start();
    await cancelled;
    expect(await until(id, 'cancelled')).toMatchObject({ steps: [] });
  });

  it('fails with its error', async () => {
    const { id } = await interactions.create({ model, input: '{{sim status=400}} Fail', background: true });
    expect(await until(id, 'failed')).toMatchObject({ errors: [{ message: expect.any(String) }] });
  });
});

describe('settings', () => {
  it('reach the vendor', async () => {
    await interactions.create({
      model: MODEL,
      input: [{ type: 'text', text: 'Set' }],
      system_instruction: 'Be brief',
      generation_config: { temperature: 0.5, stop_sequences: ['END'], max_output_tokens: 50, thinking_level: 'low' },
      response_format: { type: 'text', mime_type: 'application/json', schema: { type: 'object' } },
    });
    expect(JSON.parse(await newestPrompt())).toMatchObject({
      systemInstruction: { parts: [{ text: 'Be brief' }] },
      generationConfig: {
        temperature: 0.5,
        stopSequences: ['END'],
        maxOutputTokens: 50,
        responseMimeType: 'application/json',
        responseJsonSchema: { type: 'object' },
      },
    });
  });

  it.each<[string, object, number]>([
    ['generation_config.max_output_tokens', { generation_config: { max_output_tokens: 10_000_000 } }, 400],
    ['tools[0].type', { tools: [{ type: 'google_search' }] }, 400],
    ['response_modalities', { response_modalities: ['audio'] }, 400],
    ['webhook_config', { webhook_config: {} }, 400],
    ['service_tier', { service_tier: 'flex' }, 400],
    ['colour', { colour: 'red' }, 400],
    ['input', { input: [] }, 400],
    ['input[1]', { input: [{ type: 'text', text: 'a' }, { type: 'thought' }] }, 400],
    ['model', { model: 'no-such-model' }, 404],
    ['store', { background: true, store: false }, 400],
    ['previous_interaction_id', { previous_interaction_id: 'v1_theirs' }, 404],
    ['previous_interaction_id', { previous_interaction_id: 'int_unknown' }, 404],
  ])("refuses %s in Google's form", async (field, fields, status) => {
    const refused = await send({ model: MODEL, input: 'x', ...fields });
    const { error } = refused.json<{ error: { code: number; details: readonly object[] } }>();
    expect([refused.status, error.code]).toEqual([status, status]);
    expect(JSON.stringify(error)).toContain(field);
  });

  it('names the cap that a short balance leaves', async () => {
    const poor = await stack.createCustomer({ creditUsd: '1', limits });
    const answer = await fullResponse(stack.baseUrl, {
      path: '/v1beta/interactions',
      key: poor.apiKey,
      body: { model: 'gp-5.4-pro', input: 'x' },
    });
    expect(answer.headers['x-gateway-filled']).toMatch(/^generation_config\.max_output_tokens=\d+$/);
  });
});

it('ends a stream that breaks off with an error of the API', async () => {
  const stream = await interactions.create({ model: TRANSLATED, input: '{{sim words=9 cut_after=3}}', stream: true });
  const events = await eventsOf(stream);
  expect(events.at(-1)).toMatchObject({ event_type: 'error', error: { message: expect.any(String) } });
});

describe('an image model', () => {
  it('makes an image, edits it by its id, and streams', async () => {
    const made = await interactions.create({
      model: IMAGES,
      input: [{ type: 'user_input', content: [{ type: 'text', text: 'A boat' }] }],
      response_format: [{ type: 'image', image_size: '1K' }],
    });
    expect(made.output_image?.data).toBeDefined();
    const edited = await interactions.create({ model: IMAGES, input: 'In red', previous_interaction_id: made.id });
    expect(edited.output_image?.data).toBeDefined();
    const events = await eventsOf(await interactions.create({ model: IMAGES, input: 'A boat', stream: true }));
    expect(events.some((event) => event.event_type === 'step.delta' && event.delta.type === 'image')).toBe(true);
  });

  it('has no interaction that could be read: its vendor stores it', async () => {
    const { id } = await interactions.create({ model: IMAGES, input: 'A boat' });
    expect(id.length).toBeGreaterThan(100);
    const vendorStores = expect.objectContaining({
      status: 404,
      message: expect.stringContaining('The vendor stores'),
    });
    await expect(interactions.get(id)).rejects.toEqual(vendorStores);
    await expect(interactions.delete(id)).rejects.toEqual(vendorStores);
  });
});

describe("Vercel's provider", () => {
  const google = createGoogleGenerativeAI({ baseURL: `${stack.baseUrl}/v1beta`, apiKey: customer.apiKey });

  it('answers, streams and continues', async () => {
    const first = await generateText({ model: google.interactions(MODEL), prompt: 'Hello' });
    expect(first.text).toContain('You said: Hello');
    const id = first.providerMetadata?.google?.interactionId;
    expect(id).toMatch(/^int_/);
    const next = streamText({
      model: google.interactions(TRANSLATED),
      prompt: 'Again',
      providerOptions: { google: { previousInteractionId: String(id) } },
    });
    expect(await next.text).toContain('You said: Again');
    expect((await next.usage).inputTokens).toBeGreaterThan(0);
  });

  it.each([MODEL, TRANSLATED])('calls tools in a loop of %s, of which nothing is stored', async (model) => {
    const inputSchema = jsonSchema<{ city?: string }>({ type: 'object', properties: { city: { type: 'string' } } });
    const { text, steps } = await generateText({
      model: google.interactions(model),
      prompt: 'Use the tool',
      tools: { get_weather: tool({ inputSchema, execute: () => '21 degrees' }) },
      stopWhen: stepCountIs(3),
      providerOptions: { google: { store: false } },
    });
    expect(steps.length).toBe(2);
    expect(text).toContain('21 degrees');
  });
});

it('charges each interaction once, and reads for nothing', async () => {
  await waitUntilSettled(stack, [customer, stranger]);
  await expectConsistentLedger(stack, [customer, stranger]);
});
