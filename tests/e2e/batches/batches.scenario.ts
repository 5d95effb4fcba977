import { callJson, eventually, fullResponse, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { DEFAULT_MODEL } from '../text/chat-fields.js';
import { Batches, type BatchOptions, lineOf, type ResultLine } from './batches.js';

const stack = await startTestStack();
await stack.system.add('batch-worker');
afterAll(() => stack.stop());

const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });
const other = new Batches(stack, await stack.createCustomer({ creditUsd: '10' }));
const batches = new Batches(stack, customer);

const chat = (content: string, more: object = {}) => ({
  model: DEFAULT_MODEL,
  max_tokens: 20,
  messages: [{ role: 'user', content }],
  ...more,
});
/** Fits some of the lines of the test, and not all. */
const BUDGET = '0.0005';

interface OwnKey {
  readonly id: string;
  readonly apiKey: string;
  readonly parentId: string;
}

async function childKey(): Promise<OwnKey> {
  const parent = await customer.newKey({ scopes: ['keys:children'], spend_cap_usd: '5' });
  const child = await callJson<{ id: string; key: string }>(
    `${stack.system.accountUrl}/account/keys/${parent.id}/children`,
    { method: 'POST', token: parent.key, body: { name: 'of a batch', budget_usd: '2' } },
  );
  return { id: child.id, apiKey: child.key, parentId: parent.id };
}

/** What JSON escapes, or a reader of lines could take for an end. */
const ODD_TEXT = 'The same: "quoted", \\ \n \u2028 \u{1f30a} </script>';
const VERSION = { 'anthropic-version': '2023-06-01' };
const HELLO = [{ role: 'user', content: 'Hello' }];

/** A request for each endpoint whose response is text. */
const SAME = {
  '/v1/chat/completions': chat(ODD_TEXT),
  '/v1/messages': { model: 'cl-opus-4-7', max_tokens: 20, messages: [{ role: 'user', content: ODD_TEXT }] },
  '/v1/responses': { model: 'gp-5.4-mini', input: ODD_TEXT },
  '/v1/embeddings': { model: 'text-embedding-v4', input: [ODD_TEXT, 'two'], dimensions: 64 },
};

/** The bytes of a response, but for its ids and times. */
const unnamed = (json: string): string =>
  json.replace(/"id":"[^"]*"/g, '"id":""').replace(/"(created|created_at|completed_at)":\d+/g, '"$1":0');

/** The exact text of a response, but for its ids and time. */
const withoutIdentity = (body: unknown): string =>
  JSON.stringify(body, (name, value: unknown) => (name === 'id' || name === 'created' ? undefined : value));

const message = (content: string) => ({
  model: 'cl-opus-4-7',
  max_tokens: 20,
  messages: [{ role: 'user' as const, content }],
});

const byId = (lines: readonly ResultLine[]) => new Map(lines.map((line) => [line.custom_id, line]));

describe('a batch of the official OpenAI client', () => {
  it('returns each line by its id, with a receipt of its own; a wrong line fails alone', async () => {
    const created = await batches.create([
      lineOf('one', chat('Hello')),
      lineOf('two', chat('Hello again')),
      '',
      'no json',
      lineOf('wrong model', { ...chat('x'), model: 'no-such-model' }),
      lineOf('other url', chat('x'), '/v1/embeddings'),
      lineOf('stream', chat('x', { stream: true })),
    ]);
    expect(created).toMatchObject({ object: 'batch', status: 'validating', completion_window: '24h', errors: null });
    const ended = await batches.until(created, 'completed');
    expect(ended.request_counts).toEqual({ total: 6, completed: 2, failed: 4 });
    const output = byId(await batches.results(ended.output_file_id));
    expect([...output.keys()].sort()).toEqual(['one', 'two']);
    for (const { response, error } of output.values()) {
      expect({ response, error }).toMatchObject({
        response: { status_code: 200, body: { object: 'chat.completion' } },
        error: null,
      });
      const id = response?.request_id ?? '';
      expect(await eventually(() => customer.receipt(id))).toMatchObject({ outcome: 'completed' });
    }
    const errors = await batches.results(ended.error_file_id);
    expect(
      errors.map(({ custom_id: id, error, response }) => [id, error?.code ?? response?.status_code, error?.line]),
    ).toEqual(
      expect.arrayContaining([
        [null, 'invalid_json_line', 4],
        ['wrong model', 400, undefined],
        ['other url', 'mismatched_url', 6],
        ['stream', 'invalid_request', 7],
      ]),
    );
    expect(await stack.ledger.settlementCount(customer.accountId)).toBe(2);
    const listed = await batches.openai.batches.list({ limit: 1 });
    expect(listed.data.map(({ id }) => id)).toEqual([created.id]);
  });

  it.each(Object.entries(SAME))('returns the bytes of a direct call to %s', async (path, body) => {
    const endpoint = path as NonNullable<BatchOptions['endpoint']>;
    const ended = await batches.until(await batches.create([lineOf('same', body, path)], { endpoint }), 'completed');
    const line = await batches.bytes(ended.output_file_id);
    const [, inBatch] =
      /^\{"id":"batch_req_\w+","custom_id":"same",.*?"body":(.*)\},"error":null\}\n$/s.exec(line) ?? [];
    const direct = await fullResponse(stack.baseUrl, { path, key: customer.apiKey, body, headers: VERSION });
    expect(direct.status).toBe(200);
    expect(unnamed(inBatch ?? '')).toBe(unnamed(direct.text));
  });

  it('is quoted before it runs: the most covers what it costs, and wrong lines are named', async () => {
    const lines = [
      lineOf('a', chat('Hello')),
      lineOf('b', { ...chat('Hello'), model: 'cl-opus-4-7' }),
      lineOf('wrong', { ...chat('x'), model: 'no-such-model' }),
      'no json',
    ];
    const fileId = await batches.upload(lines);
    const quote = await batches.quote(fileId);
    expect(quote).toMatchObject({
      status: 200,
      body: {
        valid: true,
        request_counts: { total: 4, valid: 2, wrong: 2 },
        models: [
          { model: DEFAULT_MODEL, lines: 1 },
          { model: 'cl-opus-4-7', lines: 1 },
        ],
        errors: {
          data: [
            { param: 'model', line: 3 },
            { code: 'invalid_json_line', line: 4 },
          ],
        },
      },
    });
    const created = await batches.createFrom(fileId);
    const { cost } = (await batches.until(created, 'completed')) as unknown as { cost: { charged_usd: string } };
    const { likely_usd: likely, most_usd: most } = quote.body;
    expect(Number(cost.charged_usd)).toBeGreaterThan(0);
    expect(Number(cost.charged_usd)).toBeLessThanOrEqual(Number(most));
    expect(Number(likely)).toBeLessThanOrEqual(Number(most));
    expect((await other.quote(fileId)).status).toBe(404);
    const twice = await batches.quote(await batches.upload([lineOf('a', chat('x')), lineOf('a', chat('x'))]));
    expect(twice.body).toMatchObject({ valid: false, errors: { data: [{ code: 'duplicate_custom_id', line: 2 }] } });
  });

  it('is quoted once at a time: its account, and the seventeenth, come again soon, for free', async () => {
    const lines = Array.from({ length: 4_000 }, (_, line) => lineOf(`q${line}`, chat('Hello')));
    const customers = await Promise.all(Array.from({ length: 17 }, () => stack.createCustomer({ creditUsd: '1' })));
    const owners = await Promise.all(
      customers.map(async (one) => {
        const owner = new Batches(stack, one);
        return { owner, fileId: await owner.upload(lines) };
      }),
    );
    const refusals = async (asked: typeof owners) => {
      const answers = await Promise.allSettled(asked.map(({ owner, fileId }) => owner.requireQuote(fileId)));
      return answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []));
    };
    const [first] = owners as [(typeof owners)[number]];
    for (const [asked, whose] of [
      [[first, first], 'Another batch of your account is being quoted.'],
      [owners, 'Too many batches are being quoted.'],
    ] as const) {
      // The first quotes may have ended before the last one arrives.
      const [refusal] = await eventually(async () => {
        const refused = await refusals([...asked]);
        expect(refused).not.toEqual([]);
        return refused;
      });
      expect(refusal).toBeInstanceOf(OpenAI.RateLimitError);
      const { headers, error } = refusal as InstanceType<typeof OpenAI.RateLimitError>;
      expect(error).toEqual({
        message: expect.stringContaining(whose),
        type: 'rate_limit_error',
        param: null,
        code: 'rate_limit_exceeded',
      });
      expect([headers.get('retry-after'), headers.get('x-cost-usd')]).toEqual(['2', '0.00']);
    }
    await eventually(() => first.owner.requireQuote(first.fileId));
    for (const one of customers) {
      expect(await one.balance()).toMatchObject({ balance_usd: '1.00', held_usd: '0.00' });
      expect(await stack.ledger.settlementCount(one.accountId)).toBe(0);
    }
  });

  it('is one batch for one idempotency key, in each format', async () => {
    const file = await batches.upload([lineOf('once', chat('Once'))]);
    const terms = { endpoint: '/v1/chat/completions', completion_window: '24h' };
    const requests = [{ custom_id: 'once', params: { model: 'cl-sonnet-4-6', max_tokens: 20, messages: HELLO } }];
    for (const [path, body, otherBody] of [
      ['/v1/batches', { ...terms, input_file_id: file }, { ...terms, input_file_id: file, max_cost_usd: '1' }],
      ['/v1/messages/batches', { requests }, { requests, max_cost_usd: '1' }],
    ] as const) {
      const send = (sent: object) =>
        fullResponse(stack.baseUrl, { path, key: customer.apiKey, body: sent, headers: { 'idempotency-key': 'once' } });
      const all = await Promise.all([send(body), send(body), send(body)]);
      expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(new Set(all.map((response) => response.json<{ id: string }>().id)).size).toBe(1);
      expect(all.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(2);
      expect((await send(otherBody)).status).toBe(409);
    }
  });

  it('refuses an input that is no batch as a whole, and names the lines', async () => {
    const twice = await batches.create([lineOf('a', chat('x')), lineOf('b', chat('x')), lineOf('a', chat('x'))]);
    const { errors } = await batches.until(twice, 'failed');
    expect(errors?.data).toMatchObject([{ code: 'duplicate_custom_id', line: 3, param: 'custom_id' }]);
    const empty = await batches.create(['\n']);
    expect((await batches.until(empty, 'failed')).errors?.data?.[0]).toMatchObject({ code: 'empty_file' });
  });

  it('serves embeddings and images as it does alone', async () => {
    const prompt = { prompt: 'A kite', n: 1 };
    const imageBatch = await batches.create(
      [
        lineOf('address', { model: 'seedream-4.5', ...prompt, response_format: 'url' }, '/v1/images/generations'),
        lineOf('bytes', { model: 'gp-image-1', ...prompt, quality: 'low' }, '/v1/images/generations'),
      ],
      { endpoint: '/v1/images/generations' },
    );
    const images = byId(await batches.results((await batches.until(imageBatch, 'completed')).output_file_id));
    expect(images.get('address')?.response?.body).toMatchObject({ data: [{ url: expect.stringMatching(/^http/) }] });
    expect(images.get('bytes')?.response?.body).toMatchObject({ data: [{ b64_json: expect.any(String) }] });
    const vectors = await batches.create([lineOf('v', { model: 'text-embedding-v4', input: 'x' }, '/v1/embeddings')], {
      endpoint: '/v1/embeddings',
    });
    const [vector] = await batches.results((await batches.until(vectors, 'completed')).output_file_id);
    expect(vector?.response?.body).toMatchObject({ object: 'list', data: [{ object: 'embedding' }] });
  });

  it('stops at its budget: what does not fit is not begun', async () => {
    const body = { model: 'text-embedding-v4', input: 'word '.repeat(1_000) };
    const lines = Array.from({ length: 30 }, (_, index) => lineOf(`n${index}`, body, '/v1/embeddings'));
    const created = await batches.create(lines, { endpoint: '/v1/embeddings', maxCostUsd: BUDGET });
    const ended = await batches.until(created, 'completed');
    const { cost } = ended as unknown as { readonly cost: { readonly charged_usd: string } };
    expect(Number(cost.charged_usd)).toBeLessThanOrEqual(Number(BUDGET));
    expect(ended.request_counts?.completed).toBeGreaterThan(0);
    const errors = await batches.results(ended.error_file_id);
    expect(errors.length + (ended.request_counts?.completed ?? 0)).toBe(30);
    expect(new Set(errors.map(({ error }) => error?.code))).toEqual(new Set(['batch_budget_exceeded']));
  });

  it('completes what runs when it is cancelled, and begins nothing more', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => lineOf(`c${index}`, chat('{{sim delay_ms=1500}} x')));
    const created = await batches.create(lines);
    await batches.until(created, 'in_progress');
    await eventually(async () => expect(await stack.simulator.lastSeq()).toBeGreaterThan(0));
    expect(await batches.openai.batches.cancel(created.id)).toMatchObject({ status: 'cancelling' });
    const ended = await batches.until(created, 'cancelled', 30_000);
    const output = await batches.results(ended.output_file_id);
    const errors = await batches.results(ended.error_file_id);
    expect(output.length + errors.length).toBe(200);
    expect(errors.length).toBeGreaterThan(0);
    expect(new Set(errors.map(({ error }) => error?.code))).toEqual(new Set(['batch_cancelled']));
  });

  it('expires at the end of its window: its results are whole, and nothing is held any more', async () => {
    const lines = Array.from({ length: 100 }, (_, index) => lineOf(`e${index}`, chat('{{sim delay_ms=1500}} x')));
    const since = await stack.simulator.lastSeq();
    const created = await batches.create(lines, { maxCostUsd: '5' });
    await eventually(async () => expect(await stack.simulator.lastSeq()).toBeGreaterThan(since));
    await stack.ledger.expireBatch(created.id);
    const ended = await batches.until(created, 'expired', 30_000);
    const output = await batches.results(ended.output_file_id);
    const errors = await batches.results(ended.error_file_id);
    expect(output.length).toBeGreaterThan(0);
    expect(output.length + errors.length).toBe(100);
    expect(new Set(errors.map(({ error }) => error?.code))).toEqual(new Set(['batch_expired']));
    await eventually(async () => expect(Number((await customer.balance()).held_usd)).toBe(0));
  });

  const endings = [
    ['its key is revoked', async (key: OwnKey) => customer.revokeKey(key.id)],
    ['the parent of its key is revoked', async (key: OwnKey) => customer.revokeKey(key.parentId)],
  ] as const;

  it.each(endings)('ends when %s', async (_what, revoke) => {
    const key = await childKey();
    const own = new Batches(stack, customer, key.apiKey);
    const lines = Array.from({ length: 100 }, (_, index) => lineOf(`k${index}`, chat('{{sim delay_ms=1000}} x')));
    const created = await own.create(lines);
    await own.until(created, 'in_progress');
    await revoke(key);
    const ended = await batches.until(created, 'failed', 30_000);
    expect(ended.errors?.data).toMatchObject([{ code: 'invalid_api_key' }]);
    const errors = await batches.results(ended.error_file_id);
    expect(errors.length + (await batches.results(ended.output_file_id)).length).toBe(100);
  });

  it('fails when its account is suspended, with the results that it has', async () => {
    const owner = await stack.createCustomer({ creditUsd: '10' });
    const own = new Batches(stack, owner);
    const lines = Array.from({ length: 50 }, (_, index) => lineOf(`s${index}`, chat('{{sim delay_ms=1000}} x')));
    const created = await own.create(lines);
    await own.until(created, 'in_progress');
    await stack.accounts.changeAccount(owner.accountId, { suspended: true });
    await eventually(async () => expect(await stack.ledger.batchStatus(created.id)).toBe('failed'), {
      withinMs: 60_000,
    });
    await stack.accounts.changeAccount(owner.accountId, { suspended: false });
    const ended = await own.until(created, 'failed');
    expect(ended.errors?.data).toMatchObject([{ code: 'invalid_api_key' }]);
  });

  it('waits while the edge does not know its credential, as in a rotation of BATCH_SECRET', async () => {
    const [worker, edge] = [stack.system.instance('batch-worker'), stack.system.instance('api-edge')];
    for (const instance of [worker, edge]) instance.useVariables({ BATCH_SECRET: 'n'.repeat(32) });
    await worker.restart();
    const created = await batches.create([lineOf('early', chat('Hello'))]);
    await eventually(async () => {
      const { text } = await fullResponse(edge.url, { method: 'GET', path: '/metrics' });
      expect(text).toMatch(/^gateway_errors_total\{code="invalid_api_key".* [1-9]/m);
    });
    await edge.restart();
    const ended = await batches.until(created, 'completed');
    expect(ended.request_counts).toMatchObject({ completed: 1, failed: 0 });
  });
});

describe('a batch of the official Anthropic client', () => {
  it('streams its results when it has ended', async () => {
    const created = await batches.anthropic.messages.batches.create({
      requests: [
        {
          custom_id: 'm1',
          params: { model: 'cl-opus-4-7', max_tokens: 20, messages: [{ role: 'user', content: 'Hi' }] },
        },
        { custom_id: 'm2', params: { model: 'none', max_tokens: 20, messages: [{ role: 'user', content: 'Hi' }] } },
      ],
    });
    expect(created).toMatchObject({ type: 'message_batch', processing_status: 'in_progress', results_url: null });
    const ended = await batches.untilEnded(created.id);
    expect(ended.request_counts).toMatchObject({ processing: 0, succeeded: 1, errored: 1 });
    expect(ended.results_url).toBe(`${stack.baseUrl}/v1/messages/batches/${created.id}/results`);
    const results = new Map<string, unknown>();
    for await (const { custom_id: id, result } of await batches.anthropic.messages.batches.results(created.id)) {
      results.set(id, result);
    }
    expect(results.get('m1')).toMatchObject({ type: 'succeeded', message: { type: 'message', role: 'assistant' } });
    expect(results.get('m2')).toMatchObject({ type: 'errored', error: { type: 'error' } });
    const newest = await batches.anthropic.messages.batches.list({ limit: 1 });
    expect(newest.data.map(({ id }) => id)).toEqual([created.id]);
    expect(await batches.anthropic.messages.batches.delete(created.id)).toMatchObject({
      type: 'message_batch_deleted',
    });
    expect(await batches.status('GET', `/v1/messages/batches/${created.id}`)).toBe(404);
  });

  it('returns what a direct call returns', async () => {
    const direct = await batches.anthropic.messages.create(message('The same'));
    const { id } = await batches.anthropic.messages.batches.create({
      requests: [{ custom_id: 'same', params: message('The same') }],
    });
    await batches.untilEnded(id);
    const results: string[] = [];
    for await (const { result } of await batches.anthropic.messages.batches.results(id)) {
      results.push(withoutIdentity(result));
    }
    expect(results).toEqual([withoutIdentity({ type: 'succeeded', message: direct })]);
  });

  it('is cancelled: each request has one result, and what had not begun says so', async () => {
    const since = await stack.simulator.lastSeq();
    const params = message('{{sim delay_ms=1500}} x');
    const requests = Array.from({ length: 200 }, (_, index) => ({ custom_id: `c${index}`, params }));
    const { id } = await batches.anthropic.messages.batches.create({ requests });
    await eventually(async () => expect(await stack.simulator.lastSeq()).toBeGreaterThan(since));
    expect(await batches.anthropic.messages.batches.cancel(id)).toMatchObject({ processing_status: 'canceling' });
    const { request_counts: counts } = await batches.untilEnded(id);
    expect(counts).toMatchObject({ processing: 0, errored: 0, expired: 0 });
    expect(counts.canceled).toBeGreaterThan(0);
    expect(counts.succeeded + counts.canceled).toBe(200);
    const types = new Map<string, string>();
    for await (const { custom_id: line, result } of await batches.anthropic.messages.batches.results(id)) {
      expect(types.has(line)).toBe(false);
      types.set(line, result.type);
    }
    const ofType = (type: string) => [...types.values()].filter((one) => one === type).length;
    expect([ofType('succeeded'), ofType('canceled')]).toEqual([counts.succeeded, counts.canceled]);
  });

  it('lists page by page, the newest first', async () => {
    const owner = new Batches(stack, await stack.createCustomer({ creditUsd: '10' }));
    const created: string[] = [];
    for (const customId of ['first', 'second', 'third']) {
      const requests = [{ custom_id: customId, params: message('x') }];
      created.unshift((await owner.anthropic.messages.batches.create({ requests })).id);
    }
    const listed: string[] = [];
    for await (const { id } of owner.anthropic.messages.batches.list({ limit: 2 })) listed.push(id);
    expect(listed).toEqual(created);
    for (const id of created) await owner.untilEnded(id);
  });

  it('names the field of a wrong request, and costs nothing', async () => {
    const requests = [{ custom_id: 'a', params: { model: 'x', max_tokens: 1, messages: [] } }];
    const create = (body: object) => batches.anthropic.messages.batches.create(body as never);
    await expect(create({ requests: [...requests, ...requests] })).rejects.toThrow('requests[1].custom_id');
    await expect(create({ requests: [{ custom_id: 'a b', params: {} }] })).rejects.toThrow('requests[0].custom_id');
    await expect(create({ requests: [] })).rejects.toThrow('requests');
  });
});

describe('batches of another account', () => {
  it('do not exist', async () => {
    const created = await batches.create([lineOf('a', chat('x'))]);
    const messages = await batches.anthropic.messages.batches.create({
      requests: [
        { custom_id: 'a', params: { model: 'cl-opus-4-7', max_tokens: 5, messages: [{ role: 'user', content: 'x' }] } },
      ],
    });
    const paths = [
      ['GET', `/v1/batches/${created.id}`],
      ['POST', `/v1/batches/${created.id}/cancel`],
      ['GET', `/v1/messages/batches/${messages.id}`],
      ['GET', `/v1/messages/batches/${messages.id}/results`],
      ['POST', `/v1/messages/batches/${messages.id}/cancel`],
      ['DELETE', `/v1/messages/batches/${messages.id}`],
      ['GET', `/v1/batches/${messages.id}`],
      ['GET', `/v1/messages/batches/${created.id}`],
    ] as const;
    for (const [method, path] of paths) expect([path, await other.status(method, path)]).toEqual([path, 404]);
    expect((await other.openai.batches.list()).data).toEqual([]);
    expect((await other.quote(created.input_file_id)).body).toMatchObject({ error: { param: 'input_file_id' } });
    await expect(
      other.openai.batches.create({
        input_file_id: created.input_file_id,
        endpoint: '/v1/chat/completions',
        completion_window: '24h',
      }),
    ).rejects.toMatchObject({ status: 404, param: 'input_file_id' });
    await batches.until(created, 'completed');
    await batches.untilEnded(messages.id);
  });
});

it('leaves consistent money', () => expectConsistentLedger(stack, [customer]));
