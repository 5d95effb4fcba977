import { describe, expect, it } from '@jest/globals';
import type { JournalLine } from '../journal/journal.js';
import { startForTests } from '../test-support/start-for-tests.js';

const url = await startForTests();

const chat = (content: string, more: { stream?: boolean; signal?: AbortSignal; model?: string } = {}) =>
  fetch(`${url}/openai/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer channel-a', 'content-type': 'application/json' },
    body: JSON.stringify({
      model: more.model ?? 'gpt-4o',
      messages: [{ role: 'user', content }],
      stream: more.stream ?? true,
    }),
    signal: more.signal ?? null,
  });

const control = async <Completion>(path: string, init?: RequestInit): Promise<Completion> =>
  (await (await fetch(url + path, init)).json()) as Completion;

const lastLine = async (): Promise<JournalLine | undefined> =>
  (await control<{ entries: JournalLine[] }>('/__journal?since=0&wait_idle=true')).entries.at(-1);

/** Disconnects once the simulator has the request. */
const leaveBeforeResponse = async (content: string, more: { stream?: boolean; model?: string } = {}): Promise<void> => {
  const leaving = new AbortController();
  const pending = chat(content, { ...more, signal: leaving.signal });
  for (let running = false; !running; ) {
    const { entries } = await control<{ entries: JournalLine[] }>('/__journal');
    running = entries.at(-1)?.finished_at === null;
  }
  leaving.abort();
  await expect(pending).rejects.toThrow();
};

const usage = (input: number, output: number) => ({
  input_tokens: input,
  cached_input_tokens: 0,
  cache_write_tokens: 0,
  output_tokens: output,
});

describe('the journal', () => {
  it('bills a whole call', async () => {
    const body = (await (await chat('Hello', { stream: false })).json()) as { id: string };
    expect(await lastLine()).toMatchObject({
      vendor: 'openai',
      protocol: 'openai-chat',
      method: 'POST',
      path: '/openai/v1/chat/completions',
      model: 'gpt-4o',
      credential: 'channel-a',
      upstream_id: body.id,
      status: 200,
      client_aborted: false,
      usage: usage(2, 11),
      billed: usage(2, 11),
    });
  });

  it('bills nothing for an error', async () => {
    const response = await chat('{{sim status=503 retry_after=2}}');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await lastLine()).toMatchObject({ status: 503, usage: null, billed: null });
  });

  it('bills a cut stream for the chunks that were written', async () => {
    const response = await chat('{{sim chunks=9 chunk_bytes=10 cut_after=3 prompt_tokens=50}}');
    await expect(response.text()).rejects.toThrow();
    expect(await lastLine()).toMatchObject({ status: 200, client_aborted: false, billed: usage(50, 8) });
  });

  it.each([0, 2])('bills a client that disconnects after %i chunks for those and its input', async (chunks) => {
    const leaving = new AbortController();
    const directive = `{{sim chunks=9 chunk_bytes=8 hang_after=${chunks} prompt_tokens=5}}`;
    const response = await chat(directive, { signal: leaving.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    leaving.abort();
    expect(await lastLine()).toMatchObject({
      status: 200,
      client_aborted: true,
      billed: usage(5, chunks * 2),
    });
  });

  it('bills nothing if the client gives up a vendor that never responds', async () => {
    await leaveBeforeResponse('{{sim hang}}');
    expect(await lastLine()).toMatchObject({ status: null, client_aborted: true, usage: null, billed: null });
  });

  it.each([
    ['input and hidden reasoning at once', true, usage(40, 30)],
    ['the whole response', false, usage(40, 80)],
  ])('bills %s if the client disconnects before it (stream: %s)', async (_what, stream, billed) => {
    const directives = '{{sim delay_ms=60000 prompt_tokens=40 reasoning_tokens=30 completion_tokens=50}}';
    await leaveBeforeResponse(directives, { stream, model: 'gpt-5' });
    expect(await lastLine()).toMatchObject({ status: null, client_aborted: true, billed });
  });

  it('bills hidden reasoning that was spent when the client disconnects', async () => {
    const leaving = new AbortController();
    const directives = '{{sim prompt_tokens=40 reasoning_tokens=30 chunks=9 chunk_bytes=8 hang_after=2}}';
    const response = await chat(directives, { signal: leaving.signal, model: 'gpt-5' });
    await response.body?.getReader().read();
    leaving.abort();
    expect(await lastLine()).toMatchObject({ client_aborted: true, billed: usage(40, 34) });
  });

  it.each(['status=500', 'garbage'])('bills nothing if the client disconnects before a failure (%s)', async (fault) => {
    await leaveBeforeResponse(`{{sim delay_ms=60000 ${fault}}}`);
    expect(await lastLine()).toMatchObject({ client_aborted: true, billed: null });
  });

  it('bills less than the whole if the client stops reading and disconnects', async () => {
    const leaving = new AbortController();
    const directive = '{{sim completion_tokens=100000 chunk_bytes=4}}';
    const response = await chat(directive, { model: 'gpt-5.4', signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
    const line = await lastLine();
    expect(line).toMatchObject({ status: 200, client_aborted: true });
    expect(line?.billed?.output_tokens).toBeGreaterThan(0);
    expect(line?.billed?.output_tokens).toBeLessThan(100_000);
  });

  it('continues the numbers after last_seq', async () => {
    const { last_seq: seq } = await control<{ last_seq: number }>('/__journal?since=999999');
    await chat('Hello', { stream: false });
    const { entries } = await control<{ entries: JournalLine[] }>(`/__journal?since=${seq}`);
    expect(entries.map((entry) => entry.seq)).toEqual([seq + 1]);
  });
});

describe('directives', () => {
  it('fails the first calls of a prompt only', async () => {
    const statuses: number[] = [];
    for (let call = 0; call < 3; call += 1) statuses.push((await chat('Again {{sim status=500 times=2}}')).status);
    expect(statuses).toEqual([500, 500, 200]);
  });

  it('sends both kinds of garbage', async () => {
    const page = await chat('{{sim garbage}}', { stream: false });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html']);
    const frames = (await (await chat('{{sim garbage}}')).text()).split('\n\n').filter(Boolean);
    expect(() => JSON.parse(String(frames.at(-1)).replace('data: ', ''))).toThrow();
    expect(await lastLine()).toMatchObject({ status: 200, billed: null });
  });

  it('hides usage from the client, but not from the journal', async () => {
    const body = await (await chat('{{sim no_usage words=2}}', { stream: false })).json();
    expect(body).not.toHaveProperty('usage');
    expect((await lastLine())?.billed).toEqual(usage(8, 3));
  });

  it('streams a long completion to its end', async () => {
    const text = await (await chat('{{sim completion_tokens=100000 chunk_bytes=400}}', { model: 'gpt-5.4' })).text();
    expect(text.match(/"content":"[^"]/g)).toHaveLength(1_000);
    expect((await lastLine())?.billed?.output_tokens).toBe(100_000);
  });

  it('sends chunks at chunk_ms', async () => {
    const text = await (await chat('{{sim chunks=5 chunk_ms=1 delay_ms=1}}')).text();
    expect(text.match(/"content":"[^"]/g)).toHaveLength(5);
    expect(text).toContain('[DONE]');
  });

  it('refuses a misspelt directive', async () => {
    const response = await chat('{{sim chunk=5}}');
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("unknown directive 'chunk'");
  });
});

describe('faults', () => {
  const set = (fault: object) => control('/__faults', { method: 'POST', body: JSON.stringify(fault) });
  const clear = () => control('/__faults', { method: 'DELETE' });

  it('affect a whole vendor until cleared', async () => {
    await set({ vendor: 'openai', status: 529 });
    expect((await chat('Hello')).status).toBe(529);
    await clear();
    expect((await chat('Hello')).status).toBe(200);
  });

  it('drop the connection', async () => {
    await set({ vendor: 'openai', drop: true });
    await expect(chat('Hello')).rejects.toThrow();
    await clear();
    expect(await lastLine()).toMatchObject({ status: null, billed: null });
  });

  it('hit every second call at a rate of 0.5', async () => {
    await set({ vendor: 'openai', status: 500, rate: 0.5 });
    const statuses: number[] = [];
    for (let call = 0; call < 4; call += 1) statuses.push((await chat('Hello')).status);
    await clear();
    expect(statuses).toEqual([200, 500, 200, 500]);
  });

  it('can affect one protocol only', async () => {
    await set({ vendor: 'openai', protocol: 'openai-responses', status: 500 });
    expect((await chat('Hello')).status).toBe(200);
    await set({ vendor: 'openai', protocol: 'openai-chat', status: 500 });
    expect((await chat('Hello')).status).toBe(500);
    await clear();
  });

  it('refuses an invalid fault', async () => {
    for (const body of ['{"vendor":"unknown"}', '{"vendor":"openai","protocol":"none-such"}']) {
      expect((await fetch(`${url}/__faults`, { method: 'POST', body })).status).toBe(400);
    }
  });
});

it('stores the bytes of received requests', async () => {
  const body = '{ "model" :"gpt-4o","messages":[ {"role":"user","content":"\\u00e9"}]}';
  const headers = { authorization: 'Bearer k', 'content-type': 'application/json', 'x-odd': 'Yes' };
  await fetch(`${url}/openai/v1/chat/completions?a=b`, { method: 'POST', headers, body });
  const { requests } = await control<{ requests: Record<string, unknown>[] }>('/__requests?since=0');
  expect(requests.at(-1)).toMatchObject({
    method: 'POST',
    path: '/openai/v1/chat/completions?a=b',
    headers: { 'x-odd': 'Yes' },
    body,
    body_base64: Buffer.from(body).toString('base64'),
  });
});

it('is alive and ready', async () => {
  expect(await control('/healthz')).toEqual({ status: 'ok' });
  expect(await control('/readyz')).toMatchObject({ status: 'ok' });
  expect(await (await fetch(`${url}/metrics`)).text()).toContain('process_cpu_seconds_total');
});
