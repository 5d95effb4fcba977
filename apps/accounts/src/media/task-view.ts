import { isFinalVideoTask, renderVideoTask } from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import type { WorkerVideoTask } from '@gateway/postgres';
import type { z } from 'zod';
import type { FileLinks } from './file-links.service.js';
import type { taskRecord } from './media.description.js';
import { isoTime, isoTimeOrNull } from './media-access.js';

export type TaskView = z.output<typeof taskRecord>;

/** The columns of the CSV file. */
export const TASK_COLUMNS = [
  'id',
  'request_id',
  'key_id',
  'model',
  'test',
  'status',
  'duration_seconds',
  'resolution',
  'aspect_ratio',
  'hold_usd',
  'cost_usd',
  'created_at',
  'started_at',
  'finished_at',
] as const satisfies readonly (keyof TaskView)[];

/** Nothing that no vendor has been asked for can cost anything. */
function mayCostNanoUsd({ state, upstreamCalledAtMs, holdNanoUsd }: WorkerVideoTask): bigint {
  return isFinalVideoTask(state) || upstreamCalledAtMs === null ? 0n : holdNanoUsd;
}

function videoOf({ content }: WorkerVideoTask, links: FileLinks): TaskView['video'] {
  if (content === null) return null;
  const { file_id: fileId, last_frame_file_id: frameId } = content;
  const video = fileId === undefined ? null : links.to(fileId);
  const frame = frameId === undefined ? null : links.to(frameId);
  return {
    url: video?.url ?? content.video_url,
    last_frame_url: frame?.url ?? content.last_frame_url ?? null,
    expires_at: isoTime(video?.expiresAtMs ?? content.expires_at * 1_000),
    file_id: fileId ?? null,
  };
}

function cancellationOf(task: WorkerVideoTask): TaskView['cancellation'] {
  const { cancellation } = renderVideoTask(task, formatUsd);
  if (cancellation === null || task.cancelRequestedAtMs === null) return null;
  return { ...cancellation, requested_at: isoTime(task.cancelRequestedAtMs) };
}

/** A task as members see it. `usualMs`: how long tasks of its model take. */
export function taskView(task: WorkerVideoTask, usualMs: number | null, links: FileLinks): TaskView {
  const { progress, status } = renderVideoTask(task, formatUsd);
  return {
    id: task.publicId,
    request_id: task.requestId,
    key_id: task.keyId,
    model: task.model,
    test: task.isTest,
    status,
    progress,
    usual_duration_ms: usualMs === null ? null : Math.round(usualMs),
    duration_seconds: task.durationSeconds,
    resolution: task.resolution,
    aspect_ratio: task.aspectRatio,
    hold_usd: formatUsd(task.holdNanoUsd),
    cost_usd: task.costNanoUsd === null ? null : formatUsd(task.costNanoUsd),
    cancel_may_cost_usd: formatUsd(mayCostNanoUsd(task)),
    video: videoOf(task, links),
    error: task.error,
    cancellation: cancellationOf(task),
    created_at: isoTime(task.createdAtMs),
    accepted_at: isoTimeOrNull(task.submittedAtMs),
    started_at: isoTimeOrNull(task.startedAtMs),
    finished_at: isoTimeOrNull(task.finishedAtMs),
    expires_at: isoTime(task.expiresAtMs),
  };
}
