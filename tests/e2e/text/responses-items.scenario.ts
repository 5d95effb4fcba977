import { randomUUID } from 'node:crypto';
import type { ModelEntry } from '@gateway/contracts';
import { callJson, expectedCost, fullResponse, type JournalEntry, nanoOf, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';

const stack = await startTestStack();
afterAll(() => stack.stop());

const limits = { rpm: 100_000, concurrency: 0 };
const customer = await stack.createCustomer({ creditUsd: '1000', limits });
const poor = await stack.createCustomer({ creditUsd: '0.1', limits });
const clientOf = (apiKey: string): OpenAI => new OpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey, maxRetries: 0 });
const client = clientOf(customer.apiKey);

const { data: entries } = await callJson<{ data: ModelEntry[] }>(`${stack.baseUrl}/v1/models`, {
  token: customer.apiKey,
});
const models = entries.filter(({ endpoints }) => endpoints.includes('/v1/responses')).map(({ id }) => id);
const MINI = 'gp-5.4-mini';
const FLASH = 'gm-2.5-flash';

type Body = Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'model' | 'stream'> & { readonly model?: string };
type Input = OpenAI.Responses.ResponseInputItem;

const search = { type: 'web_search' } as const;
const patch = { type: 'custom', name: 'apply_patch', description: 'Applies a patch' } as const;

const answer = (isStream: boolean, body: Body) =>
  isStream
    ? client.responses.stream({ model: MINI, ...body }).finalResponse()
    : client.responses.create({ model: MINI, ...body });

async function eventsOf(body: Body): Promise<OpenAI.Responses.ResponseStreamEvent[]> {
  const events: OpenAI.Responses.ResponseStreamEvent[] = [];
  for await (const event of await client.responses.create({ model: MINI, ...body, stream: true })) events.push(event);
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, at) => at));
  return events;
}

/** Expects one call, and a charge that equals its invoice at the published price. */
async function invoiceOf(model: string, act: () => Promise<unknown>): Promise<NonNullable<JournalEntry['billed']>> {
  await waitUntilSettled(stack, [customer]);
  const since = await stack.simulator.lastSeq();
  const before = new Set((await stack.ledger.settlements(customer.accountId)).map(({ requestId }) => requestId));
  await act();
  await waitUntilSettled(stack, [customer]);
  const [call, ...others] = await stack.simulator.closedJournal(since);
  const settled = await stack.ledger.settlements(customer.accountId);
  const [settlement] = settled.filter(({ requestId }) => !before.has(requestId));
  const entry = entries.find(({ id }) => id === model);
  if (call?.billed == null || entry === undefined) throw new Error('the upstream billed nothing');
  expect([others.length, settled.length - before.size]).toEqual([0, 1]);
  expect(settlement).toMatchObject({ model, isEstimated: false });
  expect(settlement?.costNanoUsd).toBe(expectedCost(entry, call.billed));
  expect(settlement?.chargedNanoUsd).toBe(settlement?.costNanoUsd);
  return call.billed;
}

/** The input of the newest upstream call. */
async function newestInput(): Promise<readonly Record<string, unknown>[]> {
  const request = (await stack.simulator.requests(0)).at(-1);
  return (JSON.parse(request?.body ?? '{}') as { input: Record<string, unknown>[] }).input;
}

describe.each([false, true])('searches of the web (stream: %s)', (isStream) => {
  it('are charged by the vendor’s invoice, and pages that it opens are not', async () => {
    const { units } = await invoiceOf(MINI, async () => {
      const { output } = await answer(isStream, { input: '{{sim searches=3 pages=2}} Look it up', tools: [search] });
      expect(output.map(({ type }) => type)).toEqual([...Array<string>(5).fill('web_search_call'), 'message']);
      const message = output.at(-1) as OpenAI.Responses.ResponseOutputMessage;
      expect(message.content[0]).toHaveProperty('annotations.length', 3);
    });
    expect(units).toEqual({ web_search: 3 });
  });

  it('are no more than the hold pays for', async () => {
    const { units } = await invoiceOf(MINI, () =>
      answer(isStream, { input: '{{sim searches=50}} Go', tools: [search] }),
    );
    expect(units).toEqual({ web_search: 10 });
    const capped = await invoiceOf(MINI, () =>
      answer(isStream, { input: '{{sim searches=50}} Go', tools: [search], max_tool_calls: 2 }),
    );
    expect(capped.units).toEqual({ web_search: 2 });
  });
});

describe('the hold of a request that may search', () => {
  it('covers each call that it may make', async () => {
    const request = { model: MINI, input: 'Hi', tools: [search], max_output_tokens: 100 };
    const other = clientOf(poor.apiKey);
    await expect(other.responses.create(request)).rejects.toMatchObject({ status: 402, code: 'insufficient_quota' });
    const cheap = await other.responses.create({ ...request, max_tool_calls: 1 });
    expect(cheap.status).toBe('completed');
  });
});

describe.each(models)('a custom tool of %s', (model) => {
  it.each([false, true])('is called with a text, and its output returns (stream: %s)', async (isStream) => {
    const question = { role: 'user', content: 'Use the tool to patch it.' } as const;
    const body = { model, tools: [patch], store: false };
    const first = await answer(isStream, { ...body, input: [question] });
    const calls = first.output.flatMap((item) => (item.type === 'custom_tool_call' ? [item] : []));
    expect(calls).toMatchObject([{ name: 'apply_patch', input: expect.stringMatching(/./) }]);
    const output = { type: 'custom_tool_call_output', call_id: calls[0]?.call_id ?? '', output: 'patched' } as const;
    const second = await answer(isStream, { ...body, input: [question, ...(first.output as Input[]), output] });
    expect(second.output_text).toContain('patched');
  });
});

describe('reasoning', () => {
  const body = { model: MINI, reasoning: { effort: 'low' as const } };
  const question = { role: 'user', content: 'Think about it' } as const;
  const more = { role: 'user', content: 'Think again' } as const;

  it.each([false, true])(
    'returns to the vendor unchanged over two turns of the client (stream: %s)',
    async (isStream) => {
      const input: Input[] = [question];
      for (let turn = 1; turn <= 2; turn += 1) {
        const { output } = await answer(isStream, { ...body, input, store: false });
        const [item] = output.filter(({ type }) => type === 'reasoning');
        expect(item).toHaveProperty('encrypted_content', expect.stringMatching(/^gAAAAAB/));
        input.push(...(output as Input[]), more);
        await answer(isStream, { ...body, input, store: false });
        expect((await newestInput()).filter(({ type }) => type === 'reasoning').at(-1)).toEqual(item);
      }
    },
  );

  it.each([false, true])('returns to the vendor unchanged over two stored turns (stream: %s)', async (isStream) => {
    const items: unknown[] = [];
    let previous: string | undefined;
    for (let turn = 1; turn <= 3; turn += 1) {
      const response = await answer(isStream, { ...body, input: [question], previous_response_id: previous ?? null });
      expect((await newestInput()).filter(({ type }) => type === 'reasoning')).toEqual(items);
      items.push(...response.output.filter(({ type }) => type === 'reasoning'));
      previous = response.id;
    }
  });

  it('that another organization wrote, or that was changed, is refused in the vendor’s words for free', async () => {
    const { output } = await answer(false, { ...body, input: [question], store: false });
    const [item] = output.filter((one) => one.type === 'reasoning');
    const changed = { ...(item as OpenAI.Responses.ResponseReasoningItem), encrypted_content: 'gAAAAABchanged' };
    await waitUntilSettled(stack, [customer]);
    const { balance_usd } = await customer.balance();
    await expect(answer(false, { ...body, input: [changed, more], store: false })).rejects.toMatchObject({
      status: 400,
      code: 'invalid_encrypted_content',
    });
    await waitUntilSettled(stack, [customer]);
    expect(await customer.balance()).toMatchObject({ balance_usd });
  });

  it('of another vendor, or without its content, is left out, and the header reports it', async () => {
    const first = await client.responses.create({
      model: FLASH,
      input: [{ role: 'user', content: 'Use the tool' }],
      tools: [patch],
      reasoning: { effort: 'low', summary: 'auto' },
    });
    const call = first.output.find((item) => item.type === 'custom_tool_call');
    const output = { type: 'custom_tool_call_output', call_id: call?.call_id ?? '', output: 'patched' } as const;
    const bare: Input = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm' }] };
    const history: Input[] = [question, ...(first.output as Input[]), output, bare, more];
    const requests: readonly OpenAI.Responses.ResponseCreateParamsNonStreaming[] = [
      { ...body, input: history, store: false },
      { ...body, input: [output], previous_response_id: first.id },
    ];
    for (const request of requests) {
      const { data, response } = await client.responses.create(request).withResponse();
      expect(data).toMatchObject({ status: 'completed', output_text: expect.stringContaining('patched') });
      expect(response.headers.get('x-gateway-dropped')).toMatch(/input\[1\]/);
      expect((await newestInput()).filter(({ type }) => type === 'reasoning')).toEqual([]);
    }
  });
});

describe('reasoning of one of several accounts at the vendor', () => {
  const worker = stack.system.instance('sync-worker');
  const channelsOf = (...organizations: readonly string[]) => ({
    OPENAI_CHANNELS: JSON.stringify(
      organizations.map((name) => ({
        ...{ id: `openai-${name}`, apiKey: `key-org-${name}` },
        baseUrl: `${stack.simulator.url}/openai`,
      })),
    ),
  });
  const question = { role: 'user', content: 'Think about it' } as const;
  const body = { reasoning: { effort: 'low' as const }, store: false };
  const think = async () => (await answer(false, { ...body, input: [question] })).output as Input[];

  afterAll(() => worker.start());

  it('returns to the account that wrote it, and is left out with a report once that is gone', async () => {
    await worker.stop();
    const two = await stack.system.add('sync-worker', channelsOf('one', 'two'));
    const histories: Input[][] = [];
    for (let turn = 0; turn < 4; turn += 1) histories.push(await think());
    for (const history of histories) {
      const next = { ...body, input: [question, ...history, question], model: MINI };
      const { response, data } = await client.responses.create(next).withResponse();
      expect([data.status, response.headers.get('x-gateway-dropped')]).toEqual(['completed', null]);
      expect((await newestInput()).some(({ type }) => type === 'reasoning')).toBe(true);
    }
    await two.stop();
    const other = await stack.system.add('sync-worker', channelsOf('three'));
    for (const isStream of [false, true]) {
      const next = { ...body, input: [question, ...(histories[0] ?? []), question], model: MINI, stream: isStream };
      const sent = await fullResponse(stack.baseUrl, { path: '/v1/responses', key: customer.apiKey, body: next });
      expect([sent.status, sent.headers['x-gateway-dropped']]).toEqual([200, 'input[1]']);
    }
    await other.stop();
  });
});

describe('an end other than completed', () => {
  it.each([false, true])('is a refusal, charged as it was written (stream: %s)', async (isStream) => {
    await invoiceOf(MINI, async () => {
      const { status, output } = await answer(isStream, { input: '{{sim blocked}} Do it' });
      expect(status).toBe('completed');
      expect(output.at(-1)).toMatchObject({
        content: [{ type: 'refusal', refusal: expect.stringContaining('cannot') }],
      });
    });
  });

  it.each([false, true])('is incomplete by the filter, with its charge (stream: %s)', async (isStream) => {
    await invoiceOf(MINI, async () => {
      const incomplete = await answer(isStream, { input: '{{sim content_filter}} A sentence' });
      expect(incomplete).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'content_filter' } });
      expect(incomplete.output_text).not.toBe('');
    });
  });

  it('is a refusal, or the filter, on chat completions too', async () => {
    const model = 'gp-5.4-pro';
    const ask = async (content: string) => {
      const { choices } = await client.chat.completions.create({ model, messages: [{ role: 'user', content }] });
      return choices[0];
    };
    expect(await ask('{{sim blocked}} Do it')).toMatchObject({
      message: { refusal: expect.stringContaining('cannot') },
    });
    expect(await ask('{{sim content_filter}} A sentence')).toMatchObject({ finish_reason: 'content_filter' });
  });

  it('is the client’s error if its prompt failed, and costs nothing', async () => {
    await waitUntilSettled(stack, [customer]);
    const { balance_usd } = await customer.balance();
    await expect(answer(false, { input: '{{sim failed=invalid_prompt}} No' })).rejects.toMatchObject({
      status: 400,
      code: 'invalid_prompt',
    });
    await waitUntilSettled(stack, [customer]);
    expect(await customer.balance()).toMatchObject({ balance_usd });
  });

  it('is an error of the upstream if the vendor failed', async () => {
    const failed = answer(false, { input: '{{sim failed=server_error times=1}} Once more' });
    await expect(failed).rejects.toMatchObject({ status: 502 });
  });

  it('within a stream is the vendor’s own failed response, in the client’s names', async () => {
    const input = '{{sim failed=invalid_prompt error_after=2 chunks=6 searches=1}} No';
    const events = await eventsOf({ input, tools: [search] });
    const [first] = events;
    const failed = { status: 'failed', model: MINI, error: { code: 'invalid_prompt' } };
    expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: failed });
    expect(events.at(-1)).toHaveProperty('response.id', (first as { response: { id: string } }).response.id);
  });
});

describe.each([MINI, FLASH, 'cl-opus-4-7'])('a compaction by %s', (model) => {
  const history: Input[] = [
    { role: 'user', content: 'Remember the harbour' },
    { role: 'assistant', content: 'I remember it' },
  ];
  const next = { role: 'user', content: 'And now?' } as const;
  const compactionsIn = (output: readonly { readonly type?: string | undefined }[]) =>
    output.filter(({ type }) => type === 'compaction').length;

  it('keeps what was said to the model, is charged by the invoice, and continues', async () => {
    const compacted: OpenAI.Responses.CompactedResponse[] = [];
    await invoiceOf(model, async () => {
      const { data, response } = await client.responses.compact({ model, input: history }).withResponse();
      expect(data.id.slice('resp_'.length)).toBe(response.headers.get('x-request-id')?.slice('req_'.length));
      expect(Number(response.headers.get('x-cost-usd'))).toBeGreaterThan(0);
      compacted.push(data);
    });
    const output = compacted[0]?.output ?? [];
    expect(compacted[0]).toMatchObject({ object: 'response.compaction', usage: { total_tokens: expect.any(Number) } });
    expect(output).toMatchObject([{ role: 'user', content: expect.anything() }, { type: 'compaction' }]);
    const continued = await answer(false, { model, input: [...(output as Input[]), next] });
    expect(continued.status).toBe('completed');
  });

  it('compacts a stored response, and is the same for one idempotency key', async () => {
    const first = await answer(false, { model, input: [...history, next] });
    const headers = { 'idempotency-key': randomUUID() };
    const compact = () => client.responses.compact({ model, previous_response_id: first.id }, { headers });
    const { output } = await compact();
    expect(compactionsIn(output)).toBe(1);
    expect((await compact()).output).toEqual(output);
  });

  it.each([false, true])('comes as an item of a response for a trigger (stream: %s)', async (isStream) => {
    const trigger = { type: 'compaction_trigger' } as unknown as Input;
    const { id, output } = await answer(isStream, { model, input: [...history, trigger] });
    expect(compactionsIn(output)).toBe(1);
    await answer(false, { model, input: [next], previous_response_id: id });
    if (model === MINI)
      expect((await newestInput()).map(({ type, role }) => type ?? role)).toEqual(['compaction', 'user']);
  });

  it('is quoted as it is held', async () => {
    const body = { model, input: history };
    const quoted = await stack.accounts.quote(customer.apiKey, { endpoint: '/v1/responses/compact', body });
    expect(nanoOf(quoted.hold_usd)).toBeGreaterThan(0n);
  });
});

describe('a compaction', () => {
  it('of another model is a message to OpenAI, and the vendor’s own is refused by other models', async () => {
    const input: Input[] = [{ role: 'user', content: 'Remember the harbour' }];
    const ours = await client.responses.compact({ model: FLASH, input });
    await answer(false, { input: [...(ours.output as Input[]), { role: 'user', content: 'And now?' }] });
    expect(JSON.stringify(await newestInput())).toContain('Summary of the conversation so far');
    const theirs = await client.responses.compact({ model: MINI, input });
    await expect(answer(false, { model: FLASH, input: theirs.output as Input[] })).rejects.toMatchObject({
      status: 400,
      param: 'input[1].encrypted_content',
    });
  });
});

describe('the ledger', () => {
  it('is consistent after all of it', async () => {
    await expectConsistentLedger(stack, [customer, poor]);
  });
});
