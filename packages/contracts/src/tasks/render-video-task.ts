import type { StoredVideoTask } from './stored-video-task.js';
import {
  type CancellationRecord,
  isFinalVideoTask,
  type VideoTaskRecord,
  type VideoTaskState,
  type VideoTaskStatus,
} from './video-task.js';

const CANCELLATION_MESSAGES: Readonly<Record<CancellationRecord['outcome'], string>> = {
  pending: 'The cancellation is under way. If the task succeeds before it takes effect, the task is charged.',
  cancelled: 'The task was cancelled before it began: nothing is charged.',
  refused: 'The upstream can no longer stop the task: it goes on, and is charged if it succeeds.',
};

const ENDED_BEFORE = "The task ended before it could be stopped: what it was charged is its 'cost'.";

const WHOLE = 100;

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1_000);
const secondsOrNull = (milliseconds: number | null): number | null =>
  milliseconds === null ? null : seconds(milliseconds);

/** What customers see of a state: until the upstream has said that it runs, a task is queued. */
export const statusOfVideoTask = (state: VideoTaskState): VideoTaskStatus =>
  state === 'submitting' || state === 'submit_unknown' ? 'queued' : state;

/** A task as it is shown everywhere. `usd` writes nano-USD as decimal USD: this package knows no sums. */
export function renderVideoTask(task: StoredVideoTask, usd: (nanoUsd: bigint) => string): VideoTaskRecord {
  return {
    id: task.publicId,
    task_id: task.publicId,
    object: 'video.task',
    model: task.model,
    status: statusOfVideoTask(task.state),
    progress: task.state === 'succeeded' ? WHOLE : task.progress,
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
  const isOver = isFinalVideoTask(task.state);
  const mayStillCost = isOver || task.cancelOutcome === 'cancelled' ? 0n : task.holdNanoUsd;
  const cameTooLate = isOver && task.cancelOutcome !== 'cancelled';
  return {
    requested_at: seconds(task.cancelRequestedAtMs),
    outcome: task.cancelOutcome,
    may_still_cost_usd: usd(mayStillCost),
    message: cameTooLate ? ENDED_BEFORE : CANCELLATION_MESSAGES[task.cancelOutcome],
  };
}
