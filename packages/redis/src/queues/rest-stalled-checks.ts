import type { Worker } from 'bullmq';

/** What BullMQ's timer calls. Its type is private. */
interface StalledChecks {
  moveStalledJobsToWait(): Promise<void>;
}

/**
 * A queue without active jobs has none whose worker has died. So a check first reads how many are active, and after zero the
 * next check is left out. A job that became active meanwhile is still marked in time for its second check.
 */
export function restStalledChecks(worker: Worker, activeCount: () => Promise<number>): void {
  const checks = worker as unknown as StalledChecks;
  const check = checks.moveStalledJobsToWait.bind(worker);
  let rests = false;
  const moveStalledJobsToWait = async (): Promise<void> => {
    if (rests) {
      rests = false;
      return;
    }
    rests = (await activeCount()) === 0;
    if (!rests) await check();
  };
  Object.assign(worker, { moveStalledJobsToWait });
}
