import { eventually, nanoOf, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { DEFAULT_MODEL } from '../text/chat-fields.js';
import { type KeptRecord, KeptRequests } from './kept-requests.js';

/** A claim ends 30 s after its worker. */
const RECOVERED = { withinMs: 90_000 };

const stack = await startTestStack({ hasQueueRedis: true });
const otherEdge = await stack.system.add('api-edge');
afterAll(() => stack.stop());

const edge = stack.system.instance('api-edge');
const worker = stack.system.instance('sync-worker');
const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });
const requests = new KeptRequests(stack, customer);

const chat = (content: string) => ({ body: { model: DEFAULT_MODEL, messages: [{ role: 'user', content }] } });
const begin = (content: string, count: number): Promise<readonly KeptRecord[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => requests.begin(chat(`${content} ${index}`))));

/** Each has its response at the other edge, and one receipt over what its record says. */
async function expectAllCompleted(records: readonly KeptRecord[]): Promise<void> {
  for (const record of records) {
    const ended = await requests.until(record, 'completed', { ...RECOVERED, baseUrl: otherEdge.url });
    const result = await requests.get(record.result_url, { baseUrl: otherEdge.url });
    expect([result.status, result.json<{ object: string }>().object]).toEqual([200, 'chat.completion']);
    const receipt = await eventually(async () => {
      const found = await stack.ledger.settlement(customer.accountId, record.id);
      expect(found).toBeDefined();
      return found;
    }, RECOVERED);
    expect(receipt?.chargedNanoUsd).toBe(nanoOf(ended.cost.charged_usd ?? ''));
    expect(receipt?.chargedNanoUsd).toBeGreaterThan(0n);
  }
}

/** The steps of a kept request, and how often the vendor is called for one whose worker dies there. */
const CALLS_AFTER_DEATH = {
  'after-claim': 1,
  // The response was made and not stored: it is made again, and only one is charged.
  'after-store': 2,
  'after-end': 1,
  'after-settle': 1,
  'after-mark': 1,
};

describe('kept requests', () => {
  it('survive a worker that is killed while it runs them', async () => {
    const records = await begin('{{sim delay_ms=12000}} Killed', 10);
    for (const record of records) await requests.until(record, 'in_progress');
    await worker.kill();
    await worker.start();
    await expectAllCompleted(records);
  });

  it('survive a worker that is killed again and again while responses end', async () => {
    const records = await begin('{{sim delay_ms=40}} Ending', 60);
    await eventually(async () => {
      const ended = await Promise.all(records.map(({ status_url }) => requests.get(status_url)));
      expect(ended.some((one) => one.json<KeptRecord>().status === 'completed')).toBe(true);
    });
    await worker.kill();
    await worker.start();
    await expectAllCompleted(records);
  });

  it('survive workers that die at each step, charged once', async () => {
    const since = await stack.simulator.lastSeq();
    await worker.stop();
    const steps = Object.entries(CALLS_AFTER_DEATH);
    const mortal = await Promise.all(steps.map(([step]) => stack.system.add('sync-worker', { FAILPOINTS: step })));
    const records: KeptRecord[] = [];
    const alive = () => mortal.filter(({ isRunning }) => isRunning).length;
    // Any of them takes a request, and dies of it.
    for (let left = steps.length - 1; left >= 0; left -= 1) {
      records.push(...(await begin(`Dying ${left}`, 1)));
      await eventually(() => expect(alive()).toBe(left));
    }
    await worker.start();
    await expectAllCompleted(records);
    const calls = steps.reduce((sum, [, count]) => sum + count, 0);
    expect(await stack.simulator.journal(since)).toHaveLength(calls);
  });

  it('survive their edge', async () => {
    const records = await begin('{{sim delay_ms=1000}} Edge', 5);
    await edge.kill();
    await expectAllCompleted(records);
    await edge.start();
  });

  it('survive a queue that is lost', async () => {
    await worker.stop();
    const records = await begin('Queue', 5);
    await stack.system.queueRedis?.flush();
    await worker.start();
    await expectAllCompleted(records);
  });

  it('leave consistent money', () => expectConsistentLedger(stack, [customer]));
});
