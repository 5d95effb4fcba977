import { openDatabase } from '@gateway/postgres';
import { callJson, fullResponse, nanoOf, startTestStack } from '@gateway/testing';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';
import { CITY } from '../support/samples.js';

const stack = await startTestStack();
afterAll(() => stack.stop());
afterEach(() => stack.simulator.clearFaults());

const limits = { rpm: 100_000, concurrency: 0 };
const customer = await stack.createCustomer({ creditUsd: '1000', limits });
const stranger = await stack.createCustomer({ creditUsd: '1000', limits });

const MODEL = 'gp-5.4-mini';
const clientOf = (apiKey: string, baseUrl = stack.baseUrl): OpenAI =>
  new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey, maxRetries: 0 });
const client = clientOf(customer.apiKey);
const other = clientOf(stranger.apiKey);

type Input = OpenAI.Responses.ResponseInput;

/** The input of the newest upstream call since then. */
async function inputSince(seq: number): Promise<{ readonly input: unknown; readonly body: Record<string, unknown> }> {
  const request = (await stack.simulator.requests(seq)).at(-1);
  if (request === undefined) throw new Error('the vendor received no request');
  const body = JSON.parse(request.body) as Record<string, unknown>;
  return { input: body.input, body };
}

/** Texts of a list of items, in their order. */
function textsOf(items: unknown): readonly string[] {
  return (items as { content?: unknown }[]).flatMap(({ content }) =>
    typeof content === 'string' ? [content] : ((content ?? []) as { text?: string }[]).map(({ text }) => text ?? ''),
  );
}

async function withDatabase(statement: string): Promise<void> {
  const database = openDatabase({
    databaseUrl: stack.system.databaseUrl,
    poolSize: 1,
    applicationName: 'test',
    onError: () => undefined,
  });
  await database.prisma.$executeRawUnsafe(statement);
  await database.close();
}

describe('a stored response', () => {
  it.each([false, true])(
    'is the response that its client got (stream: %s), and costs nothing to read',
    async (stream) => {
      const created = stream
        ? await client.responses.stream({ model: MODEL, input: 'Keep this' }).finalResponse()
        : await client.responses.create({ model: MODEL, input: 'Keep this' });
      const before = (await waitForBalance()).balance_usd;
      const { data, response } = await client.responses.retrieve(created.id).withResponse();
      expect(data.output.map((item) => item.id)).toEqual(created.output.map((item) => item.id));
      expect(textsOf(data.output)).toEqual([created.output_text]);
      expect(data).toMatchObject({
        id: created.id,
        status: 'completed',
        store: true,
        model: MODEL,
        usage: created.usage,
      });
      expect(nanoOf(response.headers.get('x-cost-usd') ?? '')).toBe(0n);
      expect((await waitForBalance()).balance_usd).toBe(before);
    },
  );

  it('is byte for byte the body of its POST', async () => {
    const body = { model: MODEL, input: 'Exactly this: é 😀' };
    const created = await fullResponse(stack.baseUrl, { path: '/v1/responses', key: customer.apiKey, body });
    const { id } = JSON.parse(created.text) as { id: string };
    const read = await fullResponse(stack.baseUrl, {
      path: `/v1/responses/${id}`,
      key: customer.apiKey,
      method: 'GET',
    });
    expect(read.text).toBe(created.text);
  });

  it('is not stored with store: false', async () => {
    const created = await client.responses.create({ model: MODEL, input: 'Forget this', store: false });
    expect(created).toHaveProperty('store', false);
    const { id } = created;
    await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    await expect(client.responses.create({ model: MODEL, input: 'a', previous_response_id: id })).rejects.toMatchObject(
      {
        status: 404,
        code: 'previous_response_not_found',
      },
    );
  });

  it('is deleted by request, and then continued no more', async () => {
    const first = await client.responses.create({ model: MODEL, input: 'First' });
    const second = await client.responses.create({ model: MODEL, input: 'Second', previous_response_id: first.id });
    const deleted = await callJson<object>(`${stack.baseUrl}/v1/responses/${first.id}`, {
      method: 'DELETE',
      token: customer.apiKey,
    });
    expect(deleted).toEqual({ id: first.id, object: 'response', deleted: true });
    await expect(client.responses.delete(first.id)).rejects.toMatchObject({ status: 404 });
    const onward = client.responses.create({ model: MODEL, input: 'Third', previous_response_id: second.id });
    await expect(onward).rejects.toMatchObject({ status: 404, message: expect.stringContaining(first.id) });
  });

  it('cannot be cancelled or streamed again', async () => {
    const { id } = await client.responses.create({ model: MODEL, input: 'Done' });
    await expect(client.responses.cancel(id)).rejects.toMatchObject({ status: 400 });
    await expect(client.responses.retrieve(id, { stream: true })).rejects.toMatchObject({
      status: 400,
      param: 'stream',
    });
    await expect(client.responses.cancel('resp_unknown')).rejects.toMatchObject({ status: 404 });
  });

  it('is gone after 30 days', async () => {
    const { id } = await client.responses.create({ model: MODEL, input: 'Old' });
    await withDatabase(`UPDATE stored_response SET expires_at = now() - interval '1 second' WHERE id = '${id}'`);
    await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
  });
});

const waitForBalance = async () => {
  await waitUntilSettled(stack, [customer]);
  return customer.balance();
};

describe('a chain', () => {
  it('sends the whole history, and nothing of the gateway’s state', async () => {
    const first = await client.responses.create({ model: MODEL, input: 'My name is Ada', instructions: 'Be brief' });
    const since = await stack.simulator.lastSeq();
    const second = await client.responses.create({
      model: MODEL,
      input: [{ role: 'user', content: 'What is my name?' }],
      previous_response_id: first.id,
    });
    expect(second).toMatchObject({ previous_response_id: first.id, store: true });
    const { input, body } = await inputSince(since);
    expect(textsOf(input)).toEqual(['My name is Ada', first.output_text, 'What is my name?']);
    expect(body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] });
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['previous_response_id']));
    expect(body).not.toHaveProperty('instructions');
    expect(second.usage?.input_tokens).toBeGreaterThan(first.usage?.input_tokens ?? 0);
  });

  it('carries tool calls, in streams too', async () => {
    const tools: OpenAI.Responses.Tool[] = [
      {
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
      },
    ];
    const input = `What is the weather in ${CITY}? Use the tool.`;
    const first = await client.responses.stream({ model: MODEL, input, tools }).finalResponse();
    const call = first.output.find((item) => item.type === 'function_call');
    const output: Input = [{ type: 'function_call_output', call_id: call?.call_id ?? '', output: 'rain' }];
    const second = await client.responses
      .stream({ model: MODEL, input: output, tools, previous_response_id: first.id })
      .finalResponse();
    expect(second.output_text).toContain('rain');
  });

  // Strands for TypeScript sends the question and the call again with each result.
  it.each(['gp-5.4-mini', 'cl-sonnet-4-6', 'gm-3.8-flash', 'qn3.8-omni-flash'])(
    'by %s takes a question and a call again that it has already',
    async (model) => {
      const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
      const tool = { type: 'function' as const, name: 'get_weather', parameters, strict: null };
      const question = { role: 'user' as const, content: `What is the weather in ${CITY}? Use the tool get_weather.` };
      const first = await client.responses.create({ model, input: [question], tools: [tool] });
      const call = first.output.find((item) => item.type === 'function_call');
      const { call_id, name, arguments: given } = call ?? { call_id: '', name: '', arguments: '' };
      const repeated: Input = [question, { type: 'function_call', call_id, name, arguments: given }];
      const input: Input = [...repeated, { type: 'function_call_output', call_id, output: 'rain' }];
      const { data: second, response } = await client.responses
        .create({ model, input, tools: [tool], previous_response_id: first.id })
        .withResponse();
      expect(second.output_text).toContain('rain');
      expect(response.headers.get('x-gateway-dropped')).toBe('input[0], input[1]');
      const items = await client.responses.inputItems.list(second.id, { order: 'asc' });
      expect(items.data.filter(({ type }) => type === 'function_call')).toHaveLength(1);
    },
  );

  it('continues at once from another edge, by another key of the account, and after restarts', async () => {
    const edge = await stack.system.add('api-edge');
    const { key } = await customer.newKey();
    const elsewhere = clientOf(key, edge.url);
    const texts: string[] = [];
    let previous: string | undefined;
    for (let turn = 0; turn < 6; turn += 1) {
      if (turn === 3) await Promise.all([edge.restart(), stack.system.instance('sync-worker').restart()]);
      const from = turn % 2 === 0 ? client : elsewhere;
      texts.push(`turn ${turn}`);
      const created = await from.responses
        .stream({
          model: MODEL,
          input: `turn ${turn}`,
          ...(previous !== undefined && { previous_response_id: previous }),
        })
        .finalResponse();
      previous = created.id;
    }
    const items = await client.responses.inputItems.list(previous ?? '', { order: 'asc', limit: 100 });
    expect(textsOf(items.data).filter((text) => texts.includes(text))).toEqual(texts);
  });

  it('may fork, concurrently', async () => {
    const root = await client.responses.create({ model: MODEL, input: 'root' });
    const forks = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        client.responses.create({ model: MODEL, input: `fork ${index}`, previous_response_id: root.id }),
      ),
    );
    for (const [index, fork] of forks.entries()) {
      const { data } = await client.responses.inputItems.list(fork.id, { order: 'asc' });
      expect(textsOf(data)).toEqual(['root', root.output_text, `fork ${index}`]);
    }
  });

  it('resolves references to items', async () => {
    const first = await client.responses.create({ model: MODEL, input: 'Refer to me' });
    const { data: inputs } = await client.responses.inputItems.list(first.id);
    const since = await stack.simulator.lastSeq();
    const references = [...inputs, ...first.output].map(
      ({ id }) => ({ type: 'item_reference', id: String(id) }) as const,
    );
    await client.responses.create({ model: MODEL, input: [...references, { role: 'user', content: 'Go on' }] });
    expect(textsOf((await inputSince(since)).input)).toEqual(['Refer to me', first.output_text, 'Go on']);
    const foreign = other.responses.create({ model: MODEL, input: references });
    await expect(foreign).rejects.toMatchObject({ status: 404, param: 'input' });
  });

  it('is repeated for its idempotency key, not run again', async () => {
    const first = await client.responses.create({ model: MODEL, input: 'Once' });
    const since = await stack.simulator.lastSeq();
    const send = () =>
      fullResponse(stack.baseUrl, {
        path: '/v1/responses',
        key: customer.apiKey,
        headers: { 'idempotency-key': 'chain-1' },
        body: { model: MODEL, input: 'Twice', previous_response_id: first.id },
      });
    const [one, two] = [await send(), await send()];
    expect([one.status, two.text]).toEqual([200, one.text]);
    expect(await stack.simulator.closedJournal(since)).toHaveLength(1);
    expect((await client.responses.retrieve((JSON.parse(one.text) as { id: string }).id)).status).toBe('completed');
  });

  it('is quoted with its history', async () => {
    const first = await client.responses.create({ model: MODEL, input: `Long: ${'word '.repeat(2_000)}` });
    const { input_tokens: alone } = await countTokens({ model: MODEL, input: 'And now?' });
    const { input_tokens: all } = await countTokens({
      model: MODEL,
      input: 'And now?',
      previous_response_id: first.id,
    });
    expect(all).toBeGreaterThan(alone + 1_000);
  });

  it('is held and quoted with its history, of a response, a conversation or an item', async () => {
    const long = { type: 'message', id: 'msg_long', role: 'user', content: `Long: ${'word '.repeat(2_000)}` } as const;
    const { id: conversation } = await client.conversations.create({ items: [long] });
    const first = await client.responses.create({ model: MODEL, input: [long], max_output_tokens: 100 });
    const ask = { model: MODEL, max_output_tokens: 100 };
    const quote = async (more: object, token = customer.apiKey): Promise<Record<string, unknown>> => ({
      ...(await stack.accounts.quote(token, { endpoint: 'responses', body: { ...ask, ...more } })),
    });
    const alone = await quote({ input: 'And now?' });
    for (const more of [
      { input: 'And now?', previous_response_id: first.id },
      { input: 'And now?', conversation },
      { input: [{ type: 'item_reference', id: 'msg_long' }] },
    ]) {
      const quoted = await quote(more);
      expect(nanoOf(String(quoted.estimate_usd))).toBeGreaterThan(nanoOf(String(alone.estimate_usd)));
      expect(nanoOf(String(quoted.hold_usd))).toBeGreaterThan(nanoOf(String(alone.hold_usd)));
      const strange = await quote(more, stranger.apiKey);
      expect(strange).toMatchObject({ valid: false, errors: [{ status: expect.any(Number) }] });
      expect(JSON.stringify(strange)).toContain('not found');
    }
    const both = await quote({ input: 'x', previous_response_id: first.id, conversation });
    expect(both).toMatchObject({ valid: false, errors: [{ status: 400, param: 'previous_response_id' }] });
  });
});

const countTokens = (body: object) =>
  callJson<{ input_tokens: number; object: string }>(`${stack.baseUrl}/v1/responses/input_tokens`, {
    method: 'POST',
    token: customer.apiKey,
    body,
  });

describe('a conversation', () => {
  it('grows with each response, and is part of the next prompt', async () => {
    const conversation = await client.conversations.create({
      metadata: { topic: 'names' },
      items: [{ type: 'message', role: 'user', content: 'My name is Ada' }],
    });
    expect(conversation).toMatchObject({ object: 'conversation', metadata: { topic: 'names' } });
    const first = await client.responses.create({ model: MODEL, input: 'Greet me', conversation: conversation.id });
    expect(first).toMatchObject({ conversation: { id: conversation.id } });
    const since = await stack.simulator.lastSeq();
    const second = await client.responses
      .stream({ model: MODEL, input: 'Again', conversation: { id: conversation.id } })
      .finalResponse();
    const expected = ['My name is Ada', 'Greet me', first.output_text, 'Again'];
    expect(textsOf((await inputSince(since)).input)).toEqual(expected);
    const items: unknown[] = [];
    for await (const item of client.conversations.items.list(conversation.id, { order: 'asc', limit: 2 }))
      items.push(item);
    expect(textsOf(items)).toEqual([...expected, second.output_text]);
    const { data: inputs } = await client.responses.inputItems.list(first.id, { order: 'asc' });
    expect(textsOf(inputs)).toEqual(['My name is Ada', 'Greet me']);
  });

  it('is changed item by item', async () => {
    const { id } = await client.conversations.create();
    const { data } = await client.conversations.items.create(id, {
      items: ['one', 'two'].map((content) => ({ type: 'message', role: 'user', content })),
    });
    const [one, two] = data.map((item) => String(item.id));
    expect(await client.conversations.items.retrieve(String(one), { conversation_id: id })).toMatchObject({
      id: one,
      content: [{ type: 'input_text', text: 'one' }],
    });
    expect(await client.conversations.items.delete(String(one), { conversation_id: id })).toMatchObject({ id });
    expect((await client.conversations.items.list(id)).data.map((item) => item.id)).toEqual([two]);
    expect(await client.conversations.update(id, { metadata: { a: 'b' } })).toMatchObject({ metadata: { a: 'b' } });
    expect(await client.conversations.delete(id)).toEqual({ id, object: 'conversation.deleted', deleted: true });
    await expect(client.conversations.retrieve(id)).rejects.toMatchObject({ status: 404 });
    const onward = client.responses.create({ model: MODEL, input: 'Hi', conversation: id });
    await expect(onward).rejects.toMatchObject({ status: 404, param: 'conversation' });
  });

  it.each([
    ['metadata', { metadata: { a: 1 } }],
    ['metadata', { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, 'v'])) }],
    ['items', { items: Array.from({ length: 21 }, () => ({ role: 'user', content: 'x' })) }],
    ['items[0].type', { items: [{ content: 'x' }] }],
  ])('is refused for its %s', async (param, body) => {
    const response = await fullResponse(stack.baseUrl, { path: '/v1/conversations', key: customer.apiKey, body });
    expect(response.status).toBe(400);
    expect(JSON.parse(response.text)).toMatchObject({ error: { param: expect.stringContaining(param) } });
  });
});

describe('another account', () => {
  it('finds nothing, by no way', async () => {
    const { id } = await client.responses.create({ model: MODEL, input: 'Secret' });
    const secret = { type: 'message', id: 'msg_secret', role: 'user', content: 'Secret' } as const;
    const { id: conversation } = await client.conversations.create({ items: [secret] });
    const attempts: readonly (() => Promise<unknown>)[] = [
      () => other.responses.retrieve(id),
      () => other.responses.delete(id),
      () => other.responses.cancel(id),
      () => other.responses.inputItems.list(id),
      () => other.responses.create({ model: MODEL, input: 'Reveal it', previous_response_id: id }),
      () => other.responses.create({ model: MODEL, input: 'Reveal it', conversation }),
      () => other.responses.create({ model: MODEL, input: [{ type: 'item_reference', id: 'msg_secret' }] }),
      () => other.conversations.retrieve(conversation),
      () => other.conversations.update(conversation, { metadata: {} }),
      () => other.conversations.delete(conversation),
      () => other.conversations.items.list(conversation),
      () => other.conversations.items.create(conversation, { items: [{ role: 'user', content: 'x' }] }),
      () => other.conversations.items.retrieve('msg_secret', { conversation_id: conversation }),
      () => other.conversations.items.delete('msg_secret', { conversation_id: conversation }),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ status: 404 });
    expect((await client.responses.retrieve(id)).id).toBe(id);
    expect((await client.conversations.items.list(conversation)).data).toHaveLength(1);
    await waitUntilSettled(stack, [stranger]);
    expect((await stranger.balance()).balance_usd).toBe('1000.00');
  });

  it('is what a key without the endpoint or the model is, too', async () => {
    const { id } = await client.responses.create({ model: MODEL, input: 'Mine' });
    const { key: chatOnly } = await customer.newKey({ endpoints: ['chat.completions'] });
    const { key: otherModel } = await customer.newKey({ models: ['gp-5-pro'] });
    const { key: testKey } = await customer.newKey({ test: true });
    await expect(clientOf(chatOnly).responses.retrieve(id)).rejects.toMatchObject({ status: 403 });
    await expect(clientOf(otherModel).responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    await expect(clientOf(testKey).responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
  });
});

describe('the ledger', () => {
  it('is consistent after all of it', async () => {
    await expectConsistentLedger(stack, [customer, stranger]);
  });
});
