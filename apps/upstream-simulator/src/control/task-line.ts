import type { InvoiceUsage } from '../count/tokens.js';
import { credentialLabel } from '../journal/journal.js';
import type { AnyTaskStore } from '../tasks/task-store.js';
import type { TaskState } from '../tasks/timetable.js';
import type { Callback, VideoTask } from '../tasks/video-task.js';

/** A task as `GET /__tasks` returns it: the truth, not what its vendor reports. */
export interface TaskLine {
  readonly vendor: string;
  readonly id: string;
  readonly model: string;
  readonly credential: string | null;
  readonly state: TaskState;
  /** False if polls do not find it. */
  readonly is_found: boolean;
  /** 1 for the first submission of these bytes by this credential. */
  readonly submission: number;
  readonly polls: number;
  readonly callbacks: readonly Callback[];
  readonly created_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly prompt: string;
  readonly resolution: string;
  readonly seconds: number;
  readonly width: number;
  readonly height: number;
  /** Null until the task succeeds. */
  readonly billed: InvoiceUsage | null;
}

const timeOf = (atMs: number): string | null => (atMs === Infinity ? null : new Date(atMs).toISOString());

export const taskLine = (vendor: string, store: AnyTaskStore, task: VideoTask): TaskLine => {
  const { text, seconds, width, height } = task.job.video;
  return {
    vendor,
    id: task.id,
    model: task.job.model,
    credential: credentialLabel(task.job.credential),
    state: task.state,
    is_found: !store.isHidden(task),
    submission: task.submission,
    polls: task.polls,
    callbacks: task.callbacks,
    created_at: new Date(task.createdAtMs).toISOString(),
    started_at: timeOf(task.startedAtMs),
    ended_at: timeOf(task.endedAtMs),
    prompt: text,
    resolution: task.job.resolution,
    seconds,
    width,
    height,
    billed: task.billed,
  };
};
