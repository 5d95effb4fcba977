import type { Worker } from 'bullmq';

/** What BullMQ's timer calls. Its type is private. */
interface StalledChecks {
  moveStalledJobsToWait(): Promise<void>;
}

/**
 * A queue without active jobs has none whose worker has died. So a check first reads how many are active, and after zero the
 * next check is left out. A job that became active meanwhile is still marked in time for its second check.
 */
export function skipIdleChecks(worker: Worker, activeCount: () => Promise<number>): void {
  const checks = worker as unknown as StalledChecks;
  const check = checks.moveStalledJobsToWait.bind(worker);
  let skipsNext = false;
  const moveStalledJobsToWait = async (): Promise<void> => {
    if (skipsNext) {
      skipsNext = false;
      return;
    }
    skipsNext = (await activeCount()) === 0;
    if (!skipsNext) await check();
  };
  Object.assign(worker, { moveStalledJobsToWait });
}
