import type { ModelEntry } from '@gateway/contracts';
import {
  type Customer,
  eventually,
  expectedCost,
  fullResponse,
  openResponse,
  readEvents,
  type SettlementRow,
  startTestStack,
} from '@gateway/testing';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { type LeavingRequest, STREAMS, WHOLES } from './leaving-requests.js';

/*
 * Who leaves early pays at least what the vendor bills, and at most what the whole response costs: for every protocol
 * and a cut after every chunk.
 */

jest.setTimeout(60_000);

const CHUNK_MS = 40;
const SETTLED_WITHIN_MS = 15_000;

const stack = await startTestStack();
afterAll(() => stack.stop());

type Sendable = Pick<LeavingRequest, 'model' | 'path' | 'body'>;

const entryOf = async (customer: Customer, model: string): Promise<ModelEntry> =>
  (await fullResponse(stack.baseUrl, { method: 'GET', path: `/v1/models/${model}`, key: customer.apiKey })).json();

/** One left or whole request: what the vendor bills, and the settlement. */
interface Ended {
  readonly billedNanoUsd: bigint;
  readonly settlement: SettlementRow;
}

/** Runs one request of a customer alone, until it is settled and its upstream calls have ended. */
async function runAlone(customer: Customer, model: string, run: (since: number) => Promise<void>): Promise<Ended> {
  const [since, earlier] = [await stack.simulator.lastSeq(), await stack.ledger.settlementCount(customer.accountId)];
  await run(since);
  const settlement = await eventually(
    async () => {
      const rows = await stack.ledger.settlements(customer.accountId);
      expect(rows).toHaveLength(earlier + 1);
      return rows.at(-1) as SettlementRow;
    },
    { withinMs: SETTLED_WITHIN_MS },
  );
  const calls = await eventually(() => stack.simulator.closedJournal(since));
  expect(calls).toHaveLength(1);
  const entry = await entryOf(customer, model);
  const billed = calls.map((call) => (call.billed === null ? 0n : expectedCost(entry, call.billed)));
  return { billedNanoUsd: billed.reduce((sum, cost) => sum + cost, 0n), settlement };
}

const untilCalled = (since: number): Promise<void> =>
  eventually(async () => expect(await stack.simulator.journal(since)).toHaveLength(1));

/** True of an event that brings output: text, thinking, or an image. */
const bringsOutput = (text: string): boolean =>
  /"(content|text|delta|thinking|reasoning_content|b64_json|url)":"[^"]/.test(text);

/** Leaves after `count` events with output; for 0 once the vendor has the request. */
async function leaveAfter(
  { path, body }: Sendable,
  customer: Customer,
  directives: string,
  count: number,
): Promise<void> {
  const since = await stack.simulator.lastSeq();
  const leaving = new AbortController();
  const sent = openResponse(stack.baseUrl, { path, key: customer.apiKey, body: body(directives) }, leaving.signal);
  if (count === 0) {
    await untilCalled(since);
    leaving.abort();
    await expect(sent).rejects.toThrow();
    return;
  }
  const response = await sent;
  expect(response.status).toBe(200);
  let outputs = 0;
  for await (const event of readEvents(response.message)) {
    if (event.kind === 'data' && bringsOutput(event.text)) outputs += 1;
    if (outputs === count) break;
  }
  response.disconnect();
}

const readWhole = async ({ path, body }: Sendable, customer: Customer, directives: string): Promise<void> => {
  const response = await fullResponse(stack.baseUrl, { path, key: customer.apiKey, body: body(directives) });
  expect({ status: response.status, text: response.text.slice(0, 300) }).toMatchObject({ status: 200 });
};

/** A stream that stops stalls at the cut, so that the vendor has sent exactly what its client received. */
const directivesOf = ({ contract, chunks, path }: LeavingRequest, cut: number): string => {
  const shape = path.includes('images') ? '' : `chunks=${chunks}`;
  if (cut === 0) return `${shape} delay_ms=300 chunk_ms=${CHUNK_MS}`;
  return contract === 'stops' ? `${shape} hang_after=${cut}` : `${shape} chunk_ms=${CHUNK_MS}`;
};

describe.each(STREAMS.map((request) => [request.name, request] as const))('a left stream: %s', (_name, request) => {
  it("costs at least the vendor's bill and at most the whole, at every cut", async () => {
    const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });
    const plain = request.path.includes('images') ? '' : `chunks=${request.chunks}`;
    const whole = await runAlone(customer, request.model, () => readWhole(request, customer, plain));
    expect(whole.settlement.chargedNanoUsd).toBe(whole.billedNanoUsd);
    for (let cut = 0; cut <= request.chunks; cut += 1) {
      const { billedNanoUsd, settlement } = await runAlone(customer, request.model, () =>
        leaveAfter(request, customer, directivesOf(request, cut), cut),
      );
      const { chargedNanoUsd, abortContract, outcome } = settlement;
      expect({ cut, abortContract, isAtLeastTheBill: chargedNanoUsd >= billedNanoUsd }).toEqual({
        cut,
        abortContract: request.contract,
        isAtLeastTheBill: true,
      });
      expect({ cut, isAtMostTheWhole: chargedNanoUsd <= whole.settlement.chargedNanoUsd }).toEqual({
        cut,
        isAtMostTheWhole: true,
      });
      expect(billedNanoUsd).toBeGreaterThan(0n);
      if (request.contract === 'completes') expect([outcome, chargedNanoUsd]).toEqual(['completed', billedNanoUsd]);
    }
    await expectConsistentLedger(stack, [customer]);
  });
});

describe.each(WHOLES.map((request) => [request.name, request] as const))('a left call: %s', (_name, request) => {
  it('is charged whole once the vendor has it', async () => {
    const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });
    const { billedNanoUsd, settlement } = await runAlone(customer, request.model, () =>
      leaveAfter(request, customer, 'delay_ms=300', 0),
    );
    expect(settlement).toMatchObject({ outcome: 'completed', abortContract: 'completes', isEstimated: false });
    expect(settlement.chargedNanoUsd).toBe(billedNanoUsd);
    expect(billedNanoUsd).toBeGreaterThan(0n);
    await expectConsistentLedger(stack, [customer]);
  });
});

describe('the response of a client that left', () => {
  const [hidden] = STREAMS.filter(({ name }) => name === 'OpenAI, hidden reasoning') as [LeavingRequest];
  const slow = { ...hidden, body: () => hidden.body(`chunks=8 chunk_ms=150`) };

  const resultOf = (requestId: string, { apiKey }: Customer) =>
    fullResponse(stack.baseUrl, { method: 'GET', path: `/v1/requests/${requestId}/result`, key: apiKey });

  const storedResultOf = (requestId: string, customer: Customer) =>
    eventually(async () => {
      const result = await resultOf(requestId, customer);
      expect(result.status).toBe(200);
      return result;
    });

  /** Leaves after the first text. Resolves to the request's id and the text until then. */
  async function leaveEarly(customer: Customer, headers: Record<string, string> = {}) {
    const response = await openResponse(stack.baseUrl, {
      path: slow.path,
      key: customer.apiKey,
      headers,
      body: slow.body(),
    });
    let seen = '';
    for await (const event of readEvents(response.message)) {
      seen += event.text;
      if (bringsOutput(event.text)) break;
    }
    response.disconnect();
    return { requestId: String(response.headers['x-request-id']), seen };
  }

  it('is stored from its beginning, for its account alone, and is free', async () => {
    const customer = await stack.createCustomer({ creditUsd: '100' });
    const stranger = await stack.createCustomer({ creditUsd: '1' });
    const { requestId, seen } = await leaveEarly(customer);
    const early = await resultOf(requestId, customer);
    expect(early).toMatchObject({ status: 409, headers: { 'retry-after': expect.any(String) } });
    expect(early.json()).toMatchObject({ error: { code: 'request_in_progress' } });
    expect((await resultOf(requestId, stranger)).status).toBe(404);
    const result = await storedResultOf(requestId, customer);
    expect(result.headers).toMatchObject({
      'content-type': expect.stringContaining('event-stream'),
      'x-cost-usd': '0.00',
    });
    expect(result.text.replaceAll(/data: |\n/g, '').startsWith(seen.slice(0, 20))).toBe(true);
    expect(result.text.trimEnd().endsWith('[DONE]')).toBe(true);
    expect((await resultOf(requestId, stranger)).status).toBe(404);
    await expectConsistentLedger(stack, [customer]);
    expect(await stack.ledger.settlementCount(customer.accountId)).toBe(1);
  });

  it('is the same by its id and by its idempotency key', async () => {
    const customer = await stack.createCustomer({ creditUsd: '100' });
    const headers = { 'idempotency-key': 'left-once' };
    const { requestId } = await leaveEarly(customer, headers);
    const byId = await storedResultOf(requestId, customer);
    const byKey = await fullResponse(stack.baseUrl, {
      path: slow.path,
      key: customer.apiKey,
      headers,
      body: slow.body(),
    });
    expect([byKey.status, byKey.headers['idempotent-replayed'], byKey.text]).toEqual([200, 'true', byId.text]);
    await expectConsistentLedger(stack, [customer]);
    expect(await stack.ledger.settlementCount(customer.accountId)).toBe(1);
  });

  it('is not stored for a client that stayed', async () => {
    const customer = await stack.createCustomer({ creditUsd: '100' });
    const whole = await fullResponse(stack.baseUrl, { path: slow.path, key: customer.apiKey, body: slow.body() });
    expect(whole.status).toBe(200);
    expect((await resultOf(String(whole.headers['x-request-id']), customer)).status).toBe(404);
  });

  it('without a stream is stored whole', async () => {
    const customer = await stack.createCustomer({ creditUsd: '100' });
    const [request] = WHOLES;
    const { settlement } = await runAlone(customer, request?.model ?? '', () =>
      leaveAfter(request as Sendable, customer, 'delay_ms=300', 0),
    );
    const result = await storedResultOf(settlement.requestId, customer);
    expect(result.json()).toMatchObject({ object: 'chat.completion' });
  });
});

describe('a stream that the vendor bills beyond its hold', () => {
  it('is ended in its own error form once the account cannot pay, and charged what it used', async () => {
    const customer = await stack.createCustomer({ creditUsd: '0.10' });
    // The vendor counts a prompt that is a thousand times as long as its bytes.
    const content = '{{sim prompt_tokens=400000 chunks=100 chunk_ms=100}} Go on';
    const body = { model: 'cl-sonnet-4-6', max_tokens: 1_000, messages: [{ role: 'user', content }], stream: true };
    const response = await openResponse(stack.baseUrl, { path: '/v1/messages', key: customer.apiKey, body });
    let last = '';
    for await (const event of readEvents(response.message)) if (event.kind === 'data') last = event.text;
    expect(JSON.parse(last)).toMatchObject({ type: 'error', error: { type: 'billing_error' } });
    await expectConsistentLedger(stack, [customer]);
    const [settlement] = await stack.ledger.settlements(customer.accountId);
    expect(settlement).toMatchObject({ outcome: 'interrupted', errorCode: 'insufficient_quota' });
    expect(settlement?.units.input_token).toBe(400_000);
    expect(settlement?.units.output_token).toBeLessThan(400);
  });
});
