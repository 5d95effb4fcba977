import type { RouteDescription } from '@gateway/api-description';
import {
  BATCH_STATUSES,
  DURABLE_REQUEST_STATUSES,
  FILE_PURPOSES,
  queryBoolean,
  VIDEO_TASK_STATUSES,
} from '@gateway/contracts';
import { z } from 'zod';
import { deleted, jsonOrCsv, pageOf, time, timeOrNull, usdText } from '../http/answers.js';
import { pageOrFile, text } from '../http/fields.js';

const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names, `must be one of ${names.join(', ')}`).optional();

/** A session chooses the mode. A key sees its own. */
const test = queryBoolean.default(false);

export const taskListing = z.strictObject({
  ...pageOrFile,
  status: oneOf(VIDEO_TASK_STATUSES),
  model: text(200).optional(),
});
export const fileListing = z.strictObject({ ...pageOrFile, test, purpose: oneOf(FILE_PURPOSES) });
export const batchListing = z.strictObject({ ...pageOrFile, test, status: oneOf(BATCH_STATUSES) });
export const keptRequestListing = z.strictObject({ ...pageOrFile, test, status: oneOf(DURABLE_REQUEST_STATUSES) });

const failure = z.object({ code: z.string(), message: z.string() });
const address = z.string().nullable().meta({ description: 'Opens without a key for a time. Null: there is none.' });
const mayStillCost = usdText.meta({ description: 'What it may still cost at most if it is cancelled now.' });

export const taskRecord = z
  .object({
    id: z.string(),
    request_id: z.string(),
    key_id: z.string(),
    model: z.string(),
    test: z.boolean(),
    status: z.enum(VIDEO_TASK_STATUSES),
    progress: z.number().nullable().meta({ description: 'Per cent, as the vendor reports it. Null: it reports none.' }),
    usual_duration_ms: z.number().nullable().meta({
      description: 'The median time of the latest tasks of the model, from acceptance to end. Null: none yet.',
    }),
    duration_seconds: z.number(),
    resolution: z.string(),
    aspect_ratio: z.string(),
    hold_usd: usdText,
    cost_usd: usdText.nullable(),
    cancel_may_cost_usd: mayStillCost,
    video: z
      .object({
        url: z.string(),
        last_frame_url: z.string().nullable(),
        expires_at: time,
        file_id: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'Null until it has succeeded. `file_id` is null if only the vendor has the video.' }),
    error: failure.nullable(),
    cancellation: z
      .object({ requested_at: time, outcome: z.string(), may_still_cost_usd: usdText, message: z.string() })
      .nullable(),
    created_at: time,
    accepted_at: timeOrNull,
    started_at: timeOrNull,
    finished_at: timeOrNull,
    expires_at: time,
  })
  .meta({ id: 'AccountTask' });

export const fileRecord = z
  .object({
    id: z.string(),
    filename: z.string(),
    purpose: z.string(),
    content_type: z.string(),
    bytes: z.number(),
    sha256: z.string(),
    test: z.boolean(),
    content_url: address,
    created_at: time,
    expires_at: timeOrNull.meta({ description: 'Null: it is kept until it is deleted.' }),
  })
  .meta({ id: 'AccountFile' });

const outcomeFile = z.object({ id: z.string(), url: address }).nullable();

export const batchRecord = z
  .object({
    id: z.string(),
    format: z.string(),
    endpoint: z.string(),
    status: z.string(),
    key_id: z.string(),
    test: z.boolean(),
    total: z.int(),
    completed: z.int(),
    failed: z.int(),
    expired: z.int(),
    cancelled: z.int(),
    cost_usd: usdText,
    max_cost_usd: usdText.nullable().meta({ description: 'The budget. Null: what the account and the key may spend.' }),
    waits_for: z.string().nullable(),
    errors: z.array(z.object({ code: z.string(), message: z.string(), line: z.int().nullable() })).readonly(),
    output_file: outcomeFile,
    error_file: outcomeFile,
    created_at: time,
    window_ends_at: time,
    started_at: timeOrNull,
    cancel_requested_at: timeOrNull,
    finished_at: timeOrNull,
  })
  .meta({ id: 'AccountBatch' });

export const keptRequestRecord = z
  .object({
    id: z.string(),
    endpoint: z.string(),
    model: z.string(),
    key_id: z.string(),
    test: z.boolean(),
    status: z.enum(DURABLE_REQUEST_STATUSES),
    cancel_requested: z.boolean(),
    hold_usd: usdText,
    cost_usd: usdText.nullable(),
    cancel_may_cost_usd: mayStillCost,
    response: z.object({ status: z.int(), content_type: z.string(), bytes: z.number() }).nullable(),
    error: failure.nullable(),
    created_at: time,
    started_at: timeOrNull,
    finished_at: timeOrNull,
    expires_at: time.meta({ description: 'When the response is deleted.' }),
  })
  .meta({ id: 'KeptRequest' });

const NEWEST = 'The newest first. `format=csv` without `limit` is the whole list.';
const MODES = `${NEWEST} A session reads one mode, live or test; a key reads its own.`;

export const MEDIA = {
  tasks: {
    id: 'media.tasks',
    summary: 'List the video tasks of the account',
    description: NEWEST,
    query: taskListing,
    answers: { 200: jsonOrCsv(pageOf(taskRecord)) },
    examples: { newest: { query: { limit: '1' } } },
  },
  task: {
    id: 'media.task',
    summary: 'Read a video task of the account',
    answers: { 200: taskRecord },
    examples: { one: { path: { id: '{taskId}' } } },
  },
  deleteTaskMedia: {
    id: 'media.deleteTaskMedia',
    summary: 'Delete the media of a video task',
    description:
      'The files that the gateway keeps, and their addresses. The task and its receipt stay. `deleted` is how many there were. 409 while the task runs.',
    answers: { 200: z.object({ id: z.string(), object: z.literal('video.media'), deleted: z.int() }) },
    errors: ['request_in_progress'],
    examples: { one: { path: { id: '{taskId}' } } },
  },
  cancelTask: {
    id: 'media.cancelTask',
    summary: 'Cancel a video task of the account',
    description: 'The outcome follows in `cancellation`: a vendor may refuse, and a task that succeeds is charged.',
    answers: { 200: taskRecord },
    examples: { ended: { path: { id: '{taskId}' } } },
  },
  files: {
    id: 'media.files',
    summary: 'List the files of the account',
    description: MODES,
    query: fileListing,
    answers: { 200: jsonOrCsv(pageOf(fileRecord)) },
    examples: { newest: { query: { limit: '1' } } },
  },
  deleteFile: {
    id: 'media.deleteFile',
    summary: 'Delete a file of the account',
    answers: { 200: deleted },
    examples: { one: { path: { id: '{fileId}' } } },
  },
  batches: {
    id: 'media.batches',
    summary: 'List the batches of the account',
    description: MODES,
    query: batchListing,
    answers: { 200: jsonOrCsv(pageOf(batchRecord)) },
    examples: { newest: { query: { limit: '1' } } },
  },
  cancelBatch: {
    id: 'media.cancelBatch',
    summary: 'Cancel a batch of the account',
    description: 'Lines that a vendor has begun are completed and charged.',
    answers: { 200: batchRecord },
    examples: { ended: { path: { id: '{batchId}' } } },
  },
  keptRequests: {
    id: 'media.keptRequests',
    summary: 'List the kept requests of the account',
    description: MODES,
    query: keptRequestListing,
    answers: { 200: jsonOrCsv(pageOf(keptRequestRecord)) },
    examples: { newest: { query: { limit: '1' } } },
  },
  cancelKeptRequest: {
    id: 'media.cancelKeptRequest',
    summary: 'Cancel a kept request of the account',
    description: 'A response that the vendor has begun and bills may still complete.',
    answers: { 200: keptRequestRecord },
    examples: { ended: { path: { id: '{laterId}' } } },
  },
} satisfies Record<string, RouteDescription>;
