import type { TaskReading } from '@gateway/contracts';

/*
 * /api/v3/contents/generations/tasks: docs.byteplus.com/en/docs/ModelArk/1520757.
 * POST submits, GET polls or lists, DELETE cancels. The client's `input` and `parameters` hold the vendor's own fields, which
 * share one body. Times are Unix seconds.
 */

export const TASKS_PATH = '/api/v3/contents/generations/tasks';

/** States by `status`. An unknown status counts as running. */
export const STATES: Readonly<Record<string, TaskReading['state']>> = {
  queued: 'queued',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
  expired: 'expired',
};

/** Tasks per page of the list: the vendor's maximum. */
export const LIST_PAGE_SIZE = 500;
