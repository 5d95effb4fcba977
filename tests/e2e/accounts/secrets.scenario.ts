import { randomBytes } from 'node:crypto';
import { fullResponse, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { DEFAULT_MODEL } from '../text/chat-fields.js';

const stack = await startTestStack();
afterAll(() => stack.stop());

const customer = await stack.createCustomer({ creditUsd: '10', limits: { rpm: 0, concurrency: 0 } });
const body = { model: DEFAULT_MODEL, messages: [{ role: 'user', content: 'Hello' }] };

const oldSecret = stack.system.secrets.relaySecret;
const newSecret = randomBytes(24).toString('base64url');

/** The three rollouts of docs/runbooks/rotate-secrets.md: services use the first value of a list and accept all. */
const ROLL_OUTS = [`${oldSecret},${newSecret}`, `${newSecret},${oldSecret}`, newSecret];

const statusAt = async (edgeUrl: string): Promise<number> =>
  (await fullResponse(edgeUrl, { key: customer.apiKey, body })).status;

describe('the relay secret, rotated under load', () => {
  it('fails no request while instances have old and new values', async () => {
    let edge = stack.system.instance('api-edge');
    let worker = stack.system.instance('sync-worker');
    for (const RELAY_SECRET of ROLL_OUTS) {
      const nextWorker = await stack.system.add('sync-worker', { RELAY_SECRET });
      // New workers and an old edge, without the old worker: the old edge accepts the new workers.
      await worker.stop();
      expect(await statusAt(edge.url)).toBe(200);
      const nextEdge = await stack.system.add('api-edge', { RELAY_SECRET });
      expect(await statusAt(nextEdge.url)).toBe(200);
      await edge.stop();
      expect(await statusAt(nextEdge.url)).toBe(200);
      edge = nextEdge;
      worker = nextWorker;
    }
    await expectConsistentLedger(stack, [customer]);
  });

  it('fails no request where a remaining worker has only the old secret: it requeues its tickets', async () => {
    const edge = stack.system.instance('api-edge-4');
    await stack.system.add('sync-worker', { RELAY_SECRET: oldSecret });
    const log = () => stack.system.instance('sync-worker-5').log();
    let request = 0;
    while (!log().includes('no relay socket')) {
      expect(await statusAt(edge.url)).toBe(200);
      request += 1;
    }
    expect(request).toBeGreaterThan(0);
    await expectConsistentLedger(stack, [customer]);
  });

  it('stops a worker that has only the old secret', async () => {
    await stack.system.instance('sync-worker-4').stop();
    expect(await statusAt(stack.system.instance('api-edge-4').url)).toBe(503);
    await expectConsistentLedger(stack, [customer]);
  });
});
