import type { TaskReading } from '@gateway/contracts';

/*
 * /api/v3/contents/generations/tasks: docs.byteplus.com/en/docs/ModelArk/1520757. The client's `input` and `parameters` are
 * the vendor's own fields, side by side in one body.
 */

export const TASKS_PATH = '/api/v3/contents/generations/tasks';

/** Words of `status`. One that is not here is a state of a task that has not ended. */
export const STATES: Readonly<Record<string, TaskReading['state']>> = {
  queued: 'queued',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
  expired: 'expired',
};

/** How many tasks one look at the list shows: the vendor's most. */
export const LIST_PAGE_SIZE = 500;
