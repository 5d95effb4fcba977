import { modelOfPrice, vendorCostOf, vendorPriceAt } from '@gateway/catalogue';
import {
  type FinalVideoTaskStatus,
  inputVideoUnitOf,
  isFinalVideoTask,
  type TaskReading,
  type UnitCounts,
} from '@gateway/contracts';
import { costOf, countOf, ratesOf } from '@gateway/money';
import { type TaskCompletion, taskTimeMs, type WorkerVideoTask } from '@gateway/postgres';

/** How long upstreams store a video. */
const FILE_RETENTION_MS = 24 * 60 * 60 * 1_000;

/** The outcome on the receipt. */
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

/** Charged seconds: the length of the video, rounded up, at most the requested length. */
export function billedSeconds(
  { durationSeconds }: Pick<WorkerVideoTask, 'durationSeconds'>,
  { outputSeconds }: Pick<Succeeded, 'outputSeconds'>,
): number {
  return outputSeconds === undefined ? durationSeconds : Math.min(durationSeconds, Math.ceil(outputSeconds));
}

const min = (left: bigint, right: bigint): bigint => (left < right ? left : right);

/**
 * Charged seconds of input videos by their unit: what the vendor reports, rounded up, at most what the hold has room for.
 * Empty unless the submission has a price for them.
 */
function inputUnits(task: WorkerVideoTask, { inputSeconds = 0 }: Pick<Succeeded, 'inputSeconds'>): UnitCounts {
  const unit = inputVideoUnitOf(task.unit);
  if (unit === undefined || task.unitPrices[unit] === undefined) return {};
  const reported = Math.ceil(inputSeconds);
  const rates = ratesOf(task.unitPrices);
  const room = task.holdNanoUsd - costOf({ [task.unit]: task.durationSeconds }, rates);
  const seconds = task.isTest ? reported : Math.min(reported, countOf(unit, room, rates));
  return seconds === 0 ? {} : { [unit]: seconds };
}

/** What a customer pays for. */
const chargedUnits = (task: WorkerVideoTask, reading: Succeeded): UnitCounts => ({
  [task.unit]: billedSeconds(task, reading),
  ...inputUnits(task, reading),
});

/** Nano-USD for these units at the price of the submission. At most the hold; 0 with a test key. */
export function costOfTask(task: WorkerVideoTask, units: UnitCounts): bigint {
  if (task.isTest) return 0n;
  return min(costOf(units, ratesOf(task.unitPrices)), task.holdNanoUsd);
}

/** What the catalogue says that the vendor bills, input seconds included. Null: unknown. */
function vendorCostOfTask(task: WorkerVideoTask, reading: Succeeded): string | null {
  if (task.isTest) return '0';
  const model = modelOfPrice(task.model, task.priceVersion);
  if (model === undefined) return null;
  const input = inputVideoUnitOf(task.unit);
  const isInputPriced = input !== undefined && vendorPriceAt(model, task.createdAtMs)?.perMillion[input] !== undefined;
  const units = {
    [task.unit]: billedSeconds(task, reading),
    ...(isInputPriced && { [input]: Math.ceil(reading.inputSeconds ?? 0) }),
  };
  return vendorCostOf(model, { units, inputTokensTotal: 0 }, task.createdAtMs)?.toString() ?? null;
}

type Common = 'finishedAtMs' | 'startedAtMs' | 'attempts' | 'cancelOutcome' | 'freesIdempotencyKey';

const common = (task: WorkerVideoTask, state: FinalVideoTaskStatus, nowMs: number): Pick<TaskCompletion, Common> => ({
  finishedAtMs: nowMs,
  startedAtMs: task.startedAtMs,
  attempts: task.attempts,
  cancelOutcome: state === 'cancelled' ? 'cancelled' : 'refused',
  freesIdempotencyKey: false,
});

/** Limits a time from an upstream's clock, which may be wrong, to between the task's creation and now. */
export const clampToLifetime = ({ createdAtMs }: Pick<WorkerVideoTask, 'createdAtMs'>, timeMs: number, nowMs: number) =>
  Math.min(Math.max(timeMs, createdAtMs), nowMs);

/** The completion that an upstream's final reading describes. */
export function completionFromReading(task: WorkerVideoTask, reading: FinalReading, nowMs: number): TaskCompletion {
  const { state, native } = reading;
  const startedAtMs = startOf(task, reading, nowMs);
  const attempts = withVendorCost(task.attempts, reading.vendorCostNanoUsd);
  const reported = task.isTest ? undefined : reading.vendorCostNanoUsd;
  if (state !== 'succeeded') {
    const { code, message } = reading;
    const ended = completionWithoutVideo(task, state, { code, message }, nowMs);
    const vendorCostNanoUsd = reported ?? ended.vendorCostNanoUsd;
    return {
      ...ended,
      ...chargeOfModeration(task, reading),
      vendorCostNanoUsd,
      startedAtMs,
      attempts,
      upstream: native,
    };
  }
  const units = chargedUnits(task, reading);
  return {
    ...common(task, state, nowMs),
    state,
    outcome: OUTCOMES[state],
    costNanoUsd: costOfTask(task, units).toString(),
    vendorCostNanoUsd: reported ?? vendorCostOfTask(task, reading),
    units,
    startedAtMs,
    attempts,
    content: {
      video_url: reading.videoUrl,
      ...(reading.lastFrameUrl !== undefined && { last_frame_url: reading.lastFrameUrl }),
      expires_at: Math.floor((clampToLifetime(task, reading.endedAtMs ?? nowMs, nowMs) + FILE_RETENTION_MS) / 1_000),
    },
    usage: reading.usage,
    seed: reading.seed ?? task.seed,
    error: null,
    upstream: native,
  };
}

/** A task that ended before its first poll began after its submission, where the upstream reports no time. */
function startOf(task: WorkerVideoTask, reading: FinalReading, nowMs: number): number | null {
  if (task.startedAtMs !== null) return task.startedAtMs;
  if (reading.startedAtMs !== undefined) return clampToLifetime(task, reading.startedAtMs, nowMs);
  return reading.state === 'succeeded' ? (task.submittedAtMs ?? task.createdAtMs) : null;
}

/** The channel that made the video is the last attempt's. */
function withVendorCost(attempts: WorkerVideoTask['attempts'], vendorCostNanoUsd: string | undefined) {
  const last = attempts.at(-1);
  return vendorCostNanoUsd === undefined || last === undefined
    ? attempts
    : [...attempts.slice(0, -1), { ...last, vendorCostNanoUsd }];
}

/** A video that the upstream kept back is charged like a delivered one, if the upstream reports that it bills it. */
function chargeOfModeration(task: WorkerVideoTask, reading: Exclude<FinalReading, Succeeded>) {
  const isBilled = reading.isModerated === true && BigInt(reading.vendorCostNanoUsd ?? '0') > 0n;
  if (!isBilled || reading.state !== 'failed') return {};
  const units = { [task.unit]: task.durationSeconds };
  return {
    units,
    costNanoUsd: costOfTask(task, units).toString(),
    error: { code: reading.code, message: `${reading.message} ${BILLED_MODERATION}` },
  };
}

const BILLED_MODERATION = 'Its upstream bills such videos, so it is charged.';

/** A completion without a video costs nothing. */
export function completionWithoutVideo(
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
    // An upstream may still make and bill a video after its deadline.
    vendorCostNanoUsd: state === 'expired' && task.submittedAtMs !== null ? null : '0',
    units: {},
    content: null,
    usage: null,
    seed: task.seed,
    error,
    upstream: null,
  };
}

const EXPIRED = { code: 'task_expired', message: 'The task did not end before its deadline. Nothing is charged.' };

/** The completion of a task that passed its deadline. */
export const expiredCompletion = (task: WorkerVideoTask): TaskCompletion =>
  completionWithoutVideo(task, 'expired', EXPIRED, taskTimeMs(task));

/** The task after its completion, for the record in its event. */
export const applyCompletion = (task: WorkerVideoTask, completion: TaskCompletion): WorkerVideoTask => ({
  ...task,
  state: completion.state,
  costNanoUsd: BigInt(completion.costNanoUsd),
  finishedAtMs: completion.finishedAtMs,
  startedAtMs: task.startedAtMs ?? completion.startedAtMs,
  content: completion.content,
  usage: completion.usage,
  seed: completion.seed,
  error: completion.error,
  upstream: completion.upstream ?? task.upstream,
  cancelOutcome: task.cancelRequestedAtMs === null ? null : completion.cancelOutcome,
});
