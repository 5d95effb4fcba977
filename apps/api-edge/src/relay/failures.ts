import { GatewayError, taskIdOf } from '@gateway/contracts';
import type { AdmittedRequest } from '../edge-request.js';

const RETRY_AFTER_MS = 1_000;

type FailedRequest = Pick<AdmittedRequest, 'outlivesClient' | 'requestId' | 'recording'>;

/** The task may still run, so the client must query it first. A retry with an idempotency key returns the same task. */
const taskMayRun = (
  code: 'worker_lost' | 'service_unavailable',
  what: string,
  { requestId, recording }: FailedRequest,
) =>
  new GatewayError(
    code,
    `${what} before it could report your video task. Query ${taskIdOf(requestId)} before you send the request again.`,
    recording === undefined ? { mayHaveBegun: true } : { retryAfterMs: RETRY_AFTER_MS },
  );

/** The worker was lost after its claim. */
export const workerLost = (request: FailedRequest): GatewayError =>
  request.outlivesClient === true
    ? taskMayRun('worker_lost', 'The worker was lost', request)
    : new GatewayError('worker_lost', 'The worker that ran your request was lost before the response was complete.');

export const noWorkerClaimed = (): GatewayError =>
  new GatewayError('upstream_unavailable', 'No worker claimed the request in time, try again shortly.', {
    retryAfterMs: RETRY_AFTER_MS,
  });

export const restarting = (): GatewayError =>
  new GatewayError('service_unavailable', 'The server is restarting, try again.', { retryAfterMs: RETRY_AFTER_MS });

/** The edge restarts while a worker runs the request. */
export const restartingWhileRunning = (request: FailedRequest): GatewayError =>
  request.outlivesClient === true
    ? taskMayRun('service_unavailable', 'The server is restarting', request)
    : restarting();
