import type { Logger } from '../logging/logger.js';

/** Closes a process's resources one after the other. A failure is logged and does not stop the others. */
export async function closeInOrder(closers: readonly (() => Promise<unknown>)[], logger: Logger): Promise<void> {
  for (const close of closers) {
    try {
      await close();
    } catch (err) {
      logger.warn({ err }, 'close failed');
    }
  }
}
