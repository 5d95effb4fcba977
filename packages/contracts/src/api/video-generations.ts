import { z } from 'zod';
import { VIDEO_TASK_STATUSES, type VideoTaskRecord, type VideoTaskStatus } from '../tasks/video-task.js';
import { queryBoolean } from './query-boolean.js';
import { pageLimit, queryNumber } from './query-number.js';
import { hasNoNul } from './stored-text.js';

/*
 * POST and GET /v1/videos/generations. `input` and `parameters` are forwarded unchanged, so both are open.
 * Unknown fields beside them are rejected: they would not reach the upstream.
 */

const MAX_WEBHOOK_URL_CHARACTERS = 2_048;
const WAIT_SECONDS = { least: 1, most: 300 } as const;

const waitTimeout = z.int().min(WAIT_SECONDS.least).max(WAIT_SECONDS.most);

export const videoGenerationRequest = z.strictObject({
  model: z.string().min(1),
  /** Whole seconds. */
  duration: z.int().min(1).nullish(),
  resolution: z.string().nullish(),
  aspect_ratio: z.string().nullish(),
  input: z.record(z.string(), z.unknown()),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  webhook_url: z.string().max(MAX_WEBHOOK_URL_CHARACTERS).nullish(),
  /** True: the response is sent once the task has ended, or after `wait_timeout` seconds with its current state. */
  wait: z.boolean().nullish(),
  wait_timeout: waitTimeout.nullish(),
});

export type VideoGenerationRequest = z.infer<typeof videoGenerationRequest>;

export const DEFAULT_VIDEO_SECONDS = 5;
export const DEFAULT_VIDEO_RESOLUTION = '720p';
export const DEFAULT_VIDEO_ASPECT_RATIO = '16:9';
export const DEFAULT_WAIT_SECONDS = 60;

/** `wait` and `wait_timeout` as query parameters. */
export const videoWaitQuery = z.looseObject({
  wait: queryBoolean.optional(),
  wait_timeout: queryNumber(WAIT_SECONDS).optional(),
});

export const VIDEO_LIST_LIMIT = { least: 1, most: 100, usual: 20 } as const;

/** Videos of one page. */
export const videoPageLimit = pageLimit(VIDEO_LIST_LIMIT);

export const videoListQuery = z.object({
  limit: videoPageLimit,
  cursor: z.string().min(1).optional(),
  status: z.enum(VIDEO_TASK_STATUSES).optional(),
  model: z.string().min(1).refine(hasNoNul, 'expected a model id without the character NUL').optional(),
});

export type VideoListQuery = z.output<typeof videoListQuery>;

/** The 202 response: the task is accepted and will run. */
export interface VideoSubmissionResponse {
  readonly id: string;
  readonly task_id: string;
  readonly object: 'video.task';
  readonly model: string;
  readonly status: VideoTaskStatus;
  readonly created_at: number;
  /** What the task may cost: decimal USD that are held, the price of a second, and the seconds. */
  readonly cost: { readonly held_usd: string; readonly price: string; readonly seconds: number };
}

/** One page of tasks, newest first. */
export interface VideoTaskList {
  readonly object: 'list';
  readonly data: readonly VideoTaskRecord[];
  /** The `cursor` of the next page; null on the last page. */
  readonly next_cursor: string | null;
  readonly has_more: boolean;
}
