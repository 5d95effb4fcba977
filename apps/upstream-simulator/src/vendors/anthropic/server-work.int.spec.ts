import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from '@jest/globals';
import type { JournalLine } from '../../journal/journal.js';
import { startForTests } from '../../test-support/start-for-tests.js';

const url = await startForTests();
const client = new Anthropic({ apiKey: 'k', baseURL: `${url}/anthropic`, maxRetries: 0 });
type Params = Anthropic.Beta.MessageCreateParamsNonStreaming;

const paramsOf = (content: string, more: object = {}) =>
  ({ model: 'claude-sonnet-4-6', max_tokens: 1_000, messages: [{ role: 'user', content }], ...more }) as Params;

const lastLine = async (): Promise<JournalLine | undefined> => {
  const response = await fetch(`${url}/__journal?since=0&wait_idle=true`);
  return ((await response.json()) as { entries: JournalLine[] }).entries.at(-1);
};

/** The same call, whole and streamed; both must agree. */
const call = async (params: Params) => {
  const whole = await client.beta.messages.create(params);
  const streamed = await client.beta.messages.stream(params).finalMessage();
  const kinds = (message: typeof whole): string[] => message.content.map(({ type }) => type);
  expect(kinds(streamed)).toEqual(kinds(whole));
  expect(streamed.usage).toMatchObject({
    input_tokens: whole.usage.input_tokens,
    output_tokens: whole.usage.output_tokens,
    ...(whole.usage.iterations && { iterations: whole.usage.iterations }),
  });
  return { whole, kinds: kinds(whole), line: await lastLine() };
};

const LONG = '{{sim prompt_tokens=180000 completion_tokens=20}} Go on';
const compactWith = (more: object = {}) => ({
  betas: ['context-management-2025-06-27', 'compact-2026-01-12'],
  context_management: { edits: [{ type: 'compact_20260112', ...more }] },
});
const advisor = {
  betas: ['advisor-tool-2026-03-01'],
  tools: [{ type: 'advisor_20260301', name: 'advisor', model: 'claude-opus-4-7' }],
};
const fallbacks = { betas: ['server-side-fallback-2026-07-01'], fallbacks: [{ model: 'claude-opus-4-7' }] };

describe('compaction', () => {
  it('stands in the iterations only, and is billed', async () => {
    const { whole, kinds, line } = await call(paramsOf(LONG, compactWith()));
    expect(kinds).toEqual(['compaction', 'text']);
    expect(whole.usage).toMatchObject({
      input_tokens: 682,
      output_tokens: 20,
      iterations: [
        { type: 'compaction', input_tokens: 180_000, output_tokens: 592 },
        { type: 'message', input_tokens: 682, output_tokens: 20 },
      ],
    });
    expect(line).toMatchObject({
      billed: { input_tokens: 682, output_tokens: 20 },
      billed_apart: [
        { type: 'compaction', model: 'claude-sonnet-4-6', usage: { input_tokens: 180_000, output_tokens: 592 } },
      ],
    });
  });

  it.each([
    ['an edit that pauses', compactWith({ pause_after_compaction: true })],
    ['the top-level field', { betas: ['compact-2026-09-04'], compaction: { type: 'summarize' } }],
  ])('returns its block alone with %s, and no top-level tokens', async (_what, more) => {
    const { whole, kinds, line } = await call(paramsOf(LONG, more));
    expect(kinds).toEqual(['compaction']);
    expect(whole).toMatchObject({ stop_reason: 'compaction', usage: { input_tokens: 0, output_tokens: 0 } });
    expect(line?.billed_apart).toMatchObject([{ usage: { input_tokens: 180_000 } }]);
  });

  it('does not start below its trigger', async () => {
    const { whole, kinds, line } = await call(paramsOf('Hello', compactWith()));
    expect([kinds, whole.usage.iterations ?? null]).toEqual([['text'], null]);
    expect(line).not.toHaveProperty('billed_apart');
  });
});

describe('an advisor', () => {
  it('is billed at its own model', async () => {
    const { whole, kinds, line } = await call(paramsOf('{{sim prompt_tokens=1051 completion_tokens=40}}', advisor));
    expect(kinds).toEqual(['server_tool_use', 'advisor_tool_result', 'text']);
    expect(whole.usage).toMatchObject({
      input_tokens: 1_051 + 1_363,
      output_tokens: 35 + 40,
      iterations: [
        { type: 'message', input_tokens: 1_051, output_tokens: 35 },
        { type: 'advisor_message', model: 'claude-opus-4-7', input_tokens: 2_728, output_tokens: 874 },
        { type: 'message', input_tokens: 1_363, output_tokens: 40 },
      ],
    });
    expect(line).toMatchObject({
      model: 'claude-sonnet-4-6',
      billed: { input_tokens: 2_414, output_tokens: 75 },
      billed_apart: [{ model: 'claude-opus-4-7', usage: { input_tokens: 2_728, output_tokens: 874 } }],
    });
  });
});

describe('a refusal', () => {
  it('before any output is free', async () => {
    const { whole, line } = await call(paramsOf('{{sim blocked}} Hello'));
    expect(whole).toMatchObject({ stop_reason: 'refusal', content: [], stop_details: { type: 'refusal' } });
    expect(line?.billed).toMatchObject({ input_tokens: 0, output_tokens: 0 });
  });

  it('is answered by the fallback, at its price', async () => {
    const { whole, kinds, line } = await call(paramsOf('{{sim blocked completion_tokens=9}} Hello', fallbacks));
    expect(kinds).toEqual(['fallback', 'text']);
    expect(whole.model).toBe('claude-opus-4-7');
    expect(whole.usage.iterations).toMatchObject([
      { type: 'message', model: 'claude-sonnet-4-6', output_tokens: 0 },
      { type: 'fallback_message', model: 'claude-opus-4-7', output_tokens: 9 },
    ]);
    expect(line).toMatchObject({ model: 'claude-opus-4-7', billed: { output_tokens: 9 } });
    expect(line).not.toHaveProperty('billed_apart');
  });
});

it('bills the container of code execution', async () => {
  const { whole, kinds, line } = await call(
    paramsOf('Hello', { tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] }),
  );
  expect(kinds).toEqual(['server_tool_use', 'bash_code_execution_tool_result', 'text']);
  expect(whole.container).toMatchObject({ id: expect.stringMatching(/^container_/) });
  expect(line?.billed_apart).toMatchObject([{ type: 'code_execution', usage: { units: { container_second: 300 } } }]);
});

it.each(['compaction', 'pause', 'advisor', 'fallback'])('iterates unasked for a prompt (%s)', async (kind) => {
  const { whole } = await call(paramsOf(`{{sim iterations=${kind}}} Hello`));
  expect(whole.usage.iterations?.length).toBeGreaterThan(0);
});

it('bills what is billed apart when the client has left', async () => {
  const leaving = new AbortController();
  const body = JSON.stringify({ ...paramsOf('{{sim iterations=advisor chunks=9 hang_after=2}} Hello'), stream: true });
  const headers = { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' };
  const init = { method: 'POST', headers, body, signal: leaving.signal };
  const response = await fetch(`${url}/anthropic/v1/messages`, init);
  await response.body?.getReader().read();
  leaving.abort();
  expect(await lastLine()).toMatchObject({ client_aborted: true, billed_apart: [{ type: 'advisor_message' }] });
});

it('reports terms that cost more', async () => {
  const { whole, line } = await call(
    paramsOf('{{sim service_tier=priority}} Hello', { inference_geo: 'us', speed: 'fast' }),
  );
  const terms = { service_tier: 'priority', inference_geo: 'us', speed: 'fast' };
  expect(whole.usage).toMatchObject(terms);
  expect(line?.terms).toEqual(terms);
});

it.each([
  ['compaction without its beta', { compaction: { type: 'summarize' } }, 'compaction: Extra inputs are not permitted'],
  ['fallbacks without their beta', { fallbacks: fallbacks.fallbacks }, 'fallbacks: Extra inputs are not permitted'],
  ['an advisor without its beta', { tools: advisor.tools }, "Input tag 'advisor_20260301'"],
  ['an unknown fallback', { ...fallbacks, fallbacks: [{ model: 'gpt-4o' }] }, 'fallbacks.0.model'],
  ['a low trigger', compactWith({ trigger: { type: 'input_tokens', value: 9 } }), 'greater than or equal to 50000'],
  [
    'an advisor that cannot advise',
    { ...advisor, tools: [{ ...advisor.tools[0], model: 'claude-haiku-4-5' }] },
    'cannot be used as an advisor',
  ],
])('refuses %s', async (_what, more, words) => {
  await expect(client.beta.messages.create(paramsOf('Hello', more))).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining(words),
  });
});
