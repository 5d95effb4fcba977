import { GatewayError, taskIdOf } from '@gateway/contracts';
import type { AdmittedRequest } from '../edge-request.js';

const RETRY_AFTER_MS = 1_000;

type Broken = Pick<AdmittedRequest, 'outlivesClient' | 'requestId' | 'recording'>;

/** A video task may be on its way all the same, and is known by its id; under an idempotency key the next try is told of it. */
const taskMayRun = (code: 'worker_lost' | 'service_unavailable', what: string, { requestId, recording }: Broken) =>
  new GatewayError(
    code,
    `${what} before it could say what became of your video task. Ask for ${taskIdOf(requestId)} before you send it again.`,
    recording === undefined ? { mayHaveBegun: true } : { retryAfterMs: RETRY_AFTER_MS },
  );

/** What the client of a lost worker is told. */
export const workerLost = (request: Broken): GatewayError =>
  request.outlivesClient === true
    ? taskMayRun('worker_lost', 'The process that took it was lost', request)
    : new GatewayError('worker_lost', 'The process that ran your request was lost before the answer was whole.');

export const noWorkerInTime = (): GatewayError =>
  new GatewayError('upstream_unavailable', 'No worker took the request in time, try again shortly.', {
    retryAfterMs: RETRY_AFTER_MS,
  });

export const restarting = (): GatewayError =>
  new GatewayError('service_unavailable', 'The server is restarting, try again.', { retryAfterMs: RETRY_AFTER_MS });

/** The same of a request that a worker has in hand. */
export const restartingMeanwhile = (request: Broken): GatewayError =>
  request.outlivesClient === true
    ? taskMayRun('service_unavailable', 'The server is restarting', request)
    : restarting();
