import { describe, expect, it } from '@jest/globals';
import type { JournalLine } from '../journal/journal.js';
import { startForTests } from '../test-support/start-for-tests.js';

const before = await startForTests('2026-10-22');
const after = await startForTests('2026-12-11');
const headers = {
  authorization: 'Bearer k',
  'x-api-key': 'k',
  'x-goog-api-key': 'k',
  'anthropic-version': '2023-06-01',
};

const post = async (url: string, path: string, body: object) => {
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
};

const get = async (url: string, path: string) => (await fetch(url + path, { headers })).json() as Promise<never>;

const IMAGE = { model: 'gpt-image-1', prompt: 'a kite', quality: 'low' };
const SEEDANCE = { model: 'seedance-1-5-pro-251215', content: [{ type: 'text', text: 'a kite' }] };

describe('a retired model', () => {
  it.each([
    ['/openai/v1/images/generations', IMAGE, 'has been deprecated'],
    ['/openai/v1/responses', { model: 'gpt-5-pro', input: 'Hi' }, 'has been deprecated'],
    ['/ark/api/v3/contents/generations/tasks', SEEDANCE, 'InvalidEndpointOrModel.NotFound'],
  ])('is refused from its day on: %s', async (path, body, words) => {
    expect((await post(before, path, body)).status).toBe(200);
    expect(await post(after, path, body)).toMatchObject({ status: 404, text: expect.stringContaining(words) });
  });

  it('of Google is answered and billed as its successor', async () => {
    const body = { contents: [{ parts: [{ text: 'Hi' }] }] };
    const path = '/gemini/v1beta/models/gemini-2.5-pro:generateContent';
    const versions = await Promise.all(
      [before, after].map(async (url) => JSON.parse((await post(url, path, body)).text)),
    );
    expect(versions.map(({ modelVersion }) => modelVersion)).toEqual(['gemini-2.5-pro', 'gemini-3.8-flash']);
    const { entries } = (await get(after, '/__journal?wait_idle=true')) as { entries: JournalLine[] };
    expect(entries.at(-1)?.model).toBe('gemini-3.8-flash');
  });
});

describe('the lists of models', () => {
  const idsOf = async (url: string, path: string): Promise<string[]> => {
    const { data, models } = (await get(url, path)) as { data?: { id: string }[]; models?: { name: string }[] };
    return (data ?? []).map(({ id }) => id).concat((models ?? []).map(({ name }) => name));
  };

  it.each([
    ['/openai/v1/models', 'gpt-image-1'],
    ['/openai/v1/models', 'gpt-5-pro'],
    ['/gemini/v1beta/models?pageSize=1000', 'models/gemini-2.5-pro'],
  ])('leave out what is retired: %s', async (path, id) => {
    expect(await idsOf(before, path)).toContain(id);
    expect(await idsOf(after, path)).not.toContain(id);
  });

  it.each([
    ['/anthropic/v1/models', 'claude-opus-5-5'],
    ['/gemini/v1/models', 'models/gemini-3-pro-image'],
    ['/dashscope/compatible-mode/v1/models', 'text-embedding-v4'],
    ['/ark/api/v3/models', 'seedance-2-0-260128'],
    ['/xai/v1/models', 'grok-imagine-video'],
  ])('exist: %s', async (path, id) => {
    expect(await idsOf(after, path)).toContain(id);
  });

  it('give the dates that their vendor announces', async () => {
    const { data } = (await get(before, '/openai/v1/models')) as {
      data: { id: string; shutdown_date: string | null }[];
    };
    const dateOf = (id: string) => data.find((model) => model.id === id)?.shutdown_date;
    expect([dateOf('gpt-image-1'), dateOf('gpt-5-pro'), dateOf('gpt-4o')]).toEqual(['2026-10-23', '2026-12-11', null]);
    const ark = (await get(after, '/ark/api/v3/models')) as { data: { id: string; status: string }[] };
    expect(ark.data.find(({ id }) => id === SEEDANCE.model)?.status).toBe('Shutdown');
  });

  it('have pages where their vendor has', async () => {
    const first = (await get(after, '/gemini/v1beta/models?pageSize=2')) as { models: object[]; nextPageToken: string };
    const next = (await get(
      after,
      `/gemini/v1beta/models?pageSize=2&pageToken=${first.nextPageToken}`,
    )) as typeof first;
    expect(new Set([...first.models, ...next.models].map((model) => JSON.stringify(model))).size).toBe(4);
  });
});

it('serves the native embeddings of DashScope', async () => {
  const path = '/dashscope/api/v1/services/embeddings/text-embedding/text-embedding';
  const body = { model: 'text-embedding-v4', input: { texts: ['a', 'b'] }, parameters: { dimension: 64 } };
  const { output, usage } = JSON.parse((await post(after, path, body)).text);
  expect(
    output.embeddings.map((one: { embedding: number[]; text_index: number }) => [one.text_index, one.embedding.length]),
  ).toEqual([
    [0, 64],
    [1, 64],
  ]);
  expect(usage).toEqual({ total_tokens: 1 });
  expect(await post(after, path, { ...body, model: 'none' })).toMatchObject({
    status: 404,
    text: expect.stringContaining('ModelNotFound'),
  });
});
