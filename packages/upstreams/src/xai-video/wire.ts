import type { TaskReading } from '@gateway/contracts';

/*
 * POST /v1/videos/generations and GET /v1/videos/{request_id}: docs.x.ai/docs/guides/video-generation.
 * The client's `input` and `parameters` hold the vendor's own fields, which share one body. The vendor can neither list nor
 * cancel tasks.
 */

export const SUBMIT_PATH = '/v1/videos/generations';
export const TASKS_PATH = '/v1/videos';

/** States by `status`. An unknown status counts as running. */
export const STATES: Readonly<Record<string, TaskReading['state']>> = {
  pending: 'running',
  done: 'succeeded',
  failed: 'failed',
  expired: 'expired',
};
