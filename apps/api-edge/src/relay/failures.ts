import { GatewayError, taskIdOf } from '@gateway/contracts';
import type { AdmittedRequest } from '../edge-request.js';

const RETRY_AFTER_MS = 1_000;

/** What the client of a lost worker is told. A video task may be on its way all the same, and is known by its id. */
export const workerLost = ({ outlivesClient, requestId }: AdmittedRequest): GatewayError =>
  new GatewayError(
    'worker_lost',
    outlivesClient === true
      ? `The process that took your video task was lost before it could say what became of it. Ask for ${taskIdOf(requestId)} before you send it again.`
      : 'The process that ran your request was lost before the answer was whole.',
  );

export const noWorkerInTime = (): GatewayError =>
  new GatewayError('upstream_unavailable', 'No worker took the request in time, try again shortly.', {
    retryAfterMs: RETRY_AFTER_MS,
  });

export const restarting = (): GatewayError =>
  new GatewayError('service_unavailable', 'The server is restarting, try again.', { retryAfterMs: RETRY_AFTER_MS });
