import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newApiKey } from '@gateway/contracts';
import { eventually, fullResponse, startTestStack } from '@gateway/testing';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { LongestTurn } from '../support/longest-turn.js';
import { openResponsesSocket } from '../support/responses-socket.js';
import { PIXEL_PNG } from '../support/samples.js';
import { DEFAULT_MODEL } from '../text/chat-fields.js';
import { ODD_FILE_NAMES, ODD_REQUESTS, type OddRequest } from './odd-requests.js';
import { beginMessage } from './slow-message.js';

const MEBIBYTE = 1024 * 1024;
/** Requests of one account, below the burst of refusals. */
const ODD_OF_ACCOUNT = 50;
const CHAT = '/v1/chat/completions';
const EDITS = '/v1/images/edits';
const FORM = 'multipart/form-data; boundary=x';
const FORM_HEAD = '--x\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\n';
/** The longest body, in escaped characters: what a loop must never read. */
const LONG_BODY = Buffer.from(JSON.stringify({ messages: [{ content: '\n"'.repeat(31 * (MEBIBYTE / 4)) }] }));
/** An idle machine stalls a loop this long for other programs. */
const STALL_MS = 168;
/** Of a file, without a valid signature. */
const WRONG_ADDRESS = '/v1/files/file_none/content?signature=none&expires=1&signing_key=none';
/** The measured lag contains the interval of its samples. */
const SAMPLE_MS = 100;

const uploadFolder = mkdtempSync(join(tmpdir(), 'gateway-uploads-'));
const turnFolder = mkdtempSync(join(tmpdir(), 'gateway-turns-'));
const measured = LongestTurn.environmentIn(turnFolder);
/** The default rate of each address. */
const DEFAULT_REFUSALS = { REFUSALS_PER_SECOND: '20' };
const stack = await startTestStack({
  env: {
    'sync-worker': measured,
    accounts: DEFAULT_REFUSALS,
    'api-edge': {
      ...measured,
      ...DEFAULT_REFUSALS,
      READS_PER_SECOND: '100',
      UNKNOWN_KEYS_PER_SECOND: '5',
      UPLOAD_DIRECTORY: uploadFolder,
      BODY_ROOM_BYTES: String(150 * MEBIBYTE),
      UPLOAD_ROOM_BYTES: String(64 * MEBIBYTE),
    },
  },
});
await stack.system.add('mcp-server', { ...measured, ...DEFAULT_REFUSALS });
const longestTurn = new LongestTurn(stack, turnFolder);
const hostile = await stack.createCustomer({ creditUsd: '1' });
const penniless = await stack.createCustomer();
const other = await stack.createCustomer({ creditUsd: '1' });
const open: Socket[] = [];

const ask = (customer = other, content: unknown = 'Hi') =>
  fullResponse(stack.baseUrl, {
    key: customer.apiKey,
    body: { model: DEFAULT_MODEL, messages: [{ role: 'user', content }], max_tokens: 5 },
  });

/** A busy machine refuses within this time. A body that is not refused by then waits for its rest. */
const REFUSED_WITHIN_MS = 6_000;
/** The pause of a refusal that is held back is a second. Two clocks differ by some milliseconds. */
const REFUSED_AFTER_MS = 990;
/** For bodies that must be refused: the refusal ends the wait. */
const PATIENT_MS = 30_000;

interface Beginning {
  readonly apiKey: string;
  readonly bytes: number;
  readonly path?: string;
  readonly type?: string;
  readonly withinMs?: number;
}

/** Announces a body and sends only its beginning. Resolves to the status, or to null while the edge waits for the rest. */
async function begin(beginning: Beginning): Promise<number | null> {
  const { apiKey, bytes, path = CHAT, type = 'application/json', withinMs = REFUSED_WITHIN_MS } = beginning;
  const { hostname, port } = new URL(stack.baseUrl);
  const socket = connect(Number(port), hostname);
  open.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: ${type}\r\nContent-Length: ${bytes}\r\n\r\n${FORM_HEAD}`,
  );
  const status = once(socket, 'data').then(([data]) => Number(String(data).slice(9, 12)));
  const waiting = new Promise<null>((resolve) => {
    setTimeout(resolve, withinMs, null).unref();
  });
  return Promise.race([status, waiting]);
}

const beginAll = (count: number, beginning: Beginning) =>
  Promise.all(Array.from({ length: count }, () => begin(beginning)));
const countOf = (statuses: readonly (number | null)[], status: number | null): number =>
  statuses.filter((found) => found === status).length;

const metric = async (name: string, service = 'api-edge'): Promise<number> => {
  const { text } = await fullResponse(stack.system.instance(service).url, { method: 'GET', path: '/metrics' });
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
};
/** What it takes on this machine, at this moment, to read the longest body once. In milliseconds, of the processor and in all. */
function timeOfReading(): { readonly processorMs: number; readonly wallMs: number } {
  const [used, startedMs] = [process.threadCpuUsage(), performance.now()];
  JSON.parse(LONG_BODY.toString());
  const { user, system } = process.threadCpuUsage(used);
  return { processorMs: (user + system) / 1_000, wallMs: performance.now() - startedMs };
}

/**
 * Expects that no turn of an event loop during `run` takes as long as to read the longest body once. What a body takes it takes
 * each time, so the best of three rounds counts, of both: a virtual machine counts as processor time what its host gives to
 * others. One body took 1,680 ms, ten times as long, before bodies were limited.
 */
async function expectNoStall(run: () => Promise<void>, service = 'api-edge'): Promise<void> {
  const lag = `nodejs_eventloop_lag_max_seconds\\{service="${service}"\\}`;
  const [turns, stalls]: [number[], number[]] = [[], []];
  const readings: ReturnType<typeof timeOfReading>[] = [];
  for (let round = 0; round < 3; round += 1) {
    // Each scrape begins a new measurement.
    await metric(lag, service);
    await longestTurn.take(service);
    await run();
    turns.push(await longestTurn.take(service));
    stalls.push((await metric(lag, service)) * 1_000 - SAMPLE_MS);
    readings.push(timeOfReading());
  }
  const [turn, stall] = [Math.min(...turns), Math.min(...stalls)];
  const processorMs = Math.min(...readings.map((reading) => reading.processorMs));
  const wallMs = Math.min(...readings.map((reading) => reading.wallMs));
  const measuredMs = { turn, stall, processorMs, wallMs };
  process.stdout.write(`${service}: ${JSON.stringify(measuredMs)}\n`);
  expect({
    ...measuredMs,
    isTurnShort: turn < processorMs,
    isStallShort: stall < Math.max(STALL_MS, 2 * wallMs),
  }).toEqual({
    ...measuredMs,
    isTurnShort: true,
    isStallShort: true,
  });
}

const isFree = () =>
  eventually(async () => {
    for (const place of ['memory', 'disk']) {
      expect(await metric(`gateway_body_bytes\\{place="${place}",service="api-edge"\\}`)).toBe(0);
    }
  });

afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await isFree();
});
afterAll(async () => {
  await stack.stop();
  for (const folder of [uploadFolder, turnFolder]) await rm(folder, { recursive: true, force: true });
});

describe('an account that sends what no client library sends', () => {
  type Service = keyof typeof ODD_REQUESTS;

  /** The responses to some requests of one account that are faults. */
  async function faultsOf(service: Service, requests: readonly OddRequest[]): Promise<readonly unknown[]> {
    const { apiKey, token } = await stack.createCustomer({ creditUsd: '1' });
    const origin = service === 'accounts' ? (stack.system.accountUrl ?? '') : stack.baseUrl;
    const faults: unknown[] = [];
    for (const request of requests) {
      const headers = request.body === undefined ? {} : { 'content-type': 'application/json' };
      const key = service === 'accounts' ? token : apiKey;
      const { status, text } = await fullResponse(origin, { ...request, key, headers });
      // A 429 would hide what the request does.
      if (status >= 500 || status === 429)
        faults.push([status, request.method, request.path, request.body?.slice(0, 80), text]);
    }
    return faults;
  }

  it.each(Object.keys(ODD_REQUESTS) as Service[])(
    'gets an answer to each request from %s, and never a fault',
    async (service) => {
      const requests = ODD_REQUESTS[service];
      const shares = Array.from({ length: Math.ceil(requests.length / ODD_OF_ACCOUNT) }, (_, at) =>
        requests.slice(at * ODD_OF_ACCOUNT, (at + 1) * ODD_OF_ACCOUNT),
      );
      expect((await Promise.all(shares.map((share) => faultsOf(service, share)))).flat()).toEqual([]);
      expect(stack.system.instance(service).log()).not.toContain('"msg":"request failed"');
    },
  );

  it.each(ODD_FILE_NAMES)('gets its file by a header of one line, or a 400: %s', async (name) => {
    const { apiKey } = await stack.createCustomer({ creditUsd: '1' });
    const head = `--x\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nuser_data\r\n--x\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: text/html\r\n\r\n`;
    const { status, ...upload } = await fullResponse(stack.baseUrl, {
      path: '/v1/files',
      key: apiKey,
      body: Buffer.from(`${head}<b>text</b>\r\n--x--\r\n`),
      headers: { 'content-type': FORM },
    });
    if (status === 400) return;
    expect(status).toBe(200);
    const { id, filename } = upload.json<{ id: string; filename: string }>();
    expect(filename).not.toMatch(/[/\\]/);
    const content = await fullResponse(stack.baseUrl, { method: 'GET', path: `/v1/files/${id}/content`, key: apiKey });
    expect([content.status, content.text]).toEqual([200, '<b>text</b>']);
    expect(content.headers).toMatchObject({
      'content-disposition': expect.stringMatching(/^attachment(; filename\*?=[^\r\n/]*)*$/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    });
  });
});

describe('an account that sends many names', () => {
  const namesOf = (length: number) => Array.from({ length }, (_, index) => `"n${index}":1`).join();
  const names = namesOf(499_000);
  // Refused bodies count by their bytes for the address too, which all customers of this test share.
  const fewerNames = namesOf(120_000);
  const body = `{"model":"${DEFAULT_MODEL}","messages":[],"metadata":{${names}}}`;
  const send = (apiKey: string) =>
    fullResponse(stack.baseUrl, { key: apiKey, body, headers: { 'content-type': 'application/json' } });

  it('without credit is refused before its body is read, a second later so that a flood of them is slow', async () => {
    const startedMs = performance.now();
    const { status, text } = await send(penniless.apiKey);
    expect([status, text]).toEqual([402, expect.stringContaining('Your balance is used up')]);
    expect(performance.now() - startedMs).toBeGreaterThan(REFUSED_AFTER_MS);
  });

  it('with credit gets a 400 that names the limit, and stalls no other customer', async () => {
    await expectNoStall(async () => {
      const [refused, served] = await Promise.all([send(hostile.apiKey), ask()]);
      expect([refused.status, served.status]).toEqual([400, 200]);
      expect(refused.text).toContain('too many names of fields: expected at most 20000');
    });
  });

  it.each([
    ['/v1/responses', `{"model":"gp-5.4-mini","input":[{"type":"item_reference","id":"x"}],${fewerNames}}`],
    ['/v1/messages/batches', `{"requests":[{"custom_id":"a","params":{${fewerNames}}}]}`],
    ['/v1/conversations', `{"items":[],"metadata":{${fewerNames}}}`],
    [`/v1beta/models/${DEFAULT_MODEL}:generateContent`, `{"contents":[],"generationConfig":{${fewerNames}}}`],
  ])('or gets it on %s, and stalls no other customer either', async (path, crowded) => {
    await expectNoStall(async () => {
      // Another one each time: a few refusals of this size are the burst of one key.
      const { apiKey } = await stack.createCustomer({ creditUsd: '1' });
      const headers = { 'content-type': 'application/json' };
      const [refused, served] = await Promise.all([
        fullResponse(stack.baseUrl, { key: apiKey, path, body: crowded, headers }),
        ask(),
      ]);
      expect([refused.status, served.status]).toEqual([400, 200]);
      expect(refused.text).toContain('too many names of fields');
    });
  });

  it('or an error of the MCP server, which stalls for no other customer', async () => {
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"chat","arguments":{${names}}}}`;
    const { origin, pathname } = new URL(stack.system.mcpUrl ?? '');
    await expectNoStall(async () => {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const { status } = await fullResponse(origin, { key: hostile.apiKey, path: pathname, body: call, headers });
      expect(status).toBe(400);
    }, 'mcp-server');
  });

  it('or pays for a body of 30 MB, whose translation stalls no worker', async () => {
    const padded = Buffer.concat([Buffer.from(PIXEL_PNG.split(',')[1] ?? '', 'base64'), Buffer.alloc(22 * MEBIBYTE)]);
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${padded.toString('base64')}` } };
    await expectNoStall(async () => {
      const paid = await ask(hostile, [{ type: 'text', text: 'What is it?' }, image]);
      expect(paid.status).toBe(200);
    }, 'sync-worker');
  });

  it.each([
    [
      'that is costly to validate',
      { metadata: Object.fromEntries(Array.from({ length: 19_000 }, (_, at) => [at, 1])) },
      400,
    ],
    ['of 31 MB', { messages: [{ role: 'user', content: '\n"'.repeat(31 * (MEBIBYTE / 4)) }] }, 400],
  ])('or a body %s stalls no other customer either', async (_what, fields, status) => {
    const long = JSON.stringify({ model: DEFAULT_MODEL, messages: [{ role: 'user', content: 'Hi' }], ...fields });
    const headers = { 'content-type': 'application/json' };
    await expectNoStall(async () => {
      // Another one each time: two refusals of this size are the burst of one key.
      const account = await stack.createCustomer({ creditUsd: '1' });
      const [refused, served] = await Promise.all([
        fullResponse(stack.baseUrl, { key: account.apiKey, body: long, headers }),
        ask(),
      ]);
      expect([refused.status, served.status]).toEqual([status, 200]);
    });
  });
});

describe('an account that sends many bodies slowly', () => {
  it('may have eight, and other customers notice nothing', async () => {
    const statuses = await beginAll(16, { apiKey: hostile.apiKey, bytes: MEBIBYTE });
    expect([countOf(statuses, null), countOf(statuses, 429)]).toEqual([8, 8]);
    const answers = await Promise.all([ask(), ask(), ask(other, 'long '.repeat(100_000))]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await ask(hostile)).status).toBe(200);
  });

  it('may have 128 MB, and a full edge asks others to come back, except with small bodies', async () => {
    const statuses = await beginAll(6, { apiKey: hostile.apiKey, bytes: 30 * MEBIBYTE });
    expect([countOf(statuses, null), countOf(statuses, 429)]).toEqual([4, 2]);
    expect(await begin({ apiKey: other.apiKey, bytes: 31 * MEBIBYTE, withinMs: PATIENT_MS })).toBe(503);
    expect((await ask()).status).toBe(200);
  });

  it('without credit has none', async () => {
    const statuses = await beginAll(4, { apiKey: penniless.apiKey, bytes: 30 * MEBIBYTE, withinMs: PATIENT_MS });
    expect(countOf(statuses, 402)).toBe(4);
  });
});

describe('an account that sends messages on sockets slowly', () => {
  const send = (apiKey: string) => {
    const message = beginMessage(stack.baseUrl, { apiKey, path: '/v1/responses', bytes: 2 * MEBIBYTE, sent: MEBIBYTE });
    open.push(message.socket);
    return message;
  };

  it('may have as many as bodies of requests, and other customers notice nothing', async () => {
    const messages = Array.from({ length: 12 }, () => send(hostile.apiKey));
    const refusals = () => messages.filter(({ received }) => received().includes('rate_limit_exceeded'));
    await eventually(async () => {
      expect(refusals()).toHaveLength(4);
      expect(await metric('gateway_body_bytes\\{place="memory",service="api-edge"\\}')).toBeGreaterThan(8 * MEBIBYTE);
    });
    expect((await ask()).status).toBe(200);
  });

  it('without credit has none', async () => {
    const message = send(penniless.apiKey);
    await eventually(async () => expect(message.received()).toContain('insufficient_balance'));
  });
});

describe('an account that sends messages that cost nothing', () => {
  /** More than the burst of refusals of one key. */
  const MESSAGES = 1_000;

  it.each([
    ['are refused', 'nonsense'],
    ['only prepare a turn', '{"type":"response.create","model":"gp-5.4-mini","generate":false,"input":"x"}'],
  ])('and %s loses its socket, and other customers notice nothing', async (_what, message) => {
    const { apiKey } = await stack.createCustomer({ creditUsd: '1' });
    const { socket } = await openResponsesSocket(stack.baseUrl, apiKey);
    const closed = new Promise<number>((resolve) => {
      socket.addEventListener('close', ({ code }) => resolve(code));
    });
    for (let sent = 0; sent < MESSAGES; sent += 1) socket.send(message);
    expect(await closed).toBe(1013);
    expect((await ask()).status).toBe(200);
  });
});

describe('an account that continues a long history with short requests', () => {
  const continued = async (apiKey: string, fields: object) =>
    fullResponse(stack.baseUrl, {
      path: '/v1/responses',
      key: apiKey,
      body: { model: 'gp-5.4-mini', max_output_tokens: 20, ...fields },
    });

  it('gets the room that their bodies would get, and other customers notice nothing', async () => {
    const { apiKey } = await stack.createCustomer({ creditUsd: '5' });
    const padded = Buffer.concat([Buffer.from(PIXEL_PNG.split(',')[1] ?? '', 'base64'), Buffer.alloc(6 * MEBIBYTE)]);
    const image_url = `data:image/png;base64,${padded.toString('base64')}`;
    const first = await continued(apiKey, { input: [{ role: 'user', content: [{ type: 'input_image', image_url }] }] });
    expect(first.status).toBe(200);
    const previous_response_id = first.json<{ id: string }>().id;
    const more = () => continued(apiKey, { previous_response_id, input: 'And?' });
    const [others, responses] = await Promise.all([
      Promise.all(Array.from({ length: 5 }, () => ask())),
      Promise.all(Array.from({ length: 24 }, more)),
    ]);
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const statuses = responses.map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    process.stdout.write(`${statuses.filter((status) => status === 429).length} of 24 had to wait\n`);
    await eventually(async () => expect((await more()).status).toBe(200));
  });
});

describe('an account that uploads slowly', () => {
  it('fills no disk beyond its room, leaves no file behind and no error in the log', async () => {
    const form = { bytes: 20 * MEBIBYTE, path: EDITS, type: FORM };
    expect(await beginAll(3, { ...form, apiKey: hostile.apiKey })).toEqual([null, null, null]);
    expect(await begin({ ...form, apiKey: other.apiKey, withinMs: PATIENT_MS })).toBe(503);
    expect(await begin({ ...form, apiKey: penniless.apiKey, withinMs: PATIENT_MS })).toBe(402);
    for (const socket of open.splice(0)) socket.destroy();
    await isFree();
    await eventually(async () => {
      expect(
        (await readdir(uploadFolder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()),
      ).toEqual([]);
    });
    expect(stack.system.instance('api-edge').log()).not.toContain('"msg":"request failed"');
  });
});

describe('refusals', () => {
  it('of a key that goes on and on are answered with 429 before the body, and no other key is affected', async () => {
    const stubborn = await stack.createCustomer({ creditUsd: '1' });
    let last = await ask(stubborn, [{ type: 'none' }]);
    expect(last.status).toBe(400);
    for (let round = 0; round < 40 && last.status !== 429; round += 1) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => ask(stubborn, [{ type: 'none' }])));
      last = answers.at(-1) ?? last;
    }
    expect(last.text).toContain('Too many of your requests were refused');
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
    expect((await ask()).status).toBe(200);
    await eventually(async () => expect((await ask(stubborn)).status).toBe(200));
  });

  it('come a second later once they are too many, so that a flood of them is slow', async () => {
    const flooding = await stack.createCustomer({ creditUsd: '1' });
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    const headers = { authorization: `Bearer ${flooding.apiKey}` };
    const refusedAfterMs: number[] = [];
    const read = async (): Promise<void> => {
      const startedMs = performance.now();
      const [response] = (await once(get(`${stack.baseUrl}/v1/models`, { agent, headers }), 'response')) as [
        IncomingMessage,
      ];
      if (response.statusCode === 429) refusedAfterMs.push(performance.now() - startedMs);
      await response.resume().toArray();
    };
    // A burst of half a minute at the default rate.
    while (refusedAfterMs.length === 0) await Promise.all(Array.from({ length: 20 }, read));
    expect(Math.min(...refusedAfterMs)).toBeGreaterThan(REFUSED_AFTER_MS);
    expect((await ask()).status).toBe(200);
    agent.destroy();
  });

  it('of unknown keys end in 429 for their address, and known keys go on', async () => {
    const guess = () => fullResponse(stack.baseUrl, { key: newApiKey(), body: { model: 'none' } });
    let statuses: readonly number[] = [];
    for (let round = 0; round < 20 && !statuses.includes(429); round += 1) {
      statuses = (await Promise.all(Array.from({ length: 50 }, guess))).map(({ status }) => status);
    }
    expect(statuses).toContain(429);
    expect((await ask()).status).toBe(200);
    await eventually(async () => expect((await guess()).status).toBe(401));
  });

  const unknownKey = newApiKey();
  it.each<[name: string, status: number, request: () => ReturnType<typeof fullResponse>]>([
    ['without a key', 401, () => fullResponse(stack.baseUrl, { body: { model: 'none' } })],
    ['of malformed keys', 401, () => fullResponse(stack.baseUrl, { key: 'sk-none', body: { model: 'none' } })],
    ['of one unknown key', 401, () => fullResponse(stack.baseUrl, { key: unknownKey, body: { model: 'none' } })],
    ['of unknown paths', 404, () => fullResponse(stack.baseUrl, { method: 'GET', path: '/none' })],
    ['of paths that do not decode', 404, () => fullResponse(stack.baseUrl, { method: 'GET', path: '/%E0%A4%A' })],
    ['of wrong methods', 405, () => fullResponse(stack.baseUrl, { method: 'DELETE', path: '/docs' })],
    ['of wrong signatures', 403, () => fullResponse(stack.baseUrl, { method: 'GET', path: WRONG_ADDRESS })],
  ])('%s end in 429 for their address, and keys that the edge has not seen pass', async (_name, status, request) => {
    await eventually(async () => expect((await request()).status).toBe(status));
    const statuses = new Set<number>();
    while (!statuses.has(429)) {
      for (const answer of await Promise.all(Array.from({ length: 100 }, request))) statuses.add(answer.status);
    }
    expect([...statuses].sort()).toEqual([status, 429]);
    const newcomer = await stack.createCustomer({ creditUsd: '1' });
    expect((await ask(newcomer)).status).toBe(200);
    expect((await fullResponse(stack.baseUrl, { method: 'GET', path: '/readyz' })).status).toBe(200);
  });

  it('of an account that reads paths that do not exist end in 429', async () => {
    const lost = await stack.createCustomer({ creditUsd: '1' });
    const statuses = new Set<number>();
    while (!statuses.has(429)) {
      const reads = Array.from({ length: 100 }, () =>
        fullResponse(stack.baseUrl, { method: 'GET', path: '/v1/none', key: lost.apiKey }),
      );
      for (const { status } of await Promise.all(reads)) statuses.add(status);
    }
    expect([...statuses].sort()).toEqual([404, 429]);
  });

  it('of sessions that do not exist end in 429 at the account address, and sessions go on', async () => {
    const accountUrl = stack.system.accountUrl ?? '';
    const read = (key: string) => fullResponse(accountUrl, { method: 'GET', path: '/account/balance', key });
    const statuses = new Set<number>();
    while (!statuses.has(429)) {
      const guesses = Array.from({ length: 50 }, () => read(`sess_${'x'.repeat(43)}`));
      for (const { status } of await Promise.all(guesses)) statuses.add(status);
    }
    expect([...statuses].sort()).toEqual([401, 429]);
    expect((await read(other.token)).status).toBe(200);
    const lost = () => fullResponse(accountUrl, { method: 'GET', path: '/none' });
    statuses.clear();
    while (!statuses.has(429)) {
      for (const { status } of await Promise.all(Array.from({ length: 50 }, lost))) statuses.add(status);
    }
    expect([...statuses].sort()).toEqual([404, 429]);
  });
});

it('leaves a consistent ledger', async () => {
  await expectConsistentLedger(stack, [hostile, other, penniless]);
});
