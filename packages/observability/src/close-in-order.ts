import type { Logger } from './logger.js';

/** Closes what a process holds open, one after the other. One that fails is logged and keeps none of the others open. */
export async function closeInOrder(closers: readonly (() => Promise<unknown>)[], logger: Logger): Promise<void> {
  for (const close of closers) {
    try {
      await close();
    } catch (err) {
      logger.warn({ err }, 'closing');
    }
  }
}
