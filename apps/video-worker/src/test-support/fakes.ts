import { newAccountId, newKeyId, newRequestId, taskIdOf } from '@gateway/contracts';
import { createLogger, createMetrics } from '@gateway/observability';
import type { WorkerVideoTask } from '@gateway/postgres';
import { jest } from '@jest/globals';
import type { Failpoints } from '../failpoints.js';
import { workerMetrics } from '../metrics.js';
import type { TaskChannel } from '../task/task-channels.js';

/** The time at which the specs of orchestration run. */
export const NOW_MS = 1_700_000_100_000;

export const freezeClock = (): void => {
  jest.spyOn(Date, 'now').mockReturnValue(NOW_MS);
  // `jittered` adds nothing at 0.5.
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
};

export const restoreClock = (): void => {
  jest.restoreAllMocks();
};

const requestId = newRequestId();

/** A running task of Wan, accepted 100 s ago, with a hold of 0.50 USD and an hour left. */
export const TASK: WorkerVideoTask = {
  taskId: taskIdOf(requestId),
  publicId: taskIdOf(requestId),
  requestId,
  accountId: newAccountId(),
  keyId: newKeyId(),
  isTest: false,
  model: 'wn2.7-t2v',
  vendor: 'dashscope',
  state: 'running',
  version: 3,
  channelId: 'dashscope-1',
  upstreamTaskId: 'up-1',
  durationSeconds: 5,
  resolution: '720p',
  aspectRatio: '16:9',
  unit: 'second_720p',
  priceVersion: 'wn2.7-t2v@2026-01-01',
  unitPrices: { second_720p: '100000' },
  holdNanoUsd: 500_000_000n,
  costNanoUsd: null,
  webhookUrl: null,
  createdAtMs: NOW_MS - 100_000,
  upstreamCalledAtMs: NOW_MS - 99_990,
  submittedAtMs: NOW_MS - 99_980,
  startedAtMs: null,
  finishedAtMs: null,
  expiresAtMs: NOW_MS + 3_600_000,
  progress: 40,
  content: null,
  usage: null,
  seed: null,
  error: null,
  cancelRequestedAtMs: null,
  cancelOutcome: null,
  upstream: null,
  prompt: 'A paper boat',
  idempotencyKey: null,
  idempotencyFingerprint: null,
  attempts: [],
  pollNumber: 1,
  nextPollAtMs: null,
  pollFailures: 0,
  missCount: 0,
  firstMissAtMs: null,
  leaseOwner: null,
  traceparent: null,
  clockAheadMs: 0,
};

export const task = (changes: Partial<WorkerVideoTask> = {}): WorkerVideoTask => ({ ...TASK, ...changes });

export const CHANNEL = { channelId: 'dashscope-1', firstPollMs: 5_000, protocol: {}, target: {} } as TaskChannel;

/** A collaborator that has only the members that a spec needs. */
export const fake = <T extends object>(members: { readonly [Member in keyof T]?: T[Member] }): T =>
  members as unknown as T;

export const silentLogger = () => createLogger({ service: 'video-worker', level: 'silent' });

export const testMetrics = () => workerMetrics(createMetrics('video-worker'));

/** Sum of a counter's values. */
export async function countOf(counter: { get(): Promise<{ values: readonly { value: number }[] }> }): Promise<number> {
  return (await counter.get()).values.reduce((sum, { value }) => sum + value, 0);
}

export const NO_FAILPOINTS: Failpoints = { reach: () => undefined };

export const RUNNING = new AbortController().signal;
