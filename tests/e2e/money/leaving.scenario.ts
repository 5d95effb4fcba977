import { randomInt } from 'node:crypto';
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
import { afterAll, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { bringsOutput, type Client, cancelAfter, leaveAfter, readWhole } from './leave.js';
import { knownEndpoints, leftCalls, paidEndpoints, sellableCalls } from './leaving-coverage.js';
import { type LeavingRequest, pathOf, STREAMS, WHOLES } from './leaving-requests.js';

/*
 * Who leaves early pays at least what the vendor bills, and at most what the whole response costs: for every protocol
 * and a cut after every chunk.
 */

const CHUNK_MS = 40;
const SETTLED_WITHIN_MS = 60_000;

const stack = await startTestStack();
afterAll(() => stack.stop());

const entryOf = async (customer: Customer, model: string): Promise<ModelEntry> =>
  (await fullResponse(stack.baseUrl, { method: 'GET', path: `/v1/models/${model}`, key: customer.apiKey })).json();

const customers: Customer[] = [];
const createCustomer = async (): Promise<Customer> => {
  const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });
  customers.push(customer);
  return customer;
};

/** One left or whole request: what the vendor bills, and the settlement. */
interface Ended {
  readonly billedNanoUsd: bigint;
  readonly settlement: SettlementRow;
}

/** Always as long, so that each prompt has as many tokens. */
const newTag = (): string => String(randomInt(1e9, 1e10));

/**
 * Runs one request until it is settled and its upstream calls have ended. A key of its own has its settlement, and a tag in
 * its prompt its line of the invoice, so that many requests run at once.
 */
async function runAlone(
  customer: Customer,
  { model, soldUnits }: LeavingRequest,
  directives: string,
  run: (client: Client) => Promise<void>,
): Promise<Ended> {
  const tag = newTag();
  const [since, key] = await Promise.all([stack.simulator.lastSeq(), customer.newKey()]);
  const called = () => stack.simulator.taggedJournal(since, tag);
  await run({
    baseUrl: stack.baseUrl,
    apiKey: key.key,
    directives: `tag=${tag} ${directives}`,
    untilCalled: () => eventually(async () => expect(await called()).toHaveLength(1)),
  });
  const settlement = await eventually(
    async () => {
      const rows = (await stack.ledger.settlements(customer.accountId)).filter(({ keyId }) => keyId === key.id);
      expect(rows).toHaveLength(1);
      return rows[0] as SettlementRow;
    },
    { withinMs: SETTLED_WITHIN_MS, intervalMs: 100 },
  );
  const call = await eventually(async () => {
    const [only, ...others] = await called();
    expect([others.length, only?.finished_at]).toEqual([0, expect.any(String)]);
    return only;
  });
  const billed = call?.billed ?? null;
  if (billed === null) return { billedNanoUsd: 0n, settlement };
  const sold = soldUnits === undefined ? billed : { ...billed, units: soldUnits };
  return { billedNanoUsd: expectedCost(await entryOf(customer, model), sold), settlement };
}

const shapeOf = ({ sendsImages, chunks }: LeavingRequest): string => (sendsImages === true ? '' : `chunks=${chunks}`);

/** A stream that stops stalls at the cut, so that the vendor has sent exactly what its client received. */
const directivesOf = (request: LeavingRequest, cut: number): string => {
  // A call that stops is cancelled with its first bytes, which have the first chunk.
  const pace = request.contract === 'stops' ? `hang_after=${Math.max(cut, 1)}` : `chunk_ms=${CHUNK_MS}`;
  return `${shapeOf(request)} ${pace} ${cut === 0 ? 'delay_ms=300' : ''}`;
};

describe('the requests that are left', () => {
  it('are of each endpoint that costs money, each protocol behind it, and each form of its response', () => {
    expect(knownEndpoints().toSorted()).toEqual(paidEndpoints().toSorted());
    expect(leftCalls([...STREAMS, ...WHOLES])).toEqual(sellableCalls());
  });
});

const cutsOf = ({ chunks }: LeavingRequest): readonly number[] => Array.from({ length: chunks + 1 }, (_, cut) => cut);

it.concurrent.each(STREAMS)(
  "a left stream costs at least the vendor's bill and at most the whole, at every cut: $name",
  async (request) => {
    const customer = await createCustomer();
    const [whole, ...lefts] = await Promise.all([
      runAlone(customer, request, shapeOf(request), (client) => readWhole(request, client)),
      ...cutsOf(request).map((cut) =>
        runAlone(customer, request, directivesOf(request, cut), (client) => leaveAfter(request, client, cut)),
      ),
    ]);
    expect(whole.settlement.chargedNanoUsd).toBe(whole.billedNanoUsd);
    for (const [cut, { billedNanoUsd, settlement }] of lefts.entries()) {
      const { chargedNanoUsd, abortContract, outcome } = settlement;
      expect({
        cut,
        abortContract,
        isBilled: billedNanoUsd > 0n,
        isAtLeastTheBill: chargedNanoUsd >= billedNanoUsd,
        isAtMostTheWhole: chargedNanoUsd <= whole.settlement.chargedNanoUsd,
      }).toEqual({
        cut,
        abortContract: request.contract,
        isBilled: true,
        isAtLeastTheBill: true,
        isAtMostTheWhole: true,
      });
      if (request.contract === 'completes') expect([outcome, chargedNanoUsd]).toEqual(['completed', billedNanoUsd]);
    }
  },
);

/** A worker learns of a cancellation within two seconds: before the end, unless the vendor sends all at once. */
const SLOW_CHUNK_MS = 1_500;
const KEPT = STREAMS.filter(
  ({ contract, form, endpoint }) =>
    contract === 'completes' && form === 'events' && ['chat.completions', 'messages'].includes(endpoint),
);

it.concurrent.each(KEPT)("a kept stream that is cancelled costs the vendor's bill: $name", async (request) => {
  const customer = await createCustomer();
  const directives = `${shapeOf(request)} chunk_ms=${SLOW_CHUNK_MS}`;
  const { billedNanoUsd, settlement } = await runAlone(customer, request, directives, (client) =>
    cancelAfter(request, client, 1),
  );
  expect(settlement).toMatchObject({ outcome: 'completed', abortContract: 'completes', isEstimated: false });
  expect(settlement.chargedNanoUsd).toBe(billedNanoUsd);
  expect(billedNanoUsd).toBeGreaterThan(0n);
});

it.concurrent.each(WHOLES)('a left call is charged whole once the vendor has it: $name', async (request) => {
  const customer = await createCustomer();
  const { billedNanoUsd, settlement } = await runAlone(customer, request, 'delay_ms=300', (client) =>
    leaveAfter(request, client, 0),
  );
  expect(settlement).toMatchObject({ outcome: 'completed', abortContract: 'completes', isEstimated: false });
  expect(settlement.chargedNanoUsd).toBe(billedNanoUsd);
  expect(billedNanoUsd).toBeGreaterThan(0n);
});

it('leaves a consistent ledger of all of them', async () => {
  await expectConsistentLedger(stack, customers);
});

describe('the response of a client that left', () => {
  const [hidden] = STREAMS.filter(({ name }) => name === 'OpenAI, hidden reasoning') as [LeavingRequest];
  const slow = async () => ({ path: pathOf(hidden), ...(await hidden.content('chunks=8 chunk_ms=150')) });

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
    const response = await openResponse(stack.baseUrl, { ...(await slow()), key: customer.apiKey, headers });
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
    const byKey = await fullResponse(stack.baseUrl, { ...(await slow()), key: customer.apiKey, headers });
    expect([byKey.status, byKey.headers['idempotent-replayed'], byKey.text]).toEqual([200, 'true', byId.text]);
    await expectConsistentLedger(stack, [customer]);
    expect(await stack.ledger.settlementCount(customer.accountId)).toBe(1);
  });

  it('is not stored for a client that stayed', async () => {
    const customer = await stack.createCustomer({ creditUsd: '100' });
    const whole = await fullResponse(stack.baseUrl, { ...(await slow()), key: customer.apiKey });
    expect(whole.status).toBe(200);
    expect((await resultOf(String(whole.headers['x-request-id']), customer)).status).toBe(404);
  });

  it('without a stream is stored whole', async () => {
    const customer = await stack.createCustomer({ creditUsd: '100' });
    const [request] = WHOLES as readonly [LeavingRequest];
    const { settlement } = await runAlone(customer, request, 'delay_ms=300', (client) =>
      leaveAfter(request, client, 0),
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
