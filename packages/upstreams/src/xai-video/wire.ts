import type { TaskReading } from '@gateway/contracts';

/*
 * POST /v1/videos/generations and GET /v1/videos/{request_id}: docs.x.ai/docs/guides/video-generation. The client's `input`
 * and `parameters` are the vendor's own fields, side by side in one body. The vendor neither lists tasks nor cancels them.
 */

export const SUBMIT_PATH = '/v1/videos/generations';
export const TASKS_PATH = '/v1/videos';

/** Words of `status`. One that is not here is a state of a task that has not ended. */
export const STATES: Readonly<Record<string, TaskReading['state']>> = {
  pending: 'running',
  done: 'succeeded',
  failed: 'failed',
  expired: 'expired',
};
