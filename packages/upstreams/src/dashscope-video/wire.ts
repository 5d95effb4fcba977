import type { TaskReading } from '@gateway/contracts';

/*
 * POST /api/v1/services/aigc/video-generation/video-synthesis, always asynchronous, and /api/v1/tasks/{id}:
 * alibabacloud.com/help/en/model-studio/text-to-video-api-reference. The client's `input` and `parameters` are the vendor's own.
 */

export const SUBMIT_PATH = '/api/v1/services/aigc/video-generation/video-synthesis';
export const TASKS_PATH = '/api/v1/tasks';

/**
 * Words of `output.task_status`. One that is not here is a state of a task that has not ended; `UNKNOWN` is one that never
 * existed, or ended more than a day ago.
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

/** The vendor writes times without a zone, and means China's, which has no summer time. */
export const VENDOR_OFFSET_MS = 8 * 3_600_000;

/** How many tasks one look at the list shows. */
export const LIST_PAGE_SIZE = 100;
