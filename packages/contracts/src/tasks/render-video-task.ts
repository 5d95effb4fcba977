import type { FileLink } from '../api/files.js';
import { unixSeconds, unixSecondsOrNull } from '../api/unix-seconds.js';
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

/** The public status of a state: a task is `queued` until the upstream reports that it runs. */
export const statusOfVideoTask = (state: VideoTaskState): VideoTaskStatus =>
  state === 'submitting' || state === 'submit_unknown' ? 'queued' : state;

/** Makes the address of a kept file, which ends some time from now. */
export type LinkFile = (fileId: string) => FileLink;

/**
 * Renders a task for customers. `usd` formats nano-USD as decimal USD; this package does no arithmetic with money. `link`:
 * absent where results are not kept.
 */
export function renderVideoTask(
  task: StoredVideoTask,
  usd: (nanoUsd: bigint) => string,
  link?: LinkFile,
): VideoTaskRecord {
  const { content, upstream } = linkResults(task, link);
  return {
    id: task.publicId,
    task_id: task.publicId,
    object: 'video.task',
    model: task.model,
    status: statusOfVideoTask(task.state),
    progress: task.state === 'succeeded' ? COMPLETE_PERCENT : task.progress,
    created_at: unixSeconds(task.createdAtMs),
    started_at: unixSecondsOrNull(task.startedAtMs),
    finished_at: unixSecondsOrNull(task.finishedAtMs),
    expires_at: unixSeconds(task.expiresAtMs),
    duration: task.durationSeconds,
    resolution: task.resolution,
    aspect_ratio: task.aspectRatio,
    content,
    usage: task.usage,
    seed: task.seed,
    cost: task.costNanoUsd === null ? null : usd(task.costNanoUsd),
    error: task.error,
    cancellation: cancellationOf(task, usd),
    upstream,
  };
}

/** Shows our addresses instead of the vendor's, in its own record too. A file that is gone has no address any more. */
function linkResults(
  { content, upstream, goneFileIds = [] }: StoredVideoTask,
  link: LinkFile | undefined,
): Pick<VideoTaskRecord, 'content' | 'upstream'> {
  if (link === undefined || content?.file_id === undefined) return { content, upstream };
  const { file_id: fileId, last_frame_file_id: frameId, last_frame_url: frameUrl, ...others } = content;
  const linkOf = (id: string | undefined) => (id === undefined || goneFileIds.includes(id) ? undefined : link(id));
  const video = linkOf(fileId);
  const frame = linkOf(frameId);
  const addresses = new Map([[content.video_url, video?.url ?? null]]);
  if (frameUrl !== undefined) addresses.set(frameUrl, frame?.url ?? null);
  return {
    content:
      video === undefined
        ? null
        : {
            ...others,
            file_id: fileId,
            ...(frame !== undefined && { last_frame_file_id: frameId, last_frame_url: frame.url }),
            video_url: video.url,
            expires_at: video.expires_at,
          },
    upstream: upstream && (replaceTexts(upstream, addresses) as NonNullable<VideoTaskRecord['upstream']>),
  };
}

function replaceTexts(value: unknown, texts: ReadonlyMap<string, string | null>): unknown {
  if (typeof value === 'string') return texts.has(value) ? texts.get(value) : value;
  if (Array.isArray(value)) return value.map((entry) => replaceTexts(entry, texts));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, replaceTexts(entry, texts)]));
}

function cancellationOf(task: StoredVideoTask, usd: (nanoUsd: bigint) => string): CancellationRecord | null {
  if (task.cancelRequestedAtMs === null || task.cancelOutcome === null) return null;
  const hasEnded = isFinalVideoTask(task.state);
  const mayStillCost = hasEnded || task.cancelOutcome === 'cancelled' ? 0n : task.holdNanoUsd;
  const isTooLate = hasEnded && task.cancelOutcome !== 'cancelled';
  return {
    requested_at: unixSeconds(task.cancelRequestedAtMs),
    outcome: task.cancelOutcome,
    may_still_cost_usd: usd(mayStillCost),
    message: isTooLate ? ENDED_BEFORE : CANCELLATION_MESSAGES[task.cancelOutcome],
  };
}
