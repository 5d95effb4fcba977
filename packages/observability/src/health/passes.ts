import type { ReadinessCheck } from './health-probe.js';

const CHECK_TIMEOUT_MS = 2_000;

/** Whether what a check looks at can serve. Never rejects: what gives no answer in time cannot. */
export async function passes({ check }: ReadinessCheck): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const outOfTime = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), CHECK_TIMEOUT_MS);
  });
  try {
    return (await Promise.race([check(), outOfTime])) !== false;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
