import { mkdtempSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Customer,
  eventually,
  fullResponse,
  type JournalEntry,
  openResponse,
  readEvents,
  type SettlementRow,
  startTestStack,
} from '@gateway/testing';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { PIXEL_PNG } from '../support/samples.js';

/* Requests above a megabyte are read and written in threads of a worker. What they cost when such a thread dies, or their client leaves. */

const MEBIBYTE = 1024 * 1024;
const PROMPT_TOKENS = 3_000;
const folder = mkdtempSync(join(tmpdir(), 'gateway-threads-'));
const endFile = join(folder, 'end');

const stack = await startTestStack({
  env: {
    'sync-worker': {
      NODE_OPTIONS: `--import=${new URL('../support/end-threads.mjs', import.meta.url)}`,
      END_THREADS_FILE: endFile,
    },
  },
});
afterAll(async () => {
  await stack.stop();
  await rm(folder, { recursive: true, force: true });
});
const customers: Customer[] = [];
const worker = stack.system.instance('sync-worker');

const padded = Buffer.concat([Buffer.from(PIXEL_PNG.split(',')[1] ?? '', 'base64'), Buffer.alloc(MEBIBYTE)]);
const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${padded.toString('base64')}` } };

/** Anthropic's streams of text stop when they are left, and Gemini's with thinking complete. */
const longChat = (model: string, directives: string, isStream: boolean) => ({
  model,
  messages: [
    {
      role: 'user',
      content: [{ type: 'text', text: `{{sim prompt_tokens=${PROMPT_TOKENS} ${directives}}} Go on` }, image],
    },
  ],
  max_tokens: 8_000,
  stream: isStream,
});

const newCustomer = async (): Promise<Customer> => {
  const customer = await stack.createCustomer({ creditUsd: '10', limits: { rpm: 0, concurrency: 1 } });
  customers.push(customer);
  return customer;
};

const faults = async (): Promise<number> => {
  const { text } = await fullResponse(worker.url, { method: 'GET', path: '/metrics' });
  return Number(/^gateway_thread_faults_total\S* (\d+)$/m.exec(text)?.[1]);
};

/** Ends all threads, and waits until `count` more faults are counted. */
async function endThreads(count: number): Promise<void> {
  const before = await faults();
  await writeFile(endFile, '');
  await eventually(async () => expect(await faults()).toBe(before + count));
  await rm(endFile);
}

const settlementOf = (customer: Customer): Promise<SettlementRow> =>
  eventually(async () => {
    const rows = await stack.ledger.settlements(customer.accountId);
    expect(rows).toHaveLength(1);
    return rows[0] as SettlementRow;
  });

async function closedCall(since: number): Promise<JournalEntry> {
  const [call, ...others] = await eventually(() => stack.simulator.closedJournal(since));
  if (call === undefined || others.length > 0) throw new Error(`${others.length + 1} calls instead of one`);
  return call;
}

/** The only lease of the account is free again, no money is held, and the next long request runs in a new thread. */
async function expectNextRuns(customer: Customer, model: string): Promise<void> {
  const body = longChat(model, '', false);
  const { status, text } = await fullResponse(stack.baseUrl, { key: customer.apiKey, body });
  expect([status, text.slice(0, 200)]).toEqual([200, expect.stringContaining('chat.completion')]);
  expect(await customer.balance()).toMatchObject({ held_usd: '0.00' });
}

const KINDS = [
  ['that stops', 'cl-sonnet-4-6', 'stops'],
  ['that completes', 'gm-2.5-flash', 'completes'],
] as const;

const SHAPE = 'chunks=6 chunk_ms=100';

/** What the whole response costs, for comparison. */
async function wholeCost(model: string): Promise<bigint> {
  const customer = await newCustomer();
  const body = longChat(model, 'chunks=6', true);
  expect((await fullResponse(stack.baseUrl, { key: customer.apiKey, body })).status).toBe(200);
  return (await settlementOf(customer)).chargedNanoUsd;
}

/** Charged is the prompt and what was read of the response. */
function expectPromptAtLeast({ units, chargedNanoUsd }: SettlementRow, whole: bigint): void {
  expect(units.input_token).toBeGreaterThanOrEqual(PROMPT_TOKENS);
  expect(units.output_token).toBeGreaterThan(0);
  expect(chargedNanoUsd).toBeLessThan(whole);
}

beforeEach(() => rm(endFile, { force: true }));

describe('a thread that dies while it reads', () => {
  it.each(KINDS)('a stream %s ends it with an error, charged what came until then', async (_what, model, contract) => {
    const whole = await wholeCost(model);
    const customer = await newCustomer();
    const since = await stack.simulator.lastSeq();
    const response = await openResponse(stack.baseUrl, { key: customer.apiKey, body: longChat(model, SHAPE, true) });
    let last = '';
    for await (const event of readEvents(response.message)) {
      if (last === '' && event.kind === 'data') await endThreads(1);
      last = event.text;
    }
    expect(JSON.parse(last)).toMatchObject({ error: { code: 'service_unavailable' } });
    expect((await closedCall(since)).client_aborted).toBe(true);
    const settlement = await settlementOf(customer);
    expect(settlement).toMatchObject({ outcome: 'interrupted', abortContract: contract });
    expectPromptAtLeast(settlement, whole);
    await expectNextRuns(customer, model);
  });

  it.each(KINDS)('a stream %s and that its client has left settles it', async (_what, model, contract) => {
    const whole = await wholeCost(model);
    const customer = await newCustomer();
    const since = await stack.simulator.lastSeq();
    const response = await openResponse(stack.baseUrl, { key: customer.apiKey, body: longChat(model, SHAPE, true) });
    for await (const event of readEvents(response.message)) if (event.kind === 'data') break;
    response.disconnect();
    await endThreads(1);
    expect((await closedCall(since)).client_aborted).toBe(true);
    const settlement = await settlementOf(customer);
    expect(settlement.abortContract).toBe(contract);
    expectPromptAtLeast(settlement, whole);
    await expectNextRuns(customer, model);
  });

  it('a call without a stream gives a 503, free, and closes no channel', async () => {
    const customer = await newCustomer();
    const since = await stack.simulator.lastSeq();
    const body = longChat('cl-sonnet-4-6', 'delay_ms=1000', false);
    const sent = fullResponse(stack.baseUrl, { key: customer.apiKey, body });
    await eventually(async () => expect(await stack.simulator.journal(since)).toHaveLength(1));
    await endThreads(1);
    const response = await sent;
    expect([response.status, response.json()]).toMatchObject([503, { error: { code: 'service_unavailable' } }]);
    expect(response.headers['retry-after']).toBeDefined();
    expect(await settlementOf(customer)).toMatchObject({ outcome: 'failed', chargedNanoUsd: 0n });
    await expectNextRuns(customer, 'cl-sonnet-4-6');
  });
});

describe('threads that die again and again', () => {
  it('refuse long requests for free before a vendor has them, and serve short ones', async () => {
    const customer = await newCustomer();
    const since = await stack.simulator.lastSeq();
    const before = await faults();
    await writeFile(endFile, '');
    const long = await fullResponse(stack.baseUrl, {
      key: customer.apiKey,
      body: longChat('cl-sonnet-4-6', '', false),
    });
    expect([long.status, long.json()]).toMatchObject([503, { error: { code: 'service_unavailable' } }]);
    // An idle thread may have died, too.
    expect(await faults()).toBeGreaterThan(before);
    expect(await stack.simulator.journal(since)).toEqual([]);
    const body = { ...longChat('cl-sonnet-4-6', '', false), messages: [{ role: 'user', content: 'Hi' }] };
    expect((await fullResponse(stack.baseUrl, { key: customer.apiKey, body })).status).toBe(200);
    await rm(endFile);
    await eventually(async () => {
      const outcomes = (await stack.ledger.settlements(customer.accountId)).map(({ outcome }) => outcome);
      expect(outcomes.toSorted()).toEqual(['completed', 'failed']);
    });
  });
});

describe('a client that sends a large body slowly and leaves', () => {
  it('pays nothing, holds nothing, and no vendor is called', async () => {
    const customer = await newCustomer();
    const since = await stack.simulator.lastSeq();
    const body = JSON.stringify(longChat('cl-sonnet-4-6', '', false));
    const { hostname, port } = new URL(stack.baseUrl);
    const head = [
      'POST /v1/chat/completions HTTP/1.1',
      `Host: ${hostname}`,
      `Authorization: Bearer ${customer.apiKey}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ].join('\r\n');
    for (const sent of [1, body.length / 2, body.length - 1]) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.write(`${head}\r\n\r\n${body.slice(0, sent)}`);
      await eventually(async () => expect(await bytesOfBodies()).toBeGreaterThan(0));
      socket.destroy();
      await eventually(async () => expect(await bytesOfBodies()).toBe(0));
    }
    expect(await stack.simulator.journal(since)).toEqual([]);
    expect(await stack.ledger.settlements(customer.accountId)).toEqual([]);
    expect(await customer.balance()).toMatchObject({ balance_usd: '10.00', held_usd: '0.00' });
    await expectNextRuns(customer, 'cl-sonnet-4-6');
  });
});

async function bytesOfBodies(): Promise<number> {
  const { text } = await fullResponse(stack.system.instance('api-edge').url, { method: 'GET', path: '/metrics' });
  return Number(/^gateway_body_bytes\{place="memory",service="api-edge"\} (\d+)$/m.exec(text)?.[1]);
}

it('leaves a consistent ledger', async () => {
  await expectConsistentLedger(stack, customers);
});
