import { type AccountId, type KeyId, newRequestId, taskIdOf } from '@gateway/contracts';
import { activateEpoch, nextEpoch } from '../epochs/epochs.js';
import { grantEscrow } from '../escrow/grant-escrow.js';
import { readLedgerBalances } from '../ledger/balance.js';
import { recordSettlements } from '../settlements/record-settlements.js';
import type { TaskCompletion } from '../tasks/finish-task.js';
import type { NewVideoTask } from '../tasks/open-task.js';
import { openTaskStore, type TaskStore } from '../tasks/task-store.js';
import type { WorkerVideoTask } from '../tasks/video-task-row.js';
import { activeEpoch } from './active-epoch.js';
import { sampleEvent, type TestDatabase } from './test-database.js';

const FAR_FUTURE_MS = 4_000_000_000_000;

export const sampleTask = (accountId: string, keyId: string, more: Partial<NewVideoTask> = {}): NewVideoTask => {
  const requestId = newRequestId();
  return {
    taskId: taskIdOf(requestId),
    requestId,
    accountId: accountId as AccountId,
    keyId: keyId as KeyId,
    isTest: false,
    model: 'wn2.7-t2v',
    vendor: 'dashscope',
    durationSeconds: 5,
    resolution: '720p',
    aspectRatio: '16:9',
    unit: 'second',
    priceVersion: 'wn2.7-t2v@2026-01-01',
    unitPrices: { second: '100' },
    holdNanoUsd: '500',
    prompt: 'a cat',
    webhookUrl: null,
    idempotencyKey: null,
    idempotencyFingerprint: null,
    createdAtMs: 1_700_000_000_000,
    expiresAtMs: FAR_FUTURE_MS,
    traceparent: null,
    ...more,
  };
};

export const endOf = (
  state: TaskCompletion['state'],
  costNanoUsd = 0n,
  more: Partial<TaskCompletion> = {},
): TaskCompletion => ({
  state,
  outcome: state === 'succeeded' ? 'completed' : state,
  costNanoUsd: costNanoUsd.toString(),
  vendorCostNanoUsd: costNanoUsd.toString(),
  units: state === 'succeeded' ? { second: 5 } : {},
  finishedAtMs: 1_700_000_060_000,
  startedAtMs: null,
  content: state === 'succeeded' ? { video_url: 'https://a.example/v.mp4', expires_at: 1_700_086_460 } : null,
  usage: null,
  seed: null,
  error: state === 'succeeded' ? null : { code: 'Odd', message: 'It did not work.' },
  upstream: null,
  attempts: [],
  cancelOutcome: state === 'cancelled' ? 'cancelled' : 'refused',
  freesIdempotencyKey: false,
  ...more,
});

/** A customer with escrow and a key, and the steps of their tasks. */
export class TaskFixture {
  readonly store: TaskStore;

  private constructor(
    readonly test: TestDatabase,
    readonly accountId: string,
    readonly keyId: string,
  ) {
    this.store = openTaskStore(test.database);
  }

  static async open(test: TestDatabase, creditNanoUsd = 10_000n): Promise<TaskFixture> {
    if ((await activeEpoch(test.database)) === null) await activateEpoch(test.database, await nextEpoch(test.database));
    const accountId = await test.account(creditNanoUsd);
    const { id } = await test.key(accountId);
    await grantEscrow(test.database, {
      accountId,
      missingNanoUsd: creditNanoUsd / 2n,
      blockLimitNanoUsd: 1n,
      blockDivisor: 1n,
    });
    return new TaskFixture(test, accountId, id);
  }

  /** A stored task whose submission has begun. */
  async submitting(more: Partial<NewVideoTask> = {}): Promise<WorkerVideoTask> {
    const opened = await this.store.open(sampleTask(this.accountId, this.keyId, more), 60_000);
    if (opened.outcome !== 'opened') throw new Error(`a new task is ${opened.outcome}`);
    return present(await this.store.recordSubmission(opened.task, 'channel-1', 60_000));
  }

  async queued(more: Partial<NewVideoTask> = {}): Promise<WorkerVideoTask> {
    const task = await this.submitting(more);
    return present(
      await this.store.accept(task, {
        upstreamTaskId: `up-${task.taskId}`,
        publicId: task.taskId,
        attempts: [],
        nextPollMs: 0,
        record: { status: 'queued' },
      }),
    );
  }

  /** Records the event of its hold. Returns the result of the batch. */
  async bookHold({ requestId, holdNanoUsd }: WorkerVideoTask, streamId = `entry-${requestId}`, epoch?: bigint) {
    const more = { requestId, keyId: this.keyId, outcome: 'held', endpoint: 'videos.generations', units: {} } as const;
    const event = sampleEvent(this.accountId, holdNanoUsd, more);
    const current = epoch ?? (await activeEpoch(this.test.database)) ?? 0n;
    return recordSettlements(this.test.database, [{ streamId, event }], current);
  }

  async position() {
    const position = await readLedgerBalances(this.test.database, this.accountId);
    if (position === null) throw new Error('no such account');
    const { customerNanoUsd, escrowNanoUsd, taskHoldsNanoUsd } = position;
    return { customer: customerNanoUsd, escrow: escrowNanoUsd, taskHolds: taskHoldsNanoUsd };
  }

  async spent(): Promise<bigint> {
    return BigInt((await this.store.readKeySpending(this.keyId))?.spentNanoUsd ?? -1);
  }

  async eventTypes(taskId: string): Promise<readonly string[]> {
    const rows = await this.test.database.prisma.accountEvent.findMany({
      where: { accountId: this.accountId, subject: taskId },
      orderBy: { id: 'asc' },
    });
    return rows.map(({ type }) => type);
  }
}

export function present<Value>(value: Value | null): Value {
  if (value === null) throw new Error('the task has changed');
  return value;
}
