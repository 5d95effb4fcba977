import { type FinalVideoTaskStatus, isFinalVideoTask, type TaskReading } from '@gateway/contracts';
import { costOf, ratesOf } from '@gateway/money';
import type { TaskCompletion, WorkerVideoTask } from '@gateway/postgres';

/** How long upstreams keep what they have made. */
const FILES_ARE_KEPT_MS = 24 * 60 * 60 * 1_000;

/** The words of receipts. */
const OUTCOMES = {
  succeeded: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
  expired: 'expired',
} as const satisfies Record<FinalVideoTaskStatus, TaskCompletion['outcome']>;

export type FinalReading = Extract<TaskReading, { state: FinalVideoTaskStatus }>;
type Succeeded = Extract<TaskReading, { state: 'succeeded' }>;

export const isFinalReading = (reading: TaskReading): reading is FinalReading =>
  reading.state !== 'unknown' && reading.state !== 'no_video' && isFinalVideoTask(reading.state);

/** Whole seconds that are charged: what was made, rounded up, and never more than was asked for. */
export function billedSeconds(
  { durationSeconds }: Pick<WorkerVideoTask, 'durationSeconds'>,
  { outputSeconds }: Pick<Succeeded, 'outputSeconds'>,
): number {
  return outputSeconds === undefined ? durationSeconds : Math.min(durationSeconds, Math.ceil(outputSeconds));
}

const least = (left: bigint, right: bigint): bigint => (left < right ? left : right);

/** What the seconds cost at the frozen price: at most the hold, and nothing with a test key. */
export function costOfTask(task: WorkerVideoTask, seconds: number): bigint {
  if (task.isTest) return 0n;
  return least(costOf({ [task.unit]: seconds }, ratesOf(task.unitPrices)), task.holdNanoUsd);
}

type Common = 'finishedAtMs' | 'startedAtMs' | 'attempts' | 'cancelOutcome' | 'freesIdempotencyKey';

const common = (task: WorkerVideoTask, state: FinalVideoTaskStatus, nowMs: number): Pick<TaskCompletion, Common> => ({
  finishedAtMs: nowMs,
  startedAtMs: task.startedAtMs,
  attempts: task.attempts,
  cancelOutcome: state === 'cancelled' ? 'cancelled' : 'refused',
  freesIdempotencyKey: false,
});

/** A time by an upstream's clock, which may be set wrong: nothing of a task happened before it was asked for, or after now. */
export const inItsLife = ({ createdAtMs }: Pick<WorkerVideoTask, 'createdAtMs'>, timeMs: number, nowMs: number) =>
  Math.min(Math.max(timeMs, createdAtMs), nowMs);

/** The end that an upstream tells of. */
export function endByReading(task: WorkerVideoTask, reading: FinalReading, nowMs: number): TaskCompletion {
  const { state, native } = reading;
  const startedAtMs =
    task.startedAtMs ?? (reading.startedAtMs === undefined ? null : inItsLife(task, reading.startedAtMs, nowMs));
  if (state !== 'succeeded') {
    const { code, message } = reading;
    return { ...endWithout(task, state, { code, message }, nowMs), startedAtMs, upstream: native };
  }
  const seconds = billedSeconds(task, reading);
  return {
    ...common(task, state, nowMs),
    state,
    outcome: OUTCOMES[state],
    costNanoUsd: costOfTask(task, seconds).toString(),
    units: { [task.unit]: seconds },
    startedAtMs,
    content: {
      video_url: reading.videoUrl,
      ...(reading.lastFrameUrl !== undefined && { last_frame_url: reading.lastFrameUrl }),
      expires_at: Math.floor((inItsLife(task, reading.endedAtMs ?? nowMs, nowMs) + FILES_ARE_KEPT_MS) / 1_000),
    },
    usage: reading.usage,
    seed: reading.seed ?? null,
    error: null,
    upstream: native,
  };
}

/** An end without a video: it costs nothing. */
export function endWithout(
  task: WorkerVideoTask,
  state: Exclude<FinalVideoTaskStatus, 'succeeded'>,
  error: { readonly code: string; readonly message: string },
  nowMs: number,
): TaskCompletion {
  return {
    ...common(task, state, nowMs),
    state,
    outcome: OUTCOMES[state],
    costNanoUsd: '0',
    units: {},
    content: null,
    usage: null,
    seed: null,
    error,
    upstream: null,
  };
}

const TOO_LATE = { code: 'task_expired', message: 'The task did not end in its time. Nothing is charged.' };

/** Of a task whose time is over. */
export const endTooLate = (task: WorkerVideoTask): TaskCompletion => endWithout(task, 'expired', TOO_LATE, Date.now());

/** A task as it will be after its end: what its event says. */
export const afterEnd = (task: WorkerVideoTask, end: TaskCompletion): WorkerVideoTask => ({
  ...task,
  state: end.state,
  costNanoUsd: BigInt(end.costNanoUsd),
  finishedAtMs: end.finishedAtMs,
  startedAtMs: task.startedAtMs ?? end.startedAtMs,
  content: end.content,
  usage: end.usage,
  seed: end.seed,
  error: end.error,
  upstream: end.upstream ?? task.upstream,
  cancelOutcome: task.cancelRequestedAtMs === null ? null : end.cancelOutcome,
});
