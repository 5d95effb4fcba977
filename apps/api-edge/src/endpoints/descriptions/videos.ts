import type { Answer, RouteDescription } from '@gateway/api-description';
import {
  VIDEO_TASK_STATUSES,
  videoContentQuery,
  videoCreation,
  videoGenerationRequest,
  videoListQuery,
  videosQuery,
  videoWaitQuery,
} from '@gateway/contracts';
import { z } from 'zod';
import { answer, eventStream, PAID_HEADERS, RUN_ERRORS } from './parts.js';

const binary = z.string().meta({ override: { type: 'string', format: 'binary' } });

const status = z.enum(VIDEO_TASK_STATUSES);
const seconds = z.int().meta({ description: 'Unix seconds.' });

/** A task, as `renderVideoTask` writes it. */
const videoTask = z
  .object({
    id: z.string(),
    task_id: z.string(),
    object: z.literal('video.task'),
    model: z.string(),
    status,
    progress: z.number().nullable().meta({ description: 'Per cent.' }),
    created_at: seconds,
    started_at: seconds.nullable(),
    finished_at: seconds.nullable(),
    expires_at: seconds.meta({ description: 'A task that has not ended then expires, and its hold is released.' }),
    duration: z.number(),
    resolution: z.string(),
    aspect_ratio: z.string(),
    content: z
      .object({
        video_url: z.string(),
        last_frame_url: z.string().optional(),
        expires_at: seconds.meta({ description: 'When these addresses end. A later poll returns new ones.' }),
        file_id: z.string().optional().meta({ description: 'The file in `/v1/files`, where results are kept.' }),
        last_frame_file_id: z.string().optional(),
      })
      .nullable(),
    usage: z.looseObject({}).nullable(),
    seed: z.number().nullable(),
    cost: z.string().nullable().meta({ description: 'What was charged, in USD. Null until the task has ended.' }),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    cancellation: z
      .object({
        requested_at: seconds,
        outcome: z.enum(['pending', 'cancelled', 'refused']),
        may_still_cost_usd: z.string(),
        message: z.string(),
      })
      .nullable(),
    upstream: z.looseObject({}).nullable().meta({ description: 'The latest record in the upstream’s format.' }),
  })
  .meta({ id: 'VideoTask' });

const videoTaskEvent = z
  .object({
    id: z.string(),
    object: z.literal('event'),
    created_at: seconds,
    type: z.string(),
    timestamp: z.iso.datetime(),
    data: videoTask,
  })
  .meta({ id: 'VideoTaskEvent' });

const submission = z
  .object({
    id: z.string(),
    task_id: z.string(),
    object: z.literal('video.task'),
    model: z.string(),
    status,
    created_at: seconds,
    cost: z.object({ held_usd: z.string(), price: z.string(), seconds: z.number() }),
  })
  .meta({ id: 'VideoSubmission' });

const accepted: Answer = {
  ...answer('Accepted: the task runs. A client that waits gets its current state', {
    'application/json': z.union([submission, videoTask]),
  }),
};

export const videosGenerations: RouteDescription = {
  id: 'videos.generations',
  summary: 'Submit a video task',
  description:
    '`input` and `parameters` are the body of the model’s own family. `wait=true` responds at the end, or with 202 after `wait_timeout` seconds.',
  headers: PAID_HEADERS,
  query: videoWaitQuery,
  body: videoGenerationRequest,
  answers: {
    202: accepted,
    200: answer('The task has ended while the client waited', { 'application/json': videoTask }),
  },
  errors: RUN_ERRORS,
  dialects: ['b'],
  passesErrors: true,
  examples: {
    text: {
      body: {
        model: 'wn2.7-t2v',
        duration: 2,
        resolution: '720p',
        input: { prompt: 'A paper boat' },
        parameters: { resolution: '720P', duration: 2 },
      },
    },
  },
};

const SEEN = ['Last-Event-ID'] as const;

export const VIDEO_TASKS = {
  list: {
    id: 'videos.list',
    summary: 'List video tasks',
    description: 'The newest first.',
    query: videoListQuery,
    answers: {
      200: z.object({
        object: z.literal('list'),
        data: z.array(videoTask),
        next_cursor: z.string().nullable(),
        has_more: z.boolean(),
      }),
    },
    examples: { newest: { query: { limit: '1' } } },
  },
  get: {
    id: 'videos.get',
    summary: 'Read a video task',
    answers: { 200: videoTask },
    dialects: ['a', 'b'],
    examples: { done: { path: { id: '{taskId}' } } },
  },
  remove: {
    id: 'videos.deleteMedia',
    summary: 'Delete the media of a video task',
    description:
      'The files that the gateway keeps, and their addresses. The task stays, with its receipt. `deleted` is how many there were. 409 while the task runs.',
    answers: { 200: z.object({ id: z.string(), object: z.literal('video.media'), deleted: z.int() }) },
    errors: ['request_in_progress'],
    examples: { done: { path: { id: '{taskId}' } } },
  },
  cancel: {
    id: 'videos.cancel',
    summary: 'Cancel a video task',
    description: 'A task that the upstream can no longer stop goes on, and is charged if it succeeds.',
    answers: { 200: videoTask },
    examples: { ended: { path: { id: '{taskId}' } } },
  },
  events: {
    id: 'videos.events',
    summary: 'Follow a video task',
    description: 'Server-sent events until the task has ended. 204 once the client has seen the last one.',
    headers: SEEN,
    answers: {
      200: {
        description: 'Events',
        content: {
          'text/event-stream': eventStream(videoTaskEvent, 'The task at each change, as a webhook delivers it.'),
        },
      },
      204: { description: 'The client has seen the last event' },
    },
    examples: { ended: { path: { id: '{taskId}' } } },
  },
} as const satisfies Record<string, RouteDescription>;

/** As `videoRecord` writes it. */
const video = z
  .object({
    id: z.string(),
    object: z.literal('video'),
    model: z.string(),
    status: z.enum(['queued', 'in_progress', 'completed', 'failed']),
    progress: z.number().meta({ description: 'Per cent.' }),
    created_at: seconds,
    completed_at: seconds.nullable(),
    expires_at: seconds
      .nullable()
      .meta({ description: 'When the vendor deletes it, where the gateway does not keep it.' }),
    prompt: z
      .string()
      .nullable()
      .meta({ description: 'Prompts are not kept: only the answer to its creation has it.' }),
    seconds: z.string(),
    size: z.string(),
    remixed_from_video_id: z.null(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  })
  .meta({ id: 'Video' });

export const VIDEOS = {
  create: {
    id: 'videos.create',
    summary: 'Create a video in OpenAI’s format',
    description:
      'The same task as POST /v1/videos/generations, for every video model. A form may have the image of `input_reference` as a file. `input` and `parameters` are the model’s own.',
    headers: ['Idempotency-Key'],
    body: {
      content: {
        'application/json': videoCreation,
        'multipart/form-data': videoCreation
          .pick({ model: true, prompt: true, seconds: true, size: true, webhook_url: true })
          .extend({ input_reference: binary.optional() }),
      },
    },
    answers: { 200: video },
    errors: RUN_ERRORS,
    passesErrors: true,
    examples: { text: { body: { model: 'wn2.7-t2v', prompt: 'A paper boat', seconds: '2', size: '1280x720' } } },
  },
  list: {
    id: 'videos.listInOpenAiFormat',
    summary: 'List videos in OpenAI’s format',
    description:
      'All video tasks of the key’s account and models. `after` is the id of the last video of the page before.',
    query: videosQuery,
    answers: {
      200: z.object({
        object: z.literal('list'),
        data: z.array(video),
        first_id: z.string().nullable(),
        last_id: z.string().nullable(),
        has_more: z.boolean(),
      }),
    },
    examples: { newest: { query: { limit: '1' } } },
  },
  get: {
    id: 'videos.retrieve',
    summary: 'Read a video in OpenAI’s format',
    answers: { 200: video },
    examples: { done: { path: { id: '{taskId}' } } },
  },
  remove: {
    id: 'videos.delete',
    summary: 'Delete a video in OpenAI’s format',
    description: 'Deletes the files that the gateway keeps. The task stays, with its receipt. 409 while it runs.',
    answers: { 200: z.object({ id: z.string(), object: z.literal('video.deleted'), deleted: z.literal(true) }) },
    errors: ['request_in_progress'],
    examples: { done: { path: { id: '{taskId}' } } },
  },
  content: {
    id: 'videos.content',
    summary: 'Download a video',
    description:
      'Its bytes, or the vendor’s address where the gateway does not keep it. 409 until it is completed. Right after the end, the response waits until the gateway has fetched the video, 20 seconds at most.',
    headers: ['Range', 'If-Match'],
    query: videoContentQuery,
    answers: {
      200: {
        description: 'The bytes',
        content: { 'application/octet-stream': binary },
        headers: ['content-disposition', 'etag', 'content-range', 'accept-ranges'],
      },
      206: { description: 'A part of the bytes', content: { 'application/octet-stream': binary } },
      304: { description: 'The client has these bytes' },
      307: { description: 'The bytes are not stored: `location` is the vendor’s address', headers: ['location'] },
    },
    errors: ['request_in_progress', 'precondition_failed', 'range_not_satisfiable'],
    examples: { whole: { path: { id: '{taskId}' } } },
  },
} as const satisfies Record<string, RouteDescription>;
