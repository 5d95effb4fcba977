import { ENDPOINTS, FINAL_VIDEO_TASK_STATUSES, VIDEO_TASK_STATUSES, type VideoTaskRecord } from '@gateway/contracts';
import { z } from 'zod';
import type { AnswerFacts } from '../../gateway.js';
import type { Arguments, JsonObject, ToolAnswer, ToolCall } from '../../tool.js';
import { wrongArgument } from '../../tool-failure.js';
import { asLink, dataAnswer, gatewayFacts } from '../content.js';

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

/** Where a task is found; `id` is what the record itself calls it. */
export function taskPath({ task_id: taskId, id = taskId }: Arguments): string {
  if (typeof id !== 'string' || id === '') throw wrongArgument('task_id', 'expected the id of a video task.');
  return `${VIDEO_PATH}/${encodeURIComponent(id)}`;
}

export const isFinal = ({ status }: Pick<VideoTaskRecord, 'status'>): boolean =>
  (FINAL_VIDEO_TASK_STATUSES as readonly string[]).includes(status);

export interface TaskRevision {
  readonly task: VideoTaskRecord;
  readonly facts: AnswerFacts;
}

export async function readTask({ gateway }: ToolCall, path: string): Promise<TaskRevision> {
  const answer = await gateway.ask({ method: 'GET', path });
  return { task: await answer.json<VideoTaskRecord>(), facts: answer.facts };
}

/** A task as it stands; a finished one with a link to its video. */
export function taskAnswer({ task, facts }: TaskRevision): ToolAnswer {
  const url = task.content?.video_url;
  const link =
    url === undefined
      ? []
      : [asLink(url, `${task.id}.mp4`, 'video/mp4', 'The video, kept by its vendor for about a day.')];
  return dataAnswer(task as unknown as JsonObject, facts, ...link);
}
