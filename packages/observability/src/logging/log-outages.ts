import type { Logger } from 'pino';
import { LogThrottle } from './log-throttle.js';

/**
 * Logs failures of connections, without stack traces: each problem of a peer once, and again every ten seconds while it
 * lasts. A client library reports one outage many times a second.
 */
export function logOutages(logger: Logger): (peer: string, error: Error) => void {
  const throttle = new LogThrottle();
  return (peer, { message: problem }) =>
    throttle.log(`${peer} ${problem}`, () => logger.warn({ peer, problem }, 'connection failed'));
}
