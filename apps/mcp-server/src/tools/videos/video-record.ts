import { ENDPOINTS, FINAL_VIDEO_TASK_STATUSES, VIDEO_TASK_STATUSES, type VideoTaskRecord } from '@gateway/contracts';
import { z } from 'zod';
import type { ResponseFacts } from '../../gateway.js';
import type { Arguments, ToolContext, ToolResult } from '../../tool.js';
import { invalidArgument } from '../../tool-failure.js';
import { asLink, dataResult, gatewayFacts } from '../content.js';
import { isPathSegment } from '../is-path-segment.js';

export const VIDEO_ENDPOINT = 'videos.generations';
export const VIDEO_PATH = ENDPOINTS[VIDEO_ENDPOINT].path;

const record = {
  id: z.string(),
  task_id: z.string(),
  model: z.string(),
  status: z.enum(VIDEO_TASK_STATUSES),
  progress: z.number().nullish(),
  content: z.looseObject({ video_url: z.string() }).nullish(),
  cost: z.string().nullish(),
  error: z.looseObject({ code: z.string(), message: z.string() }).nullish(),
};

export const listedRecord = z.looseObject(record);
export const recordOutput = z.looseObject({ ...record, gateway: gatewayFacts });

export const taskIdInput = z.looseObject({ task_id: z.string().min(1) });
export const taskIdHint = { task_id: 'The task_id that submit_video gave.' };

/** Path of a task. Also accepts `id`, the name in the task record. */
export function taskPath({ task_id: taskId, id = taskId }: Arguments): string {
  if (!isPathSegment(id)) throw invalidArgument('task_id', 'expected the id of a video task.');
  return `${VIDEO_PATH}/${encodeURIComponent(id)}`;
}

export const isFinal = ({ status }: Pick<VideoTaskRecord, 'status'>): boolean =>
  (FINAL_VIDEO_TASK_STATUSES as readonly string[]).includes(status);

export interface TaskSnapshot {
  readonly task: VideoTaskRecord;
  readonly facts: ResponseFacts;
}

export async function readTask({ gateway }: ToolContext, path: string): Promise<TaskSnapshot> {
  const response = await gateway.request({ method: 'GET', path });
  return { task: await response.json<VideoTaskRecord>(), facts: response.facts };
}

/** Converts a task to a result, with a link once the video exists. */
export function taskResult({ task, facts }: TaskSnapshot): ToolResult {
  const url = task.content?.video_url;
  const link =
    url === undefined
      ? []
      : [asLink(url, `${task.id}.mp4`, 'video/mp4', 'The video. Its vendor stores it for about a day.')];
  return dataResult(task, facts, ...link);
}
