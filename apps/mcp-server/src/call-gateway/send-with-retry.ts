import { type HttpResponse, isHttpFailure } from '@gateway/http';
import { handleWhen, IterableBackoff, retry } from 'cockatiel';

/** Covers a rolling restart: the next connection reaches another instance. */
const PAUSES_MS: readonly number[] = [100, 300];

const retryWhen = (isSafe: (kind: string) => boolean) =>
  retry(
    handleWhen((error) => isHttpFailure(error) && !error.isTimeout && isSafe(error.kind)),
    { maxAttempts: PAUSES_MS.length, backoff: new IterableBackoff(PAUSES_MS) },
  );

/** `connect`: no byte left this process. `ambiguous`: the gateway may have run the request. */
const readOnlyPolicy = retryWhen((kind) => kind === 'connect' || kind === 'ambiguous');
const writePolicy = retryWhen((kind) => kind === 'connect');

/**
 * Retries a failed connection where a second attempt cannot run anything twice. Never retries a write that may have
 * reached the gateway: the client decides, with an idempotency key. Rejects with the last error.
 */
export const sendWithRetry = (send: () => Promise<HttpResponse>, isReadOnly: boolean): Promise<HttpResponse> =>
  (isReadOnly ? readOnlyPolicy : writePolicy).execute(send);
