import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, nanoOf, startTestStack } from '@gateway/testing';
import { afterAll, expect, it } from '@jest/globals';
import type OpenAI from 'openai';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { DEFAULT_MODEL } from '../text/chat-fields.js';
import { Batches, lineOf } from './batches.js';

/** In the order in which a batch reaches them. */
const STEPS = [
  'after-claim',
  'after-begin',
  'after-response',
  'after-segment',
  'after-record',
  'after-file',
  'after-finish',
];
const LINES = 20;
/** Enough that its worker is killed between the first and the last. */
const MANY_LINES = 400;
/** A claim ends 15 s after its worker. */
const RECOVERED_MS = 90_000;

const store = await mkdtemp(join(tmpdir(), 'gateway-store-'));
const stack = await startTestStack({ commonEnv: { STORE_DIRECTORY: store } });
const worker = await stack.system.add('batch-worker');
afterAll(async () => {
  await stack.stop();
  await rm(store, { recursive: true });
});

/** One account has at most four batches at the workers, dead ones included. */
const customers = await Promise.all(
  [1, 2, 3].map(() => stack.createCustomer({ creditUsd: '100', limits: { rpm: 0, concurrency: 0 } })),
);
const owners = customers.map((customer) => new Batches(stack, customer));

interface Begun {
  readonly owner: Batches;
  readonly batch: OpenAI.Batch;
  /** One more is wrong. */
  readonly lines: number;
}

const begun: Begun[] = [];
const linesOf = (batches: readonly Begun[]): number => batches.reduce((sum, { lines }) => sum + lines, 0);
const idOf = (line: number): string => `line ${line}`;

async function begin(count = LINES): Promise<Begun> {
  const owner = owners[begun.length % owners.length] as Batches;
  const body = { model: DEFAULT_MODEL, max_tokens: 20, messages: [{ role: 'user', content: `Batch ${begun.length}` }] };
  const lines = Array.from({ length: count }, (_, line) => lineOf(idOf(line), body));
  // Its end is in the file of errors, which is written after that of results.
  const wrong = lineOf('wrong', { ...body, model: 'no-such-model' });
  const one = { owner, batch: await owner.create([...lines, wrong]), lines: count };
  begun.push(one);
  return one;
}

/** A batch that is due already may kill it before it is ready: undefined then. Any other end fails the test. */
const addMortalWorker = (step: string) =>
  stack.system.add('batch-worker', { FAILPOINTS: step }).catch((error: Error) => {
    if (error.message.includes('exited with signal SIGKILL before it was ready')) return undefined;
    throw error;
  });

/** Each line has one result and one receipt, and the batch cost what its receipts say. */
async function expectWhole({ owner, batch, lines }: Begun): Promise<void> {
  const ended = await owner.until(batch, 'completed', RECOVERED_MS);
  expect(ended.request_counts).toEqual({ total: lines + 1, completed: lines, failed: 1 });
  const output = await owner.results(ended.output_file_id);
  expect(output.map(({ custom_id: id }) => id).sort()).toEqual(
    Array.from({ length: lines }, (_, at) => idOf(at)).sort(),
  );
  expect((await owner.results(ended.error_file_id)).map(({ custom_id: id }) => id)).toEqual(['wrong']);
  const requests = new Set(output.map(({ response }) => response?.request_id));
  const receipts = await eventually(async () => {
    const found = await stack.ledger.settlements(owner.customer.accountId);
    const ofBatch = found.filter(({ requestId }) => requests.has(requestId));
    expect(ofBatch).toHaveLength(lines);
    return ofBatch;
  });
  for (const { chargedNanoUsd } of receipts) expect(chargedNanoUsd).toBeGreaterThan(0n);
  const { cost } = ended as unknown as { readonly cost: { readonly charged_usd: string } };
  expect(nanoOf(cost.charged_usd)).toBe(receipts.reduce((sum, { chargedNanoUsd }) => sum + chargedNanoUsd, 0n));
}

it('workers that die at each step lose no line of a batch, and charge none twice', async () => {
  const since = await stack.simulator.lastSeq();
  const caller = stack.system.instance('sync-worker');
  const { owner: first, batch } = await begin(MANY_LINES);
  await eventually(async () => {
    expect((await first.openai.batches.retrieve(batch.id)).request_counts?.completed).toBeGreaterThan(0);
  });
  await caller.stop();
  await begin();
  // The request of a line waits in its queue.
  await eventually(async () => expect(await stack.redisMoney.openHolds()).toBeGreaterThan(0));
  await worker.kill();
  await caller.start();
  const mortal = await Promise.all(STEPS.map(addMortalWorker));
  const alive = (): number => mortal.filter((one) => one?.isRunning === true).length;
  // Any of them takes the batch, and dies of it. One may also die of an older batch.
  for (let left = alive(); left > 0; left = alive()) {
    await begin();
    await eventually(() => expect(alive()).toBeLessThan(left), { withinMs: 60_000 });
  }
  await worker.start();
  for (const one of begun) await expectWhole(one);
  for (const { customer } of owners) {
    const own = begun.filter(({ owner }) => owner.customer === customer);
    expect(await stack.ledger.settlementCount(customer.accountId)).toBe(linesOf(own));
  }
  // No vendor was asked twice.
  expect(await stack.simulator.closedJournal(since)).toHaveLength(linesOf(begun));
  await expectConsistentLedger(stack, customers);
  // One died between a segment and its record.
  expect(await stack.ledger.pendingObjects()).not.toEqual([]);
  await stack.ledger.expirePendingObjects();
  await eventually(async () => expect(await readdir(join(store, 'batches'))).toEqual([]), { withinMs: 90_000 });
});
