import { eventually, openResponse, readEvents, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { DEFAULT_MODEL } from '../text/chat-fields.js';

/** The shortest grace period of a pod: only a process that exceeds it is killed. */
const GRACE_MS = 60_000;
/** The line is written at most every ten seconds, so a second one is later than every shorter wait. */
const REPORTS = 2;

const stack = await startTestStack({ commonEnv: { SHUTDOWN_GRACE_MS: String(GRACE_MS) } });
afterAll(() => stack.stop());

const { redis } = stack.system;
const customer = await stack.createCustomer({ creditUsd: '10', limits: { rpm: 0, concurrency: 0 } });
const body = {
  model: DEFAULT_MODEL,
  messages: [{ role: 'user', content: '{{sim chunks=40 chunk_ms=30}} Go on' }],
  stream: true,
};

async function beginStream() {
  const response = await openResponse(stack.baseUrl, { key: customer.apiKey, body });
  const events = readEvents(response.message);
  await events.next();
  return { requestId: String(response.headers['x-request-id']), events };
}

async function lastOf(events: AsyncIterable<{ text: string }>): Promise<string> {
  let last = '';
  for await (const { text } of events) last = text;
  return last;
}

const reportsOf = (log: string): number => log.split('settlements failed, will be retried').length - 1;

/** Stops the process while Redis is suspended: it stays until Redis is back, settles, and exits by itself. */
async function expectToSettleAndEnd(name: 'sync-worker' | 'api-edge'): Promise<void> {
  const process = stack.system.instance(name);
  const before = reportsOf(process.log());
  const ended = process.stop(GRACE_MS + 5_000);
  await eventually(() => reportsOf(process.log()) >= before + REPORTS, { withinMs: GRACE_MS });
  expect(process.isRunning).toBe(true);
  redis.resume();
  expect(await ended).toEqual({ exit: 'code 0', isForced: false });
  expect(process.log()).not.toContain('settlements are left to the spool');
}

const outcomeOf = (requestId: string): Promise<string> =>
  eventually(async () => {
    const row = await stack.ledger.settlement(customer.accountId, requestId);
    if (row === undefined) throw new Error(`${requestId} is not settled`);
    return row.outcome;
  });

// A pod's spool folder is deleted with it, so no process may exit with unsettled money in it.
describe('a rollout while Redis is suspended', () => {
  it('stops no worker before its responses are settled', async () => {
    const { requestId, events } = await beginStream();
    redis.suspend();
    expect(await lastOf(events)).toBe('[DONE]');
    await expectToSettleAndEnd('sync-worker');
    expect(await outcomeOf(requestId)).toBe('completed');
    await stack.system.instance('sync-worker').start();
    await expectConsistentLedger(stack, [customer]);
  });

  it('stops no edge before the responses of its dead worker are settled', async () => {
    const { requestId, events } = await beginStream();
    redis.suspend();
    await stack.system.instance('sync-worker').kill();
    expect(JSON.parse(await lastOf(events))).toMatchObject({ error: { code: 'worker_lost' } });
    await expectToSettleAndEnd('api-edge');
    expect(await outcomeOf(requestId)).toBe('interrupted');
    await stack.system.instance('sync-worker').start();
    await stack.system.instance('api-edge').start();
    await expectConsistentLedger(stack, [customer]);
  });
});

// A process that ends instead is started again ever later, and is away after Redis is back.
describe('a process that starts while Redis is suspended', () => {
  it.each(['sync-worker', 'video-worker', 'api-edge'] as const)(
    '%s: is alive, names Redis as the reason, and serves once Redis is back',
    async (name) => {
      const process = stack.system.instance(name);
      await process.kill();
      redis.suspend();
      const started = process.start();
      await eventually(async () => expect((await fetch(`${process.url}/healthz`)).status).toBe(200));
      const ready = await fetch(`${process.url}/readyz`);
      expect([ready.status, await ready.json()]).toEqual([
        503,
        { status: 'starting', details: { redis: { status: 'down' } } },
      ]);
      expect(await (await fetch(`${process.url}/metrics`)).text()).toContain(
        `gateway_ready{check="redis",service="${name}"} 0`,
      );
      redis.resume();
      await started;
      const { events } = await beginStream();
      expect(await lastOf(events)).toBe('[DONE]');
      await expectConsistentLedger(stack, [customer]);
    },
  );
});
