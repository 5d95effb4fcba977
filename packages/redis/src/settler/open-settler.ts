import { type Logger, LogThrottle } from '@gateway/observability';
import type { AdmissionStore } from '../admission/admission-store.js';
import { Settler, type SettlerOptions } from './settler.js';
import { Spool } from './spool.js';

/** The settler of a service. With `spoolDirectory`, unsettled events survive the process. */
export function openSettler(store: AdmissionStore, spoolDirectory: string | undefined, logger: Logger): Settler {
  const throttle = new LogThrottle();
  // During an outage each settlement fails many times a second: one line for all of them, without stack traces.
  const onError: SettlerOptions['onError'] = (error, { requestId }) => {
    const problem = error instanceof Error ? error.message : String(error);
    throttle.log(problem, () =>
      logger.warn({ problem, requestId, open: settler.openCount }, 'settlements failed, will be retried'),
    );
  };
  const settle: SettlerOptions['settle'] = (event) => store.settle(event);
  const spool = spoolDirectory === undefined ? {} : { spool: new Spool(spoolDirectory) };
  const settler: Settler = new Settler({ settle, onError, ...spool });
  return settler;
}
