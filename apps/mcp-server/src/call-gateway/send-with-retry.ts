import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpResponse, isHttpFailure } from '@gateway/http';

/** While one copy goes and the next connection reaches another. */
const PAUSES_MS: readonly number[] = [100, 300];

/**
 * Sends a request, and again where its connection failed and that cannot run anything twice: not a byte of it had left, or it
 * only reads. What may have been begun is never sent again here: that is for whoever asked, who knows whether to.
 */
export async function sendWhileSafe(send: () => Promise<HttpResponse>, onlyReads: boolean): Promise<HttpResponse> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await send();
    } catch (error) {
      if (!isHttpFailure(error) || error.isTimeout) throw error;
      const isSafe = error.kind === 'connect' || (error.kind === 'ambiguous' && onlyReads);
      if (!isSafe) throw error;
    }
    await sleep(pauseMs);
  }
  return send();
}
