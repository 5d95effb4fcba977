import { GatewayError, taskIdOf } from '@gateway/contracts';
import type { AdmittedRequest } from '../edge-request.js';

/** What the client of a lost worker is told. A video task may be on its way all the same, and is known by its id. */
export const workerLost = ({ outlivesClient, requestId }: AdmittedRequest): GatewayError =>
  new GatewayError(
    'worker_lost',
    outlivesClient === true
      ? `The process that took your video task was lost before it could say what became of it. Ask for ${taskIdOf(requestId)} before you send it again.`
      : 'The process that ran your request was lost before the answer was whole.',
  );
