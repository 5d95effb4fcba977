import {
  isFinalVideoTask,
  type StoredVideoTask,
  statusOfVideoTask,
  unixSeconds,
  unixSecondsOrNull,
  type VideoRecord,
  type VideoTaskState,
  type VideoTaskStatus,
} from '@gateway/contracts';
import { pixelSizeOf } from '@gateway/intake';

const STATUSES: Readonly<Record<VideoTaskStatus, VideoRecord['status']>> = {
  queued: 'queued',
  running: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
  cancelled: 'failed',
  expired: 'failed',
};

export const videoStatusOf = (state: VideoTaskState): VideoRecord['status'] => STATUSES[statusOfVideoTask(state)];

/** A task as OpenAI's libraries read a video. */
export function videoRecord(task: StoredVideoTask): VideoRecord {
  const { state, content } = task;
  const isComplete = state === 'succeeded';
  return {
    id: task.publicId,
    object: 'video',
    model: task.model,
    status: videoStatusOf(state),
    progress: isComplete ? 100 : (task.progress ?? 0),
    created_at: unixSeconds(task.createdAtMs),
    completed_at: isComplete ? unixSecondsOrNull(task.finishedAtMs) : null,
    // What the gateway keeps has a time of its own, which its file says.
    expires_at: content === null || content.file_id !== undefined ? null : content.expires_at,
    prompt: null,
    seconds: String(task.durationSeconds),
    size: pixelSizeOf(task),
    remixed_from_video_id: null,
    error: isFinalVideoTask(state) && !isComplete ? errorOf(task) : null,
  };
}

const errorOf = ({ error, state }: StoredVideoTask): VideoRecord['error'] =>
  error ?? { code: `task_${state}`, message: 'The video was not made. It costs nothing.' };
