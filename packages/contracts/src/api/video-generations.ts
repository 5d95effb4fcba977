import { z } from 'zod';
import { VIDEO_TASK_STATUSES, type VideoTaskRecord, type VideoTaskStatus } from '../tasks/video-task.js';

/*
 * POST /v1/videos/generations, GET of its list, and their answers. `input` and `parameters` travel on unchanged, so both
 * are open; beside them stands nothing that is not of the interface, since nothing else would reach the upstream.
 */

const WEBHOOK_URL_CHARACTERS_AT_MOST = 2_048;
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
  webhook_url: z.string().max(WEBHOOK_URL_CHARACTERS_AT_MOST).nullish(),
  /** True: the answer comes when the task has ended, or after `wait_timeout` seconds as it then is. */
  wait: z.boolean().nullish(),
  wait_timeout: waitTimeout.nullish(),
});

export type VideoGenerationRequest = z.infer<typeof videoGenerationRequest>;

export const DEFAULT_VIDEO_SECONDS = 5;
export const DEFAULT_VIDEO_RESOLUTION = '720p';
export const DEFAULT_VIDEO_ASPECT_RATIO = '16:9';
export const DEFAULT_WAIT_SECONDS = 60;

const wholeNumber = (schema: z.ZodInt) =>
  z
    .string()
    .regex(/^\d{1,4}$/, 'expected a whole number')
    .transform(Number)
    .pipe(schema);

/** The wait, said in the query instead of in the body. */
export const videoWaitQuery = z.looseObject({
  wait: z
    .enum(['true', 'false'])
    .transform((word) => word === 'true')
    .optional(),
  wait_timeout: wholeNumber(waitTimeout).optional(),
});

export const VIDEO_LIST_LIMIT = { least: 1, most: 100, usual: 20 } as const;

export const videoListQuery = z.looseObject({
  limit: wholeNumber(z.int().min(VIDEO_LIST_LIMIT.least).max(VIDEO_LIST_LIMIT.most)).default(VIDEO_LIST_LIMIT.usual),
  cursor: z.string().min(1).optional(),
  status: z.enum(VIDEO_TASK_STATUSES).optional(),
  model: z
    .string()
    .min(1)
    .refine((name) => !name.includes('\0'), 'must not contain the character NUL')
    .optional(),
});

export type VideoListQuery = z.output<typeof videoListQuery>;

/** 202: the task is accepted and will run. */
export interface VideoSubmissionResponse {
  readonly id: string;
  readonly task_id: string;
  readonly object: 'video.task';
  readonly model: string;
  readonly status: VideoTaskStatus;
  readonly created_at: number;
}

/** Newest first. */
export interface VideoTaskList {
  readonly object: 'list';
  readonly data: readonly VideoTaskRecord[];
  /** What to send as `cursor` for the page behind this one; null at the end. */
  readonly next_cursor: string | null;
  readonly has_more: boolean;
}
