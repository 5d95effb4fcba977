import type { StoredVideoTask } from './stored-video-task.js';
import {
  type CancellationRecord,
  isFinalVideoTask,
  type VideoTaskRecord,
  type VideoTaskState,
  type VideoTaskStatus,
} from './video-task.js';

const CANCELLATION_MESSAGES: Readonly<Record<CancellationRecord['outcome'], string>> = {
  pending: 'The cancellation is under way. If the task succeeds first, it is charged.',
  cancelled: 'The task was cancelled before it began: nothing is charged.',
  refused: 'The upstream can no longer stop the task: it goes on, and is charged if it succeeds.',
};

const ENDED_BEFORE = "The task ended before it could be stopped: its 'cost' is what was charged.";

const COMPLETE_PERCENT = 100;

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1_000);
const secondsOrNull = (milliseconds: number | null): number | null =>
  milliseconds === null ? null : seconds(milliseconds);

/** The public status of a state: a task is `queued` until the upstream reports that it runs. */
export const statusOfVideoTask = (state: VideoTaskState): VideoTaskStatus =>
  state === 'submitting' || state === 'submit_unknown' ? 'queued' : state;

/** Renders a task for customers. `usd` formats nano-USD as decimal USD; this package does no arithmetic with money. */
export function renderVideoTask(task: StoredVideoTask, usd: (nanoUsd: bigint) => string): VideoTaskRecord {
  return {
    id: task.publicId,
    task_id: task.publicId,
    object: 'video.task',
    model: task.model,
    status: statusOfVideoTask(task.state),
    progress: task.state === 'succeeded' ? COMPLETE_PERCENT : task.progress,
    created_at: seconds(task.createdAtMs),
    started_at: secondsOrNull(task.startedAtMs),
    finished_at: secondsOrNull(task.finishedAtMs),
    expires_at: seconds(task.expiresAtMs),
    duration: task.durationSeconds,
    resolution: task.resolution,
    aspect_ratio: task.aspectRatio,
    content: task.content,
    usage: task.usage,
    seed: task.seed,
    cost: task.costNanoUsd === null ? null : usd(task.costNanoUsd),
    error: task.error,
    cancellation: cancellationOf(task, usd),
    upstream: task.upstream,
  };
}

function cancellationOf(task: StoredVideoTask, usd: (nanoUsd: bigint) => string): CancellationRecord | null {
  if (task.cancelRequestedAtMs === null || task.cancelOutcome === null) return null;
  const hasEnded = isFinalVideoTask(task.state);
  const mayStillCost = hasEnded || task.cancelOutcome === 'cancelled' ? 0n : task.holdNanoUsd;
  const isTooLate = hasEnded && task.cancelOutcome !== 'cancelled';
  return {
    requested_at: seconds(task.cancelRequestedAtMs),
    outcome: task.cancelOutcome,
    may_still_cost_usd: usd(mayStillCost),
    message: isTooLate ? ENDED_BEFORE : CANCELLATION_MESSAGES[task.cancelOutcome],
  };
}
