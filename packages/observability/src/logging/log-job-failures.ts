import type { Logger } from 'pino';
import { LogThrottle } from './log-throttle.js';

/** What a line says about a failure of a queue worker. `requestId`, `jobId`: of the job, if one failed. */
interface JobFailure {
  readonly err: Error;
  readonly requestId?: string | undefined;
  readonly jobId?: string | undefined;
  readonly kind?: string;
  readonly vendor: string;
}

/**
 * Logs failures of queue workers: each failed job, and each problem without a job once in ten seconds. In an outage of Redis
 * every connection of every queue of a process reports it once a second.
 */
export function logJobFailures(logger: Logger, message: string): (failure: JobFailure) => void {
  const throttle = new LogThrottle();
  return (failure) => {
    const write = (): void => logger.error(failure, message);
    if ((failure.requestId ?? failure.jobId) === undefined) throttle.log(failure.err.message, write);
    else write();
  };
}
