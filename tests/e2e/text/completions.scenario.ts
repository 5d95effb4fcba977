import type { ModelEntry } from '@gateway/contracts';
import { callJson, expectedCost, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';
import { chatModels } from './chat-models.js';

const stack = await startTestStack();
afterAll(() => stack.stop());

const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });
const client = new OpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey: customer.apiKey, maxRetries: 0 });
const ids = (await chatModels(stack.baseUrl, customer.apiKey)).map(({ id }) => id);
const entryOf = (id: string) => callJson<ModelEntry>(`${stack.baseUrl}/v1/models/${id}`, { token: customer.apiKey });

describe.each(ids)('%s', (model) => {
  it('completes a text, charged as its vendor bills it', async () => {
    await waitUntilSettled(stack, [customer]);
    const known = (await stack.ledger.settlements(customer.accountId)).length;
    const since = await stack.simulator.lastSeq();
    const { object, choices, usage } = await client.completions.create({
      model,
      prompt: 'Once upon a time',
      max_tokens: 5_000,
    });
    expect(object).toBe('text_completion');
    expect(choices[0]).toMatchObject({ index: 0, text: expect.stringContaining('Once upon a time'), logprobs: null });
    expect(usage?.total_tokens).toBeGreaterThan(0);
    await waitUntilSettled(stack, [customer]);
    const [settled] = (await stack.ledger.settlements(customer.accountId)).slice(known);
    const [call] = await stack.simulator.closedJournal(since);
    if (call?.billed == null) throw new Error('the simulator billed nothing');
    expect(settled?.chargedNanoUsd).toBe(expectedCost(await entryOf(model), call.billed));
  });

  it('streams', async () => {
    const stream_options = { include_usage: true };
    const stream = await client.completions.create({ model, prompt: 'Stream this', stream: true, stream_options });
    let text = '';
    let end: string | null | undefined;
    let total: number | undefined;
    for await (const { choices, usage } of stream) {
      text += choices[0]?.text ?? '';
      end = choices[0]?.finish_reason ?? end;
      total = usage?.total_tokens ?? total;
    }
    expect(text).toContain('Stream this');
    expect(end).toBe('stop');
    expect(total).toBeGreaterThan(0);
  });
});

it.each(['gm-2.5-flash', 'gp-5-pro', 'qn3.8-omni-flash'])(
  'completes several prompts by %s, each charged',
  async (model) => {
    await waitUntilSettled(stack, [customer]);
    const known = (await stack.ledger.settlements(customer.accountId)).length;
    const since = await stack.simulator.lastSeq();
    const prompt = ['First of two', 'Second of two'];
    const { choices, usage } = await client.completions.create({ model, prompt, n: 2, max_tokens: 500 });
    expect(choices.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    expect(choices.map(({ text }) => text.includes('First'))).toEqual([true, true, false, false]);
    await waitUntilSettled(stack, [customer]);
    const calls = await stack.simulator.closedJournal(since);
    const settled = (await stack.ledger.settlements(customer.accountId)).slice(known);
    expect([calls.length, settled.length]).toEqual([4, 1]);
    const entry = await entryOf(model);
    const invoice = calls.reduce((sum, { billed }) => sum + (billed == null ? 0n : expectedCost(entry, billed)), 0n);
    expect(settled[0]?.chargedNanoUsd).toBe(invoice);
    expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0));
  },
);

it.each([
  ['suffix', { suffix: 'the end' }],
  ['echo', { echo: true }],
  ['logprobs', { logprobs: 3 }],
  ['stream', { prompt: ['a', 'b'], stream: true }],
])('refuses %s by name', async (param, more) => {
  const body = { model: 'gm-2.5-flash', prompt: 'x', ...more };
  await expect(client.completions.create(body)).rejects.toMatchObject({ status: 400, param });
});

it('has a quote', async () => {
  const body = { model: 'gm-2.5-flash', prompt: 'Once', max_tokens: 9 };
  const quoted = await stack.accounts.quote(customer.apiKey, { endpoint: 'completions', body });
  expect(quoted).toMatchObject({ valid: true, model: 'gm-2.5-flash', hold_units: { output_token: 9 } });
});

it('leaves a consistent ledger', async () => {
  await expectConsistentLedger(stack, [customer]);
});
