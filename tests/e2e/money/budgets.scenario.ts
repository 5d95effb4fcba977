import { randomBytes } from 'node:crypto';
import {
  type Customer,
  type CustomerOptions,
  eventually,
  fullResponse,
  startTestStack,
  WebhookReceiver,
} from '@gateway/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';

const WEBHOOK_SECRET_KEYS = randomBytes(32).toString('base64');
const stack = await startTestStack({
  services: ['upstream-simulator', 'billing', 'video-worker', 'sync-worker', 'accounts', 'api-edge'],
  env: { accounts: { WEBHOOK_SECRET_KEYS }, 'video-worker': { WEBHOOK_SECRET_KEYS } },
});
afterAll(() => stack.stop());

interface Alert {
  readonly type: string;
  readonly data: Readonly<Record<string, string>>;
}

let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await WebhookReceiver.open();
});
afterEach(() => receiver.close());

/** Its charge equals its hold. */
const image = { model: 'grok-imagine-image', prompt: 'A kite' };
const send = async ({ apiKey }: Customer): Promise<number> =>
  (await fullResponse(stack.baseUrl, { path: '/v1/images/generations', key: apiKey, body: image })).status;

const usdOf = (nano: bigint): string => `${nano / 1_000_000_000n}.${String(nano % 1_000_000_000n).padStart(9, '0')}`;

async function priceOfOne(): Promise<bigint> {
  const customer = await stack.createCustomer({ creditUsd: '5' });
  expect(await send(customer)).toBe(200);
  await waitUntilSettled(stack, [customer]);
  const [row] = await stack.ledger.settlements(customer.accountId);
  return row?.costNanoUsd as bigint;
}
const price = await priceOfOne();

/** A customer with a webhook endpoint for the default events; `receivedAlerts` verifies all deliveries. */
async function openCustomer(options: CustomerOptions) {
  const customer = await stack.createCustomer(options);
  const { secret = '' } = await stack.accounts.createWebhookEndpoint(customer.token, { url: receiver.url });
  const receivedAlerts = async (count: number): Promise<readonly Alert[]> => {
    await receiver.until(count);
    await waitUntilSettled(stack, [customer]);
    return receiver.received.map(({ body, headers }) => new Webhook(secret).verify(body, headers) as Alert);
  };
  return { customer, receivedAlerts };
}

describe('a customer whose money runs out', () => {
  it('receives one alert when the balance is low, one when it is empty, and another after a top-up', async () => {
    const { customer, receivedAlerts } = await openCustomer({ creditUsd: usdOf(3n * price) });
    await stack.accounts.changeSettings(customer.token, { low_balance_usd: usdOf(2n * price) });
    expect(await send(customer)).toBe(200);
    expect(await send(customer)).toBe(200);
    expect((await receivedAlerts(1)).map(({ type }) => type)).toEqual(['balance.low']);
    expect(await send(customer)).toBe(200);
    // Otherwise the alert of a rejection may precede the booking of the charge that caused it.
    await waitUntilSettled(stack, [customer]);
    for (let times = 0; times < 3; times += 1) expect(await send(customer)).toBe(402);
    const alerts = await receivedAlerts(2);
    expect(alerts.map(({ type }) => type)).toEqual(['balance.low', 'balance.exhausted']);
    expect(alerts[1]?.data).toEqual({ balance_usd: '0.00' });
    await customer.topUp(usdOf(2n * price));
    expect(await send(customer)).toBe(200);
    expect((await receivedAlerts(3)).map(({ type }) => type)).toEqual([
      'balance.low',
      'balance.exhausted',
      'balance.low',
    ]);
    const events = await stack.accounts.events(customer.token);
    expect(events.map(({ type }) => type)).toEqual(['balance.low', 'balance.exhausted', 'balance.low']);
    await expectConsistentLedger(stack, [customer]);
  });

  it('receives alerts as a key nears and reaches its cap, and again after the cap is raised', async () => {
    const { customer, receivedAlerts } = await openCustomer({
      creditUsd: '5',
      limits: { spend_cap_usd: usdOf(5n * price) },
    });
    for (let times = 0; times < 5; times += 1) expect(await send(customer)).toBe(200);
    expect(await send(customer)).toBe(402);
    const alerts = await receivedAlerts(2);
    expect(alerts.map(({ type }) => type).sort()).toEqual(['key.spend_cap.reached', 'key.spend_cap.warning']);
    for (const { data } of alerts) expect(data).toMatchObject({ key_id: customer.keyId, name: 'first' });
    await customer.changeKey(customer.keyId, { spend_cap_usd: usdOf(7n * price) });
    expect(await send(customer)).toBe(200);
    const [, , again] = await receivedAlerts(3);
    expect(again?.type).toBe('key.spend_cap.warning');
    await expectConsistentLedger(stack, [customer]);
  });
});

describe('a spend cap that a task uses up', () => {
  const submit = (key: string, directive: string) =>
    fullResponse(stack.baseUrl, {
      path: '/v1/videos/generations',
      key,
      body: { model: 'wn2.7-t2v', duration: 5, resolution: '720p', input: { prompt: `{{sim ${directive}}} A kite` } },
    });
  const accepted = async (key: string, directive: string): Promise<string> => {
    const response = await submit(key, directive);
    expect({ status: response.status, body: response.text }).toMatchObject({ status: 202 });
    return response.json<{ id: string }>().id;
  };

  it('is free again as soon as the task ends without a video', async () => {
    const customer = await stack.createCustomer({ creditUsd: '100' });
    const failing = 'task_seconds=1 task_fail=DataInspectionFailed';
    const first = await stack.ledger.requestOfTask(await accepted(customer.apiKey, failing));
    const receipt = await eventually(async () => {
      const row = await stack.ledger.settlement(customer.accountId, first);
      if (row === undefined) throw new Error('the task has not ended');
      return row;
    });
    const { key } = await customer.newKey({ spend_cap_usd: usdOf(receipt.holdNanoUsd) });
    await accepted(key, failing);
    expect((await submit(key, failing)).status).toBe(402);
    // An edge refreshes the cached key only after a minute.
    await eventually(() => accepted(key, failing), { withinMs: 60_000, intervalMs: 100 });
    await eventually(async () => expect(await stack.ledger.openTasks(customer.accountId)).toBe(0), {
      withinMs: 60_000,
    });
    await expectConsistentLedger(stack, [customer]);
  });
});
