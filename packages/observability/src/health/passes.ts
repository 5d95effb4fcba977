import { withTimeout } from '../lifecycle/with-timeout.js';
import type { ReadinessCheck } from './health-probe.js';

const CHECK_TIMEOUT_MS = 2_000;

/** Whether a check passes within two seconds. Never rejects. */
export async function passes({ check }: ReadinessCheck): Promise<boolean> {
  try {
    return (await withTimeout(check(), CHECK_TIMEOUT_MS, () => false)) !== false;
  } catch {
    return false;
  }
}
