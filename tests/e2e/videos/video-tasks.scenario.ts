import { eventually, startTestStack } from '@gateway/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { TaskRequests } from './task-requests.js';

/** All time-outs of a worker are short here, so that a scenario takes seconds. */
const DASHSCOPE_PER_SECOND = 18;
const QUICK = {
  POLL_FASTEST_MS: '100',
  POLL_SLOWEST_MS: '300',
  SWEEP_EVERY_MS: '500',
  SUBMIT_TIMEOUT_MS: '5000',
  POLL_TIMEOUT_MS: '3000',
  UNKNOWN_AFTER_MS: '1500',
  POLLS_PER_SECOND: JSON.stringify({ dashscope: DASHSCOPE_PER_SECOND, ark: 500, xai: 500 }),
};
const DEADLINE_SECONDS = 5;
/** Polls rarely and gives up early: the deadline of a task comes soon, and once. */
const SHORT_DEADLINE = {
  ...QUICK,
  VENDORS: 'xai',
  TASK_DEADLINE_SECONDS: String(DEADLINE_SECONDS),
  POLL_SLOWEST_MS: '60000',
};

const stack = await startTestStack({
  restrictServices: true,
  commonEnv: { CHARGE_INPUT_SECONDS: 'true' },
  env: { 'video-worker': { ...QUICK, VENDORS: 'dashscope,ark' } },
});
afterAll(() => stack.stop());
const worker = stack.system.instance('video-worker');
const shortDeadline = await stack.system.add('video-worker', SHORT_DEADLINE);
const billing = stack.system.instance('billing');

const WAN = 'wn2.7-t2v';
const SEEDANCE = 'seedance-1.5-pro';
const GROK = 'grok-imagine-video';

let wan: TaskRequests;
let seedance: TaskRequests;
let grok: TaskRequests;

beforeEach(async () => {
  for (const instance of [billing, worker, shortDeadline]) if (!instance.isRunning) await instance.start();
  wan = await TaskRequests.open(stack, WAN);
  seedance = await TaskRequests.open(stack, SEEDANCE);
  grok = await TaskRequests.open(stack, GROK);
});

afterEach(async () => {
  await expectConsistentLedger(stack, [wan.customer, seedance.customer, grok.customer]);
});

/** Expects this end at no cost, with a receipt that agrees. */
async function expectFree(taskRequests: TaskRequests, id: string, status: string, code?: string): Promise<void> {
  const task = await taskRequests.waitUntilEnded(id);
  expect(task).toMatchObject({ status, cost: '0.00', content: null, ...(code !== undefined && { error: { code } }) });
  expect(await taskRequests.receipt(task)).toMatchObject({ outcome: status, costNanoUsd: 0n });
}

/** Expects success, one upstream task, and the cost that the upstream billed. */
async function expectPaid(taskRequests: TaskRequests, id: string, text: string): Promise<void> {
  const task = await taskRequests.waitUntilEnded(id);
  expect(task).toMatchObject({ status: 'succeeded', error: null });
  expect(task.content?.video_url).toMatch(/^http/);
  expect(await taskRequests.receipt(task)).toMatchObject({ outcome: 'completed' });
  expect(await taskRequests.onlyUpstreamTask(text)).toMatchObject({ state: 'succeeded' });
}

describe('the seconds of reference videos, where the operator charges them', () => {
  const CLIP = 'https://cdn.example.com/clip.mp4';
  const REFERENCES = 'wn3.0-video';

  it.each([
    ['what the vendor bills', 'input_seconds=4', 4],
    ['at most the seconds that were held', 'input_seconds=19', 15],
  ])('stand in list, quote, hold and receipt, and cost %s', async (_case, directives, charged) => {
    const references = await TaskRequests.open(stack, REFERENCES);
    const { customer, model } = references;
    expect(model.pricing.per_million).toMatchObject({ second_720p: '100000', input_second_720p: '100000' });
    const text = references.tag(`task_seconds=1 ${directives}`);
    const input = { prompt: text, media: [{ type: 'reference_video', url: CLIP }] };
    const body = { model: REFERENCES, duration: 5, resolution: '720p', input };
    const quote = await stack.accounts.quote(customer.apiKey, { endpoint: 'videos.generations', body });
    expect(quote).toMatchObject({ hold_usd: '2.00', hold_units: { second_720p: 5, input_second_720p: 15 } });

    const submitted = await references.submit(text, { input });
    expect(submitted.headers).toMatchObject({ 'x-held-usd': '2.00' });
    const { id } = submitted.json<{ id: string }>();
    await expectPaid(references, id, text);
    const { cost } = await references.waitUntilEnded(id);
    const usd = `${((5 + charged) / 10).toFixed(2)}`;
    expect(cost).toBe(usd);
    const lines = [
      { unit: 'second_720p', count: 5, usd_per_million: '100000', amount_usd: '0.50' },
      {
        unit: 'input_second_720p',
        count: charged,
        usd_per_million: '100000',
        amount_usd: (charged / 10).toFixed(2),
      },
    ];
    const requestId = await references.requestIdOf(id);
    const receipt = await eventually(() => customer.receipt(requestId));
    expect(receipt).toMatchObject({ cost_usd: usd, price_version: quote.price_version, beyond_hold_usd: '0.00' });
    expect((receipt as { lines: unknown[] }).lines).toEqual(expect.arrayContaining(lines));
    await expectConsistentLedger(stack, [customer]);
  });
});

describe('a task that ends by itself', () => {
  it('costs what its upstream billed if it succeeds', async () => {
    const texts = [wan.tag('task_seconds=1'), wan.tag('task_seconds=1')];
    const ids = await Promise.all(texts.map((text) => wan.accepted(text)));
    await Promise.all(ids.map((id, at) => expectPaid(wan, id, texts[at] as string)));
    await wan.expectPaidAsBilled(texts);
  });

  it("costs nothing if it fails, with its upstream's error", async () => {
    const text = wan.tag('task_seconds=1 task_fail=DataInspectionFailed');
    await expectFree(wan, await wan.accepted(text), 'failed', 'DataInspectionFailed');
    await wan.expectPaidAsBilled([text]);
  });

  it('costs nothing if its upstream gives it up', async () => {
    const text = seedance.tag('task_seconds=1 task_times_out');
    await expectFree(seedance, await seedance.accepted(text), 'expired');
    await seedance.expectPaidAsBilled([text]);
  });

  it('costs nothing if its upstream does not know it, after more than one poll', async () => {
    const text = wan.tag('task_vanish');
    const id = await wan.accepted(text);
    await expectFree(wan, id, 'failed', 'task_lost');
    expect(await stack.ledger.pollsOf([id])).toBeGreaterThanOrEqual(3);
  });

  it('costs nothing if its upstream has forgotten it', async () => {
    await expectFree(wan, await wan.accepted(wan.tag('task_seconds=1 task_forget')), 'failed', 'task_lost');
  });

  it('costs nothing if its upstream reports success and never returns the video', async () => {
    for (const taskRequests of [wan, seedance]) {
      const id = await taskRequests.accepted(taskRequests.tag('task_seconds=1 task_no_video'));
      await expectFree(taskRequests, id, 'failed', 'video_missing');
      expect((await taskRequests.read(id)).upstream).not.toBeNull();
    }
  });

  it.each([
    ['shorter: the seconds delivered', 'task_duration=3', '0.30'],
    ['longer: the seconds requested', 'task_duration=9', '0.50'],
    ['empty: nothing', 'task_duration=0', '0.00'],
  ])('is charged by its result: %s', async (_words, directive, cost) => {
    const id = await wan.accepted(wan.tag(`task_seconds=1 ${directive}`));
    const task = await wan.waitUntilEnded(id);
    expect(task).toMatchObject({ status: 'succeeded', cost });
    await wan.receipt(task);
  });

  it('stays ended, whatever its upstream reports later', async () => {
    const text = wan.tag('task_seconds=1 task_lies');
    const id = await wan.accepted(text);
    await expectPaid(wan, id, text);
    const { polls } = await wan.onlyUpstreamTask(text);
    expect(await wan.read(id)).toMatchObject({ status: 'succeeded' });
    expect((await wan.onlyUpstreamTask(text)).polls).toBe(polls);
  });

  it('costs and holds nothing with a test key', async () => {
    const taskRequests = await TaskRequests.open(stack, WAN, { creditUsd: '0.01', isTest: true });
    const id = await taskRequests.accepted(taskRequests.tag('task_seconds=1'));
    expect(await taskRequests.customer.balance()).toMatchObject({ held_usd: '0.00', balance_usd: '0.01' });
    const task = await taskRequests.waitUntilEnded(id);
    expect(task).toMatchObject({ status: 'succeeded', cost: '0.00' });
    expect(await taskRequests.receipt(task)).toMatchObject({
      outcome: 'completed',
      holdNanoUsd: 0n,
      units: { second_720p: 5 },
    });
  });
});

describe('while a task runs', () => {
  it('its hold is shown and cannot be spent', async () => {
    const poor = await TaskRequests.open(stack, WAN, { creditUsd: '0.60' });
    const text = poor.tag('task_seconds=2');
    const id = await poor.accepted(text);
    expect(await poor.customer.balance()).toEqual({ balance_usd: '0.60', held_usd: '0.50', available_usd: '0.10' });
    expect((await poor.submit(poor.tag())).status).toBe(402);
    await expectPaid(poor, id, text);
    await eventually(async () =>
      expect(await poor.customer.balance()).toEqual({ balance_usd: '0.10', held_usd: '0.00', available_usd: '0.10' }),
    );
  });

  it.each([
    'poll_status=500 poll_times=3',
    'poll_status=429 poll_retry_after=1 poll_times=2',
    'poll_garbage poll_times=2',
    'poll_drop poll_times=2',
    'poll_hang poll_times=1',
  ])('failed polls (%s) do not end it', async (directive) => {
    const text = wan.tag(`task_seconds=1 ${directive}`);
    await expectPaid(wan, await wan.accepted(text), text);
  });

  it('a vendor whose polls hang delays no other vendor', async () => {
    const slow = await Promise.all(
      Array.from({ length: 12 }, () => seedance.accepted(seedance.tag('task_seconds=1 poll_hang poll_times=2'))),
    );
    const text = wan.tag('task_seconds=1');
    const startedAtMs = Date.now();
    await expectPaid(wan, await wan.accepted(text), text);
    // Sequential polls would hang for 72 seconds: the limit excludes that and measures nothing else.
    expect(Date.now() - startedAtMs).toBeLessThan(20_000);
    for (const id of slow) expect(await seedance.waitUntilEnded(id)).toMatchObject({ status: 'succeeded' });
  });

  it("two workers together poll many tasks at the vendor's rate limit and not above it", async () => {
    const second = await stack.system.add('video-worker', { ...QUICK, VENDORS: 'dashscope' });
    const startedAtMs = Date.now();
    const pollsBefore = await stack.simulator.queriesOf('dashscope');
    const ids = await Promise.all(Array.from({ length: 60 }, () => wan.accepted(wan.tag('task_seconds=2'))));
    for (const id of ids) expect(await wan.waitUntilEnded(id)).toMatchObject({ status: 'succeeded' });
    const polls = (await stack.simulator.queriesOf('dashscope')) - pollsBefore;
    // Polls may arrive in bunches, so only the total counts: one worker without the limit would poll ten times as
    // often.
    const seconds = (Date.now() - startedAtMs) / 1_000;
    expect(polls).toBeLessThanOrEqual(DASHSCOPE_PER_SECOND * (seconds + 2));
    expect(polls).toBeGreaterThanOrEqual(ids.length);
    await second.stop();
  });

  it('several workers end it once', async () => {
    const second = await stack.system.add('video-worker', { ...QUICK, VENDORS: 'ark' });
    const texts = Array.from({ length: 20 }, () => seedance.tag('task_seconds=1'));
    const ids = await Promise.all(texts.map((text) => seedance.accepted(text)));
    await Promise.all(ids.map((id, at) => expectPaid(seedance, id, texts[at] as string)));
    expect(await stack.ledger.endsOf(seedance.customer.accountId)).toEqual(ids.map(() => 1));
    await second.stop();
  });

  it('a rollout of its worker changes nothing', async () => {
    const texts = Array.from({ length: 5 }, () => seedance.tag('task_seconds=3'));
    const ids = await Promise.all(texts.map((text) => seedance.accepted(text)));
    expect(await worker.stop()).toMatchObject({ isForced: false });
    await worker.start();
    await Promise.all(ids.map((id, at) => expectPaid(seedance, id, texts[at] as string)));
  });

  it('billing may be down from its submission to its end', async () => {
    // The first task gives Redis a block of the balance.
    const first = wan.tag('task_seconds=1');
    await expectPaid(wan, await wan.accepted(first), first);
    await billing.stop();
    const text = wan.tag('task_seconds=1');
    const id = await wan.accepted(text);
    expect(await wan.waitUntilEnded(id)).toMatchObject({ status: 'succeeded', cost: '0.50' });
    await billing.start();
    await wan.expectPaidAsBilled([first, text]);
  });
});

describe('a submission', () => {
  it('that is rejected returns the upstream’s error, costs nothing, and frees its idempotency key', async () => {
    const key = { 'idempotency-key': wan.tag() };
    const rejected = await wan.submit(wan.tag('status=400 times=1'), {}, key);
    expect(rejected.status).toBe(400);
    expect(rejected.json()).toMatchObject({ code: expect.any(String), message: expect.any(String) });
    const text = wan.tag('task_seconds=1');
    const again = await wan.submit(text, {}, key);
    expect(again.status).toBe(202);
    await expectPaid(wan, again.json<{ id: string }>().id, text);
    await wan.expectPaidAsBilled([text]);
  });

  it('is retried or moved only if no upstream can have accepted it', async () => {
    const text = wan.tag('task_seconds=1 status=429 times=1');
    await expectPaid(wan, await wan.accepted(text), text);
    const failing = wan.tag('status=500 times=1');
    const response = await wan.submit(failing);
    expect(response.status).toBe(502);
    await expectFree(wan, taskIdIn(response.text), 'failed', 'submission_lost');
    expect(await wan.upstreamTasks(failing)).toEqual([]);
  });

  it.each([
    ['accept_then_drop', 502],
    ['accept_then_hang', 504],
    ['accept_then_status=500', 502],
  ])('with a lost response (%s) is found, never created twice, and paid once', async (directive, status) => {
    const text = wan.tag(`task_seconds=2 ${directive}`);
    const response = await wan.submit(text);
    // Client libraries retry by default, which would create another task.
    expect([response.status, response.headers['x-should-retry']]).toEqual([status, 'false']);
    await expectPaid(wan, taskIdIn(response.text), text);
    await wan.expectPaidAsBilled([text]);
  });

  it('with a lost response is the same task when it is retried under its key', async () => {
    const text = wan.tag('task_seconds=2 accept_then_drop');
    const key = { 'idempotency-key': wan.tag() };
    const response = await wan.submit(text, {}, key);
    expect([response.status, response.headers['x-should-retry']]).toEqual([502, 'true']);
    const again = await wan.submit(text, {}, key);
    expect([again.status, again.json<{ id: string }>().id]).toEqual([202, taskIdIn(response.text)]);
    await expectPaid(wan, taskIdIn(response.text), text);
    await wan.expectPaidAsBilled([text]);
  });

  it('that its upstream does not list is given up, and its result is not charged', async () => {
    const text = wan.tag('task_seconds=1 accept_then_drop task_unlisted');
    await expectFree(wan, taskIdIn((await wan.submit(text)).text), 'failed', 'submission_lost');
    expect(await wan.upstreamTasks(text)).toHaveLength(1);
  });

  it('with several possible upstream tasks claims none of them', async () => {
    const texts = [1, 2].map(() => seedance.tag('task_seconds=1 accept_then_drop'));
    const responses = await Promise.all(texts.map((text) => seedance.submit(text)));
    const ids = responses.map(({ text }) => taskIdIn(text));
    await eventually(async () => expect(await stack.ledger.pollsOf(ids)).toBeGreaterThan(4));
    for (const id of ids) expect(await seedance.read(id)).toMatchObject({ status: 'queued', content: null });
    for (const id of ids) await stack.ledger.expireTask(id);
    for (const id of ids) await expectFree(seedance, id, 'expired', 'submission_unknown');
  });

  it('without a way to find it is refunded at its deadline', async () => {
    const text = grok.tag('task_seconds=1 accept_then_drop');
    await expectFree(grok, taskIdIn((await grok.submit(text)).text), 'expired', 'submission_unknown');
    expect(await grok.upstreamTasks(text)).toHaveLength(1);
  });
});

describe('the deadline of a task', () => {
  it('lets it succeed if a last poll finds it done', async () => {
    const text = grok.tag('task_seconds=1');
    const id = await grok.accepted(text);
    await expectPaid(grok, id, text);
    await grok.expectPaidAsBilled([text]);
    expect((await grok.onlyUpstreamTask(text)).polls).toBe(1);
  });

  it('ends it for free if it is not done, also if it succeeds later', async () => {
    const text = grok.tag(`task_seconds=${DEADLINE_SECONDS + 3}`);
    await expectFree(grok, await grok.accepted(text), 'expired', 'task_expired');
    await eventually(async () => expect(await grok.onlyUpstreamTask(text)).toMatchObject({ state: 'succeeded' }));
    expect(await stack.ledger.settlementCount(grok.customer.accountId)).toBe(1);
  });

  it('ends it for free if its channel was removed from the configuration', async () => {
    await shortDeadline.stop();
    const channels = [{ id: 'old', apiKey: 'old-key', baseUrl: `${stack.simulator.url}/xai` }];
    const old = await stack.system.add('video-worker', { ...SHORT_DEADLINE, XAI_CHANNELS: JSON.stringify(channels) });
    const id = await grok.accepted(grok.tag('task_seconds=1'));
    await old.stop();
    await shortDeadline.start();
    await expectFree(grok, id, 'expired', 'task_unreachable');
  });
});

describe('a cancellation', () => {
  it('of a queued task costs nothing', async () => {
    const id = await wan.accepted(wan.tag('task_seconds=20 queue_seconds=15'));
    const response = await wan.cancel(id);
    expect(response.status).toBe(200);
    expect(response.json()).toMatchObject({
      status: 'cancelled',
      cancellation: { outcome: 'cancelled', may_still_cost_usd: '0.00' },
    });
    await expectFree(wan, id, 'cancelled');
  });

  it('of a running task is rejected with its possible cost', async () => {
    const text = wan.tag('task_seconds=6 queue_seconds=0');
    const id = await wan.accepted(text);
    await eventually(async () => expect(await wan.read(id)).toMatchObject({ status: 'running' }));
    expect((await wan.cancel(id)).json()).toMatchObject({
      status: 'running',
      cancellation: { outcome: 'refused', may_still_cost_usd: '0.50' },
    });
    await expectPaid(wan, id, text);
    const after = await wan.cancel(id);
    expect(after.json()).toMatchObject({ status: 'succeeded', cost: '0.50' });
  });

  it('that an upstream accepts and ignores is still charged', async () => {
    const text = wan.tag('task_seconds=2 queue_seconds=1 cancel_ignored');
    const id = await wan.accepted(text);
    expect((await wan.cancel(id)).json()).toMatchObject({ cancellation: { outcome: 'cancelled' } });
    await expectFree(wan, id, 'cancelled');
  });

  it('of a task that its upstream cannot cancel is rejected', async () => {
    const text = grok.tag('task_seconds=3');
    const id = await grok.accepted(text);
    expect((await grok.cancel(id)).json()).toMatchObject({ cancellation: { outcome: 'refused' } });
    await expectPaid(grok, id, text);
  });
});

/** The task id in an error response. */
function taskIdIn(text: string): string {
  const [id] = /task_\d{6}[a-z2-7]{20}/.exec(text) ?? [];
  if (id === undefined) throw new Error(`no task id in ${text}`);
  return id;
}
