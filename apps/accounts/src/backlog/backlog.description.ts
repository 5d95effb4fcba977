import type { RouteDescription } from '@gateway/api-description';
import { VENDORS } from '@gateway/contracts';
import { TASK_PROBLEMS } from '@gateway/postgres';
import { z } from 'zod';
import { jsonOrEvents, pageOf, time, timeOrNull, usdText } from '../http/answers.js';
import { page, text } from '../http/fields.js';

export const taskListing = z.strictObject({
  ...page,
  problem: z.enum(TASK_PROBLEMS).optional(),
  vendor: z.enum(VENDORS).optional(),
  account_id: text(64).optional(),
  channel_id: text(128).optional(),
});

const count = z.int();

const queueRecord = z
  .object({
    name: z.string(),
    kind: z.string(),
    vendor: z.string(),
    waiting: count,
    active: count,
    delayed: count,
    failed: count,
    oldest_wait_seconds: z.number().nullable(),
    slots: z.object({ size: count, active: count, waiting: count }).nullable(),
  })
  .meta({ id: 'Queue' });

const openTaskRecord = z
  .object({
    id: z.string(),
    request_id: z.string(),
    account_id: z.string(),
    model: z.string(),
    vendor: z.string(),
    status: z.string(),
    channel_id: z.string().nullable(),
    upstream_task_id: z.string().nullable(),
    hold_usd: usdText,
    created_at: time,
    expires_at: time,
    next_poll_at: timeOrNull,
    poll_failures: count,
    problems: z.array(z.enum(TASK_PROBLEMS)),
  })
  .meta({ id: 'OpenTask' });

export type QueueView = z.output<typeof queueRecord>;
export type OpenTaskView = z.output<typeof openTaskRecord>;

export const BACKLOG = {
  queues: {
    id: 'operations.queues',
    summary: 'List the queues with their depth',
    description: '`slots`: those of all workers that take from the queue. Queues of test keys share theirs.',
    answers: { 200: jsonOrEvents('FollowedQueues', pageOf(queueRecord)) },
    examples: { all: {} },
  },
  tasks: {
    id: 'operations.tasks',
    summary: 'List the open tasks of all accounts',
    description:
      '`lost`: no worker knows whether the vendor has it. `overdue`: its poll was due a minute ago. `stuck`: it is open after its deadline, or its submission has been under way or unknown for 15 minutes.',
    query: taskListing,
    answers: { 200: jsonOrEvents('FollowedOpenTasks', pageOf(openTaskRecord)) },
    examples: { stuck: { query: { problem: 'stuck' } } },
  },
} satisfies Record<string, RouteDescription>;
