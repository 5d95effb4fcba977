import { randomBytes } from 'node:crypto';
import {
  AccountClient,
  eventually,
  fullResponse,
  type ReceivedWebhook,
  startTestStack,
  WebhookReceiver,
} from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { DEFAULT_MODEL } from '../text/chat-fields.js';

const newKey = (): string => randomBytes(32).toString('base64');
const [oldKey, nextKey] = [newKey(), newKey()];

const stack = await startTestStack({
  env: { accounts: { WEBHOOK_SECRET_KEYS: oldKey }, 'video-worker': { WEBHOOK_SECRET_KEYS: oldKey } },
});
afterAll(() => stack.stop());

const { system } = stack;
const body = { model: DEFAULT_MODEL, messages: [{ role: 'user', content: 'Hello' }] };

/** Restarts one instance with other variables. */
async function rollOut(name: string, variables: Readonly<Record<string, string>>): Promise<void> {
  const instance = system.instance(name);
  await instance.stop();
  instance.useVariables(variables);
  await instance.start();
}

/** The three rollouts of docs/runbooks/rotate-secrets.md: services use the first value of a list and accept all. */
const rollOutsOf = (before: string, after: string): readonly string[] => [
  `${before},${after}`,
  `${after},${before}`,
  after,
];

/** A new customer: no edge has a cached key or a block of balance, so the edge must call billing. */
async function requestAsNewCustomer(edgeUrl = stack.baseUrl): Promise<number> {
  const customer = await stack.createCustomer({ creditUsd: '1' });
  const { status } = await fullResponse(edgeUrl, { key: customer.apiKey, body });
  await expectConsistentLedger(stack, [customer]);
  return status;
}

describe('the internal token, rotated under load', () => {
  it('is accepted by billing before edges use it, and until no edge uses it', async () => {
    const before = system.secrets.internalToken;
    for (const INTERNAL_TOKEN of rollOutsOf(before, newKey())) {
      await rollOut('billing', { INTERNAL_TOKEN });
      expect(await requestAsNewCustomer()).toBe(200);
      await rollOut('api-edge', { INTERNAL_TOKEN });
      expect(await requestAsNewCustomer()).toBe(200);
    }
    const late = await system.add('api-edge', { INTERNAL_TOKEN: before });
    expect(await requestAsNewCustomer(late.url)).toBe(503);
    await late.stop();
  });
});

describe('the ledger token', () => {
  it('is accepted by billing before accounts uses it, and until accounts does not use it', async () => {
    const customer = await stack.createCustomer({ creditUsd: '1' });
    for (const LEDGER_TOKEN of rollOutsOf(system.secrets.ledgerToken, newKey())) {
      await rollOut('billing', { LEDGER_TOKEN });
      await customer.topUp('1');
      await rollOut('accounts', { LEDGER_TOKEN });
      await customer.topUp('1');
    }
    await rollOut('billing', { LEDGER_TOKEN: newKey() });
    await expect(customer.topUp('1')).rejects.toMatchObject({ status: 503 });
    await rollOut('accounts', { LEDGER_TOKEN: system.secrets.ledgerToken });
    await rollOut('billing', { LEDGER_TOKEN: system.secrets.ledgerToken });
    await expectConsistentLedger(stack, [customer]);
  });
});

describe('the admin token', () => {
  it('is replaced by its rollout, and the old one is rejected', async () => {
    const ADMIN_TOKEN = newKey();
    await rollOut('accounts', { ADMIN_TOKEN });
    await expect(stack.accounts.reconciliation()).rejects.toMatchObject({ status: 401 });
    const operator = new AccountClient(system.accountUrl, ADMIN_TOKEN);
    expect(await operator.reconciliation()).toMatchObject({ drift_nano_usd: '0' });
    await rollOut('accounts', { ADMIN_TOKEN: stack.system.adminToken });
    expect(await stack.accounts.reconciliation()).toMatchObject({ drift_nano_usd: '0' });
  });
});

describe("a vendor's key", () => {
  it('is replaced alone or beside a rejected key without a failed request', async () => {
    const customer = await stack.createCustomer({ creditUsd: '10', limits: { rpm: 0, concurrency: 0 } });
    const vendor = { OPENAI_BASE_URL: `${system.simulatorUrl}/openai` };
    const other = await system.add('sync-worker', { ...vendor, OPENAI_API_KEY: 'good-key' });
    const statuses: number[] = [];
    let isOver = false;
    const client = async (): Promise<void> => {
      while (!isOver) statuses.push((await fullResponse(stack.baseUrl, { key: customer.apiKey, body })).status);
    };
    const traffic = Promise.all([client(), client()]);
    // The simulator rejects `bad-key`, as a vendor rejects a revoked key.
    for (const OPENAI_API_KEY of ['good-key', 'next-key', 'bad-key,next-key']) {
      const before = statuses.length;
      await rollOut('sync-worker', { ...vendor, OPENAI_API_KEY });
      await other.stop();
      await eventually(() => statuses.length > before + 20, { withinMs: 60_000 });
      other.useVariables({ OPENAI_API_KEY });
      await other.start();
    }
    isOver = true;
    await traffic;
    expect(new Set(statuses)).toEqual(new Set([200]));
    await expectConsistentLedger(stack, [customer]);
  });
});

describe('the key that encrypts webhook secrets', () => {
  it('can be removed once its successor has encrypted every secret again', async () => {
    const receiver = await WebhookReceiver.open();
    const customer = await stack.createCustomer();
    const { id, secret = '' } = await stack.accounts.createWebhookEndpoint(customer.token, { url: receiver.url });
    let receivedCount = 0;
    const expectWebhook = async (): Promise<void> => {
      await stack.accounts.testWebhookEndpoint(customer.token, id);
      receivedCount += 1;
      await receiver.until(receivedCount);
      const { body: payload, headers } = receiver.received.at(-1) as ReceivedWebhook;
      expect(new Webhook(secret).verify(payload, headers)).toMatchObject({ type: 'webhook.test' });
    };
    const hasReencrypted = (): boolean => system.instance('accounts').log().includes('sealed with the current key');
    await expectWebhook();
    for (const WEBHOOK_SECRET_KEYS of rollOutsOf(oldKey, nextKey)) {
      await rollOut('accounts', { WEBHOOK_SECRET_KEYS });
      await expectWebhook();
      await rollOut('video-worker', { WEBHOOK_SECRET_KEYS });
      await expectWebhook();
      // The log line that docs/runbooks/rotate-secrets.md requires before the old key is removed.
      if (WEBHOOK_SECRET_KEYS === `${nextKey},${oldKey}`) await eventually(() => hasReencrypted());
    }
    await receiver.close();
  });
});
