import type { ModelEntry } from '@gateway/contracts';
import {
  callJson,
  createPng,
  encodedForm,
  expectedCost,
  fullResponse,
  type JournalEntry,
  seededRandom,
  startTestStack,
} from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';

const SEED = 20_261_121;
const ROUNDS = 8;
const CONCURRENCY = 6;

const stack = await startTestStack();
afterAll(() => stack.stop());

const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });
const { data: models } = await callJson<{ data: ModelEntry[] }>(`${stack.baseUrl}/v1/models`, {
  token: customer.apiKey,
});

interface RequestKind {
  readonly path: string;
  readonly model: string;
  /** The request body with this prompt: JSON, or a form. */
  body(prompt: string): object | FormData;
}

const chat = (model: string, more: object = {}): RequestKind => ({
  path: '/v1/chat/completions',
  model,
  body: (content) => ({ model, messages: [{ role: 'user', content }], ...more }),
});
const message = (model: string, more: object = {}): RequestKind => ({
  path: '/v1/messages',
  model,
  body: (content) => ({ model, max_tokens: 200, messages: [{ role: 'user', content }], ...more }),
});
const embedding = (model: string): RequestKind => ({
  path: '/v1/embeddings',
  model,
  body: (prompt) => ({ model, input: Array.from({ length: 13 }, (_, index) => `${prompt} ${index}`) }),
});
const image = (model: string, more: object = {}): RequestKind => ({
  path: '/v1/images/generations',
  model,
  body: (prompt) => ({ model, prompt, ...more }),
});

const edit = (model: string, more: Readonly<Record<string, string>> = {}): RequestKind => ({
  path: '/v1/images/edits',
  model,
  body: (prompt) => {
    const form = new FormData();
    for (const [field, value] of Object.entries({ model, prompt, ...more })) form.set(field, value);
    form.set(
      'image',
      new Blob([Uint8Array.from(createPng({ width: 64, height: 64 }))], { type: 'image/png' }),
      'a.png',
    );
    return form;
  },
});

const REQUEST_KINDS: readonly RequestKind[] = [
  chat('cl-sonnet-4-6'),
  chat('gm-2.5-flash', { stream: true }),
  chat('gp-5.4-pro'),
  chat('gp-5.4-mini', { stream: true }),
  chat('qn3.8-omni-flash'),
  message('cl-opus-4-7', { stream: true }),
  message('gm-2.5-pro'),
  embedding('text-embedding-v4'),
  embedding('gm-embedding-2-preview'),
  embedding('vg-4'),
  { path: '/v1/audio/speech', model: 'qn3-tts-flash', body: (input) => ({ model: 'qn3-tts-flash', input }) },
  {
    path: '/v1/images/generations',
    model: 'qn-image-2.0',
    body: (text) => ({ model: 'qn-image-2.0', input: { messages: [{ role: 'user', content: [{ text }] }] } }),
  },
  { ...image('gm-2.5-flash-image'), body: (input) => ({ model: 'gm-2.5-flash-image', input }) },
  image('gp-image-1', { n: 2, quality: 'low' }),
  edit('gp-image-1.5', { n: '2', quality: 'low' }),
  edit('de-2', { size: '256x256' }),
  image('seedream-4.5'),
  image('grok-imagine-image'),
];

/** Directives for the upstream: mostly success, sometimes a rejection or a failure. */
const PROMPTS = ['Say hello', 'A red kite', 'Say it again', '{{sim status=400}} no', '{{sim status=500}} no'] as const;

async function run({ path, body }: RequestKind, prompt: string): Promise<number> {
  const content = body(prompt);
  const request = {
    path,
    key: customer.apiKey,
    ...(content instanceof FormData ? await encodedForm(content) : { body: content }),
  };
  return (await fullResponse(stack.baseUrl, request)).status;
}

/** The upstream names of each model, observed rather than configured. */
async function upstreamNamesOf(kind: RequestKind): Promise<readonly string[]> {
  const since = await stack.simulator.lastSeq();
  expect([kind.path, kind.model, await run(kind, 'Say hello')]).toEqual([kind.path, kind.model, 200]);
  const calls = await stack.simulator.closedJournal(since);
  return [...new Set(calls.flatMap(({ model }) => (model === null ? [] : [model])))];
}

const priceOf = (id: string): ModelEntry => models.find((model) => model.id === id) as ModelEntry;

type Sums = Readonly<Record<string, bigint>>;

function sumsOf(charges: readonly (readonly [model: string, nanoUsd: bigint])[]): Sums {
  const sums = new Map<string, bigint>();
  for (const [model, nanoUsd] of charges) sums.set(model, (sums.get(model) ?? 0n) + nanoUsd);
  return Object.fromEntries([...sums].sort());
}

/** The upstreams' invoices at the published prices, for each public model. */
function invoiceOf(calls: readonly JournalEntry[], modelByUpstreamName: ReadonlyMap<string, string>): Sums {
  return sumsOf(
    calls.flatMap(({ model, billed }) => {
      if (billed === null || model === null) return [];
      const publicModel = modelByUpstreamName.get(model);
      if (publicModel === undefined) throw new Error(`no request was sent for ${model}`);
      return [[publicModel, expectedCost(priceOf(publicModel), billed)] as const];
    }),
  );
}

/** Sends every kind several times in random order, several at once. Returns the statuses. */
async function runAll(): Promise<ReadonlySet<number>> {
  const random = seededRandom(SEED);
  const calls = Array.from({ length: ROUNDS }, () => REQUEST_KINDS)
    .flat()
    .map((kind) => ({ kind, prompt: random.pick(PROMPTS), place: random.fraction() }))
    .sort((a, b) => a.place - b.place);
  const statuses = new Set<number>();
  const clients = Array.from({ length: CONCURRENCY }, async () => {
    for (let call = calls.pop(); call !== undefined; call = calls.pop()) {
      statuses.add(await run(call.kind, call.prompt));
    }
  });
  await Promise.all(clients);
  return statuses;
}

describe(`concurrent requests of all families (seed ${SEED})`, () => {
  it('are charged exactly what the upstreams invoice, model by model', async () => {
    const since = await stack.simulator.lastSeq();
    const modelByUpstreamName = new Map<string, string>();
    for (const kind of REQUEST_KINDS) {
      for (const name of await upstreamNamesOf(kind)) modelByUpstreamName.set(name, kind.model);
    }
    const statuses = await runAll();
    await waitUntilSettled(stack, [customer]);

    const settlements = await stack.ledger.settlements(customer.accountId);
    const ledger = sumsOf(settlements.map(({ model, chargedNanoUsd }) => [model, chargedNanoUsd] as const));
    expect(ledger).toEqual(invoiceOf(await stack.simulator.closedJournal(since), modelByUpstreamName));
    expect(settlements).toHaveLength(REQUEST_KINDS.length * (ROUNDS + 1));
    // A vendor that keeps failing has a cooldown: 503 instead of 502.
    expect([...statuses].every((status) => [200, 400, 502, 503].includes(status))).toBe(true);
    expect(statuses.has(200) && statuses.has(400) && statuses.has(502)).toBe(true);
    await expectConsistentLedger(stack, [customer]);
  });
});
