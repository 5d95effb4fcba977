import type { ModelEntry } from '@gateway/contracts';
import {
  callJson,
  expectedCost,
  fullResponse,
  nanoOf,
  openResponse,
  readEvents,
  startTestStack,
} from '@gateway/testing';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import OpenAI, { APIError, BadRequestError, RateLimitError } from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';
import { CITY, PIXEL_PNG } from '../support/samples.js';

const stack = await startTestStack();
afterAll(() => stack.stop());
afterEach(() => stack.simulator.clearFaults());

const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 100_000, concurrency: 0 } });

/** The official client: only its address and its key are changed. */
const clientOf = (apiKey: string): OpenAI => new OpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey, maxRetries: 0 });
const client = clientOf(customer.apiKey);

const { data: entries } = await callJson<{ data: ModelEntry[] }>(`${stack.baseUrl}/v1/models`, {
  token: customer.apiKey,
});
const models = entries.filter(({ endpoints }) => endpoints.includes('/v1/responses'));
const entryOf = (id: string): ModelEntry => models.find((model) => model.id === id) as ModelEntry;
const ids = models.map(({ id }) => id);
const MINI = 'gp-5.4-mini';
const FLASH = 'gm-2.5-flash';
const BLIND: readonly string[] = [];

const weather = {
  type: 'function',
  name: 'get_weather',
  description: 'The weather in a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
  strict: true,
} as const;

/** Expects one call and one charge that equals its invoice at the published price. */
async function expectExactCharge(model: string, act: () => Promise<unknown>): Promise<void> {
  await waitUntilSettled(stack, [customer]);
  const since = await stack.simulator.lastSeq();
  const before = new Set((await stack.ledger.settlements(customer.accountId)).map(({ requestId }) => requestId));
  await act();
  await waitUntilSettled(stack, [customer]);
  const calls = await stack.simulator.closedJournal(since);
  const settled = await stack.ledger.settlements(customer.accountId);
  const settlements = settled.filter(({ requestId }) => !before.has(requestId));
  expect([calls.length, settlements.length]).toEqual([1, 1]);
  const billed = calls[0]?.billed;
  if (billed == null) throw new Error('the upstream billed nothing');
  expect(settlements[0]).toMatchObject({ model, outcome: 'completed', isEstimated: false });
  expect(settlements[0]?.costNanoUsd).toBe(expectedCost(entryOf(model), billed));
  expect(settlements[0]?.chargedNanoUsd).toBe(settlements[0]?.costNanoUsd);
}

describe.each(ids)('%s', (model) => {
  it('responds with usage and cost', async () => {
    await expectExactCharge(model, async () => {
      const { data, response } = await client.responses
        .create({ model, input: 'Greetings from the harbour' })
        .withResponse();
      expect(data).toMatchObject({ object: 'response', status: 'completed', model });
      expect(data.output_text).toContain('Greetings from the harbour');
      expect(nanoOf(response.headers.get('x-cost-usd') ?? '')).toBeGreaterThan(0n);
      expect(data.id.slice('resp_'.length)).toBe(response.headers.get('x-request-id')?.slice('req_'.length));
      expect(data).toHaveProperty('store', true);
    });
  });

  it('streams every event in order, and its items keep their ids', async () => {
    await expectExactCharge(model, async () => {
      const stream = client.responses.stream({ model, input: 'Greetings from the harbour' });
      const added: string[] = [];
      let next = 0;
      for await (const event of stream) {
        expect(event.sequence_number).toBe(next);
        next += 1;
        if (event.type === 'response.output_item.added') added.push(String(event.item.id));
      }
      const final = await stream.finalResponse();
      expect(final).toMatchObject({ status: 'completed', model });
      expect(final.output.map(({ id }) => id)).toEqual(added);
      expect(final.output_text).toContain('Greetings from the harbour');
    });
  });

  it('calls a tool and responds with its result, its own items carried back', async () => {
    const question = { role: 'user', content: `What is the weather in ${CITY}? Use the tool.` } as const;
    const first = await client.responses.create({ model, input: [question], tools: [weather], store: false });
    const call = first.output.find((item) => item.type === 'function_call');
    if (call === undefined) throw new Error('no tool was called');
    expect(JSON.parse(call.arguments)).toHaveProperty('city');
    const output = { type: 'function_call_output', call_id: call.call_id, output: 'rain' } as const;
    const second = await client.responses.create({
      model,
      input: [question, ...(first.output as OpenAI.Responses.ResponseInputItem[]), output],
      tools: [weather],
      store: false,
    });
    expect(second.output_text).toContain('rain');
  });

  it('parses structured output', async () => {
    const shape = z.object({ city: z.string(), degrees: z.number() });
    const parsed = await client.responses.parse({
      model,
      input: 'Report the weather.',
      text: { format: zodTextFormat(shape, 'weather') },
    });
    expect(shape.safeParse(parsed.output_parsed).success).toBe(true);
  });

  it('sees an image, or names the part that it does not support', async () => {
    const image_url = PIXEL_PNG;
    const content = [
      { type: 'input_text', text: 'What is this?' },
      { type: 'input_image', image_url, detail: 'auto' },
    ] as const;
    const seen = client.responses.create({ model, input: [{ role: 'user', content: [...content] }] });
    if (BLIND.includes(model)) await expect(seen).rejects.toMatchObject({ param: 'input[0].content[1]' });
    else expect((await seen).output_text).toContain('1 image');
  });
});

describe('a translated request', () => {
  it('leaves out tools that only another vendor runs, and says so', async () => {
    const tools = [{ type: 'web_search' }, { type: 'tool_search' }, { ...weather }] as OpenAI.Responses.Tool[];
    const { response } = await client.responses.create({ model: FLASH, input: 'Hi', tools }).withResponse();
    expect(response.headers.get('x-gateway-dropped')).toBe('tools[0], tools[1]');
  });

  it('gets calls of a custom tool as such, streamed too', async () => {
    const tools = [{ type: 'custom', name: 'apply_patch', description: 'Applies a patch' }] as const;
    const request = { model: FLASH, input: 'Apply it with the tool.', tools: [...tools] };
    const { output } = await client.responses.create({ ...request, tool_choice: 'required' });
    expect(output.map(({ type }) => type)).toEqual(['custom_tool_call']);
    const types: string[] = [];
    for await (const { type } of await client.responses.create({ ...request, tool_choice: 'required', stream: true })) {
      types.push(type);
    }
    expect(types).toContain('response.custom_tool_call_input.delta');
    expect(types.at(-1)).toBe('response.completed');
  });

  it('names the field that it cannot read, and costs nothing', async () => {
    const input = [{ type: 'computer_call', id: 'x' }] as unknown as OpenAI.Responses.ResponseInput;
    await expect(client.responses.create({ model: FLASH, input })).rejects.toMatchObject({
      status: 400,
      param: expect.stringContaining('input'),
    });
  });

  it('is cut by its cap as incomplete', async () => {
    const cut = await client.responses.create({
      model: FLASH,
      input: '{{sim words=500}} Go on',
      max_output_tokens: 20,
      reasoning: { effort: 'none' },
    });
    expect(cut).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } });
  });
});

describe('an error', () => {
  const refused = (body: object) =>
    client.responses.create({ model: MINI, input: 'Hi', ...body } as OpenAI.Responses.ResponseCreateParamsNonStreaming);

  it('names the field and costs nothing', async () => {
    await expect(refused({ previous_response_id: 'resp_1' })).rejects.toMatchObject({
      status: 404,
      code: 'previous_response_not_found',
      param: 'previous_response_id',
    });
    await expect(refused({ tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] })).rejects.toMatchObject(
      {
        status: 400,
        param: 'tools[0].type',
      },
    );
    const long = refused({ input: 'a '.repeat(500_000) });
    await expect(long).rejects.toBeInstanceOf(BadRequestError);
    await expect(long).rejects.toMatchObject({ code: 'context_length_exceeded' });
  });

  it('of the upstream passes with its code', async () => {
    await expect(refused({ input: '{{sim status=400}} no' })).rejects.toMatchObject({ status: 400 });
    await expect(refused({ reasoning: { effort: 'enormous' } })).rejects.toMatchObject({
      status: 400,
      code: 'unsupported_value',
      param: 'reasoning.effort',
    });
  });

  it('of a rate limit says how long to wait', async () => {
    const limited = await stack.createCustomer({ creditUsd: '5', limits: { rpm: 1, concurrency: 0 } });
    const other = clientOf(limited.apiKey);
    await other.responses.create({ model: MINI, input: 'Hi' });
    const error = await other.responses.create({ model: MINI, input: 'Hi' }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ code: 'rate_limit_exceeded', message: expect.stringMatching(/try again in \d+s/) });
  });

  it('of an empty account has the code that clients read', async () => {
    const poor = await stack.createCustomer({ creditUsd: '0.000001' });
    await expect(clientOf(poor.apiKey).responses.create({ model: MINI, input: 'Hi' })).rejects.toMatchObject({
      status: 402,
      code: 'insufficient_quota',
    });
  });

  it.each([MINI, FLASH])('within a stream of %s is a failed response, and never a clean end', async (model) => {
    for (const fault of ['cut_after=2', 'error_after=2']) {
      const body = { model, input: `{{sim ${fault} chunks=6}} Greetings from the harbour`, stream: true };
      const response = await openResponse(stack.baseUrl, { path: '/v1/responses', key: customer.apiKey, body });
      const events: { type: string; sequence_number: number; response?: { id: string } }[] = [];
      for await (const event of readEvents(response.message)) {
        if (event.kind === 'data') events.push(JSON.parse(event.text));
      }
      const [first] = events;
      expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
      expect(events.at(-1)).toMatchObject({
        type: 'response.failed',
        response: { id: first?.response?.id, status: 'failed', model, error: { code: 'server_error' } },
      });
    }
  });

  it('within a stream is thrown by the official client', async () => {
    const stream = await client.responses.create({
      model: MINI,
      input: '{{sim error_after=2 chunks=6}} Greetings from the harbour',
      stream: true,
    });
    const types: string[] = [];
    try {
      for await (const { type } of stream) types.push(type);
    } catch (error) {
      expect(error).toBeInstanceOf(APIError);
      return;
    }
    expect(types.at(-1)).toBe('response.failed');
  });
});

describe('a repeated Idempotency-Key', () => {
  it('gets the stored response for free', async () => {
    const request = {
      path: '/v1/responses',
      key: customer.apiKey,
      headers: { 'idempotency-key': 'responses-1' },
      body: { model: MINI, input: 'Once' },
    };
    const first = await fullResponse(stack.baseUrl, request);
    const second = await fullResponse(stack.baseUrl, request);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.text).toBe(first.text);
  });
});

describe('the ledger', () => {
  it('is consistent after all of it', async () => {
    await expectConsistentLedger(stack, [customer]);
  });
});
