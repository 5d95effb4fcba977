import { eventually, fullResponse, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';

const stack = await startTestStack();
afterAll(() => stack.stop());

const hostile = await stack.createCustomer({ creditUsd: '10' });
const second = await stack.createCustomer({ creditUsd: '10' });
const other = await stack.createCustomer({ creditUsd: '10' });
type Customer = typeof hostile;

const chat = ({ apiKey }: Customer, model: string, content: string) =>
  fullResponse(stack.baseUrl, { key: apiKey, body: { model, messages: [{ role: 'user', content }] } });

const video = ({ apiKey }: Customer, prompt: string) =>
  fullResponse(stack.baseUrl, {
    key: apiKey,
    path: '/v1/videos/generations',
    body: { model: 'grok-imagine-video', duration: 1, resolution: '480p', input: { prompt } },
  });

/** The value of a worker's counter; 0 if it has no such series yet. */
async function suspicions(worker: 'sync-worker' | 'video-worker', outcome: string): Promise<number> {
  const { text } = await fullResponse(stack.system.instance(worker).url, { method: 'GET', path: '/metrics' });
  const values = text
    .split('\n')
    .filter((line) => line.startsWith('gateway_channel_suspicions_total') && line.includes(`outcome="${outcome}"`))
    .map((line) => Number(line.split(' ').at(-1)));
  return values.reduce((sum, value) => sum + value, 0);
}

describe('a vendor that rejects what one customer sends', () => {
  it.each([403, 404])('still serves the model to all others: chat, %i', async (status) => {
    for (let call = 0; call < 3; call += 1) {
      const refused = await chat(hostile, 'gm-2.5-flash', `{{sim status=${status}}}`);
      expect([400, 404, 503]).toContain(refused.status);
    }
    expect((await chat(other, 'gm-2.5-flash', 'Hello')).status).toBe(200);
  });

  it.each([403, 404])('still serves the model to all others: video, %i', async (status) => {
    for (let call = 0; call < 3; call += 1) {
      expect((await video(hostile, `{{sim status=${status}}}`)).status).toBeGreaterThanOrEqual(400);
    }
    expect((await video(other, 'A red kite')).status).toBe(202);
  });

  it('is counted as a closing that was not confirmed', async () => {
    await chat(hostile, 'gp-5.4-mini', '{{sim status=403}}');
    await eventually(async () => expect(await suspicions('sync-worker', 'unconfirmed')).toBeGreaterThanOrEqual(1));
    expect((await chat(other, 'gp-5.4-mini', 'Hello')).status).toBe(200);
  });
});

describe('a vendor that rejects what two customers send', () => {
  it('gets no call for that model for a minute; other models go on', async () => {
    await chat(hostile, 'cl-sonnet-4-6', '{{sim status=403}}');
    const confirmed = await chat(second, 'cl-sonnet-4-6', '{{sim status=403}}');
    const refused = await chat(other, 'cl-sonnet-4-6', 'Hello');
    for (const { status, headers } of [confirmed, refused]) {
      expect(status).toBe(503);
      expect(Number(headers['retry-after'])).toBeGreaterThan(55);
    }
    expect((await chat(other, 'cl-opus-4-7', 'Hello')).status).toBe(200);
    expect(await suspicions('sync-worker', 'second_account')).toBe(1);
  });

  it('serves on if a third one succeeded in between', async () => {
    await chat(hostile, 'gm-2.5-pro', '{{sim status=403}}');
    expect((await chat(other, 'gm-2.5-pro', 'Hello')).status).toBe(200);
    await chat(second, 'gm-2.5-pro', '{{sim status=403}}');
    expect((await chat(other, 'gm-2.5-pro', 'Hello')).status).toBe(200);
  });
});

describe('a vendor that refuses the key', () => {
  it('gets no call at all for a minute', async () => {
    expect((await chat(hostile, 'qn3.8-omni-flash', '{{sim status=401}}')).status).toBe(503);
    const refused = await chat(other, 'qn3.8-omni-flash', 'Hello');
    expect([refused.status, Number(refused.headers['retry-after']) > 55]).toEqual([503, true]);
  });
});

describe('an administrator', () => {
  const change = (body: object) =>
    fullResponse(stack.system.accountUrl, {
      key: stack.system.adminToken,
      method: 'PATCH',
      path: '/admin/channels/voyage-simulator',
      body,
    });
  const embed = () =>
    fullResponse(stack.baseUrl, { key: other.apiKey, path: '/v1/embeddings', body: { model: 'vg-4', input: 'x' } });

  it('pauses a channel in every worker, and ends the pause, without a restart', async () => {
    expect((await embed()).status).toBe(200);
    await change({ state: 'paused', reason: 'scenario' });
    await eventually(async () => expect((await embed()).status).toBe(503));
    await change({ state: 'active', reason: 'scenario' });
    await eventually(async () => expect((await embed()).status).toBe(200));
  });
});

describe('afterwards', () => {
  it('leaves a consistent ledger', async () => {
    await eventually(async () => expect(await other.balance()).toMatchObject({ held_usd: '0.00' }), {
      withinMs: 60_000,
    });
    await expectConsistentLedger(stack, [hostile, second, other]);
  });
});
