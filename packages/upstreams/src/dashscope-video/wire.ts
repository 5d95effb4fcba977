import type { TaskReading } from '@gateway/contracts';

/*
 * POST /api/v1/services/aigc/video-generation/video-synthesis (asynchronous) and /api/v1/tasks/{id}:
 * alibabacloud.com/help/en/model-studio/text-to-video-api-reference.
 * The client's `input` and `parameters` hold the vendor's own fields.
 */

export const SUBMIT_PATH = '/api/v1/services/aigc/video-generation/video-synthesis';
export const TASKS_PATH = '/api/v1/tasks';

/**
 * States by `output.task_status`. An unknown status counts as running. `UNKNOWN`: the task never existed, or ended more
 * than a day ago.
 */
export const STATES: Readonly<Record<string, TaskReading['state']>> = {
  PENDING: 'queued',
  RUNNING: 'running',
  SUSPENDED: 'running',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  CANCELED: 'cancelled',
  UNKNOWN: 'unknown',
};

/** The vendor's times have no zone. They are in UTC+8, all year. */
export const VENDOR_OFFSET_MS = 8 * 3_600_000;

/** Tasks per page of the list. */
export const LIST_PAGE_SIZE = 100;
