import type { ModelEntry } from '@gateway/contracts';
import { callJson, eventually, expectedCost, fullResponse, type JournalEntry, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';

const stack = await startTestStack();
afterAll(() => stack.stop());

const customer = await stack.createCustomer({ creditUsd: '100', limits: { rpm: 0, concurrency: 0 } });
const { data: models } = await callJson<{ data: ModelEntry[] }>(`${stack.baseUrl}/v1/models`, {
  token: customer.apiKey,
});

type Path =
  | 'messages'
  | 'chat/completions'
  | 'images/generations'
  | 'videos/generations'
  | 'embeddings'
  | 'audio/speech';

const post = (path: Path, body: object, headers: Record<string, string> = {}) =>
  fullResponse(stack.baseUrl, { path: `/v1/${path}`, key: customer.apiKey, body, headers });

const conversation = (content = 'Hi') => ({ messages: [{ role: 'user', content }] });
const native = (fields: object) => ({ model: 'cl-sonnet-4-6', max_tokens: 100, ...conversation(), ...fields });
const openAi = (fields: object) => ({ model: 'gp-5.4-mini', ...conversation(), ...fields });
const qwen = (fields: object) => ({ model: 'qn3.8-omni-flash', ...conversation(), ...fields });
const interaction = (fields: object) => ({ model: 'gm-3.1-flash-image-preview', input: 'A boat', ...fields });
const seedream = (fields: object) => ({ model: 'seedream-4.5', prompt: 'A boat', ...fields });
const grok = (fields: object) => ({ model: 'grok-imagine-image', prompt: 'A boat', ...fields });
const qwenImage = (parameters: object, more: object = {}) => ({
  model: 'qn-image-2.0',
  input: { messages: [{ role: 'user', content: [{ text: 'A boat' }] }] },
  parameters,
  ...more,
});
const wan = (parameters: object) => ({ model: 'wn2.7-t2v', duration: 5, input: { prompt: 'A boat' }, parameters });

/** endpoint, body, the field that the 400 names */
const REFUSED: readonly (readonly [Path, object, string])[] = [
  [
    'messages',
    native({ tools: [{ type: 'advisor_20260301', name: 'advisor', model: 'claude-opus-4-7' }] }),
    'tools[0].type',
  ],
  ['messages', native({ tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] }), 'tools[0].type'],
  [
    'messages',
    native({ context_management: { edits: [{ type: 'compact_20260112' }] } }),
    'context_management.edits[0].type',
  ],
  ['messages', native({ container: 'container_01abc' }), 'container'],
  ['messages', native({ mcp_servers: [{ type: 'url', name: 'a', url: 'https://a.example' }] }), 'mcp_servers'],
  ['messages', native({ service_tier: 'priority' }), 'service_tier'],
  ['messages', native({ fallbacks: [{ model: 'claude-opus-4-7' }] }), 'fallbacks'],
  ['messages', native({ compaction: { type: 'summarize' } }), 'compaction'],
  ['messages', native({ MCPServers: [] }), 'MCPServers'],
  ['messages', native({ Tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] }), 'Tools'],
  ['messages', native({ contextManagement: { edits: [{ type: 'compact_20260112' }] } }), 'contextManagement'],
  ['chat/completions', openAi({ best_of: 3 }), 'best_of'],
  ['chat/completions', openAi({ background: true }), 'background'],
  ['chat/completions', openAi({ N: 4 }), 'N'],
  ['chat/completions', openAi({ prediction: { type: 'content', content: 'x' } }), 'prediction'],
  ['chat/completions', openAi({ service_tier: 'priority' }), 'service_tier'],
  [
    'chat/completions',
    openAi({ tools: [{ type: 'function', function: { name: 'f' }, web_search: {} }] }),
    'tools[0].web_search',
  ],
  ['chat/completions', qwen({ Enable_Search: true }), 'Enable_Search'],
  ['chat/completions', qwen({ enableSearch: true }), 'enableSearch'],
  ['chat/completions', qwen({ search_options: {} }), 'search_options'],
  ['chat/completions', qwen({ extra_body: { enable_search: true } }), 'extra_body'],
  ['chat/completions', qwen({ parameters: { enable_search: true } }), 'parameters'],
  ['chat/completions', qwen({ plugins: {} }), 'plugins'],
  ['chat/completions', qwen({ modalities: 'text,audio' }), 'modalities'],
  ['chat/completions', qwen({ modalities: ['text', 'AUDIO'] }), 'modalities'],
  ['images/generations', interaction({ tools: [{ type: 'google_maps' }] }), 'tools[0].type'],
  ['images/generations', interaction({ Tools: [{ type: 'google_search' }] }), 'Tools'],
  ['images/generations', interaction({ agent: 'deep-research' }), 'agent'],
  ['images/generations', interaction({ serviceTier: 'priority' }), 'serviceTier'],
  ['images/generations', interaction({ previousInteractionId: 'v1_x' }), 'previousInteractionId'],
  ['images/generations', interaction({ generationConfig: {} }), 'generationConfig'],
  [
    'images/generations',
    interaction({ response_format: { type: 'image', imageSize: '4K' } }),
    'response_format.imageSize',
  ],
  ['images/generations', seedream({ Tools: [{ type: 'web_search' }] }), 'Tools'],
  ['images/generations', seedream({ Sequential_Image_Generation: 'auto' }), 'Sequential_Image_Generation'],
  ['images/generations', grok({ Resolution: '2k' }), 'Resolution'],
  ['images/generations', grok({ N: 10 }), 'N'],
  ['images/generations', grok({ reference_images: [] }), 'reference_images'],
  ['images/generations', grok({ storage_options: {} }), 'storage_options'],
  ['images/generations', qwenImage({ N: 4 }), 'parameters.N'],
  ['images/generations', qwenImage({ num_images: 4 }), 'parameters.num_images'],
  ['images/generations', qwenImage({}, { n: 4 }), 'n'],
  ['images/generations', qwenImage({}, { Parameters: {} }), 'Parameters'],
  ['videos/generations', wan({ duration_seconds: 15 }), 'parameters.duration_seconds'],
  ['videos/generations', wan({ video_length: 15 }), 'parameters.video_length'],
  ['videos/generations', wan({ videoLength: 5 }), 'parameters.videoLength'],
  ['embeddings', { model: 'vg-4', input: 'x', output_dtype: 'int8' }, 'output_dtype'],
  ['audio/speech', { model: 'qn3-tts-flash', input: 'x', language_type: 'Chinese' }, 'language_type'],
];

describe('a field that the vendor would bill apart', () => {
  it.each(REFUSED)(
    'on %s in %j is a 400 that names it, reaches no vendor and costs nothing',
    async (path, body, field) => {
      const since = await stack.simulator.lastSeq();
      const before = await customer.balance();
      const response = await post(path, body);
      expect({ status: response.status, text: response.text }).toEqual({
        status: 400,
        text: expect.stringContaining(`'${field}'`),
      });
      expect(await stack.simulator.requests(since)).toEqual([]);
      expect(await customer.balance()).toEqual(before);
    },
  );

  it('cannot be switched on by a beta, which is dropped and reported', async () => {
    const since = await stack.simulator.lastSeq();
    const betas = 'interleaved-thinking-2025-05-14,compact-2026-01-12,advisor-tool-2026-03-01';
    const response = await post('messages', native({}), { 'anthropic-beta': betas });
    expect(response.status).toBe(200);
    expect(response.headers['x-gateway-dropped']).toBe(
      'anthropic-beta:compact-2026-01-12, anthropic-beta:advisor-tool-2026-03-01',
    );
    const [received] = await stack.simulator.requests(since);
    expect(received?.headers['anthropic-beta']).toBe('interleaved-thinking-2025-05-14');
  });

  it('passes where the interface forwards it unchanged, and costs what was sold', async () => {
    const response = await post('images/generations', qwenImage({ new_field: { a: 1 } }));
    expect(response.status).toBe(200);
  });
});

describe('a replaced field is reported', () => {
  it.each([
    ['cl-sonnet-4-6', { temperature: 1.5 }, 'temperature=1', undefined],
    ['cl-opus-4-7', { temperature: 0.5, presence_penalty: 1 }, undefined, 'presence_penalty, temperature'],
    ['gp-5.4-pro', { reasoning_effort: 'low' }, 'reasoning_effort=medium', undefined],
    ['gp-5.4-mini', { store: true, metadata: { a: 'b' } }, undefined, 'store, metadata'],
  ])('by %s for %j', async (model, fields, filled, dropped) => {
    const response = await post('chat/completions', {
      model,
      ...conversation(),
      max_completion_tokens: 500,
      ...fields,
    });
    expect({ status: response.status, filled: response.headers['x-gateway-filled'] }).toEqual({ status: 200, filled });
    expect(response.headers['x-gateway-dropped']).toBe(dropped);
  });

  it('in an error of the vendor', async () => {
    const response = await post('chat/completions', {
      ...{ model: 'cl-sonnet-4-6', ...conversation('{{sim status=400}} Hi'), temperature: 2, max_tokens: 50 },
    });
    expect([response.status, response.headers['x-gateway-filled']]).toEqual([400, 'temperature=1']);
  });

  it('again with a replayed response, and with one that is taken later', async () => {
    const body = { model: 'cl-sonnet-4-6', ...conversation(), temperature: 2, presence_penalty: 1, max_tokens: 50 };
    const key = { 'idempotency-key': 'changed-once' };
    const [first, replayed] = [await post('chat/completions', body, key), await post('chat/completions', body, key)];
    expect(replayed.headers['idempotent-replayed']).toBe('true');
    const accepted = await post('chat/completions', body, { prefer: 'respond-async' });
    expect(accepted.status).toBe(202);
    const later = await eventually(async () => {
      const path = `/v1/requests/${accepted.json<{ id: string }>().id}/result`;
      const result = await fullResponse(stack.baseUrl, { method: 'GET', path, key: customer.apiKey });
      expect(result.status).toBe(200);
      return result;
    });
    for (const { headers } of [first, replayed, later]) {
      expect([headers['x-gateway-filled'], headers['x-gateway-dropped']]).toEqual([
        'temperature=1',
        'presence_penalty',
      ]);
    }
  });

  it('in the head of a stream, and for images and speech', async () => {
    const streamed = await post('chat/completions', {
      ...{ model: 'cl-sonnet-4-6', ...conversation(), temperature: 2, max_tokens: 50, stream: true },
    });
    expect(streamed.headers['x-gateway-filled']).toBe('temperature=1');
    const image = await post('images/generations', qwenImage({ size: '1472*1140' }));
    expect(image.headers['x-gateway-filled']).toBe('parameters.size=1472*1104');
    const speech = await post('audio/speech', { model: 'qn3-tts-flash', input: 'Hi', voice: 'alloy', speed: 2 });
    expect(speech.headers['x-gateway-filled']).toBe('voice=Cherry');
    expect(speech.headers['x-gateway-dropped']).toBe('speed');
  });
});

/** The invoice of a call with all that the vendor did apart, at each model's published price. */
function invoiceOf(call: JournalEntry | undefined): bigint {
  const parts = [
    ...(call?.billed ? [{ model: call.model ?? '', usage: call.billed }] : []),
    ...(call?.billed_apart ?? []),
  ];
  return parts.reduce((sum, { model, usage }) => {
    const entry = models.find(({ id, aliases }) => id === model || aliases.includes(model));
    if (entry === undefined) throw new Error(`${model} is not listed`);
    return sum + expectedCost(entry, usage);
  }, 0n);
}

describe('what the vendor did apart', () => {
  it.each(['compaction', 'advisor', 'fallback'].flatMap((kind) => [[kind, false] as const, [kind, true] as const]))(
    '(%s, stream: %s) is charged as the vendor bills it',
    async (kind, stream) => {
      await waitUntilSettled(stack, [customer]);
      const since = await stack.simulator.lastSeq();
      const before = await stack.ledger.settlements(customer.accountId);
      const body = native({ ...conversation(`{{sim iterations=${kind}}} Hi`), max_tokens: 1_000, stream });
      expect((await post('messages', body)).status).toBe(200);
      await waitUntilSettled(stack, [customer]);
      const [call] = await stack.simulator.closedJournal(since);
      const settled = (await stack.ledger.settlements(customer.accountId)).slice(before.length);
      expect(settled).toHaveLength(1);
      expect(settled[0]?.chargedNanoUsd).toBe(invoiceOf(call));
    },
  );

  it('and has no price raises a metric that names it', async () => {
    const response = await post('messages', native(conversation('{{sim service_tier=priority}} Hi')));
    expect(response.status).toBe(200);
    const { text } = await fullResponse(stack.system.instance('sync-worker').url, { method: 'GET', path: '/metrics' });
    expect(text).toMatch(
      /^gateway_unpriced_usage_total\{[^}]*protocol="anthropic-messages",field="service_tier"[^}]*\} 1$/m,
    );
  });
});

it('leaves a consistent ledger', () => expectConsistentLedger(stack, [customer]));
