import { eventually, openResponse, readEvents, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { USUAL_MODEL } from '../text/chat-fields.js';

/** As long as a pod is given at least, so that only a process that outstays it is killed. */
const GRACE_MS = 60_000;
/** Tries of a settlement on a Redis that hangs take three seconds each: more than any wait that is not the whole grace. */
const TRIES = 4;

jest.setTimeout(180_000);

const stack = await startTestStack({ commonEnv: { SHUTDOWN_GRACE_MS: String(GRACE_MS) } });
afterAll(() => stack.stop());

const { redis } = stack.system;
const customer = await stack.createCustomer({ creditUsd: '10', limits: { rpm: 0, concurrency: 0 } });
const body = {
  model: USUAL_MODEL,
  messages: [{ role: 'user', content: '{{sim chunks=40 chunk_ms=30}} Go on' }],
  stream: true,
};

async function beginStream() {
  const answer = await openResponse(stack.baseUrl, { key: customer.apiKey, body });
  const events = readEvents(answer.message);
  await events.next();
  return { requestId: String(answer.headers['x-request-id']), events };
}

async function lastOf(events: AsyncIterable<{ text: string }>): Promise<string> {
  let last = '';
  for await (const { text } of events) last = text;
  return last;
}

const triesOf = (log: string): number => log.split('settlement failed, will be retried').length - 1;

/** Told to go while Redis hangs, it stays with what it owes; once Redis is back it settles and ends, all by itself. */
async function expectToSettleAndEnd(name: 'sync-worker' | 'api-edge'): Promise<void> {
  const process = stack.system.instance(name);
  const before = triesOf(process.log());
  const ended = process.stop(GRACE_MS + 5_000);
  await eventually(() => triesOf(process.log()) >= before + TRIES, { withinMs: GRACE_MS });
  expect(process.isRunning).toBe(true);
  redis.resume();
  expect(await ended).toEqual({ exit: 'code 0', isForced: false });
  expect(process.log()).not.toContain('settlements are left to the spool');
}

const outcomeOf = (requestId: string): Promise<string> =>
  eventually(async () => {
    const row = await stack.books.settlement(customer.accountId, requestId);
    if (row === undefined) throw new Error(`${requestId} is not settled`);
    return row.outcome;
  });

// The folder of the spool goes with a pod: whoever is taken away while Redis is away must not leave money there.
describe('a roll-out while Redis hangs', () => {
  it('takes no worker away before what it has answered is settled', async () => {
    const { requestId, events } = await beginStream();
    redis.suspend();
    expect(await lastOf(events)).toBe('[DONE]');
    await expectToSettleAndEnd('sync-worker');
    expect(await outcomeOf(requestId)).toBe('completed');
    await stack.system.instance('sync-worker').start();
    await expectConsistentLedger(stack, [customer]);
  });

  it('takes no edge away before what its dead worker answered is settled', async () => {
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
