import { ADDRESS_REFUSED, isHttpFailure } from '@gateway/http';
import { isStoreFull } from '@gateway/store';

/** Why a result is not stored. Metrics and rows name it. */
export type FetchReason =
  | 'too_large'
  | 'address_refused'
  | 'too_many_redirects'
  | 'status'
  | 'cut_off'
  | 'no_media'
  | 'timeout'
  | 'connection'
  | 'storage_limit'
  | 'store_full'
  | 'store_away'
  | 'stopped';

export class FetchFailure extends Error {
  constructor(
    readonly reason: FetchReason,
    options?: ErrorOptions,
  ) {
    super(`result not fetched: ${reason}`, options);
    this.name = 'FetchFailure';
  }
}

const ABORTS: ReadonlySet<unknown> = new Set(['TimeoutError', 'AbortError']);

/** `stop`: aborts when the process ends, which is no failure of the vendor. */
export function reasonOf(error: unknown, stop: AbortSignal): FetchReason {
  if (stop.aborted) return 'stopped';
  if (error instanceof FetchFailure) return error.reason;
  if (isStoreFull(error)) return 'store_full';
  if (ABORTS.has((error as Partial<Error> | null)?.name)) return 'timeout';
  if (!isHttpFailure(error)) return 'store_away';
  if (error.code === ADDRESS_REFUSED) return 'address_refused';
  return error.isTimeout || error.kind === 'aborted' ? 'timeout' : 'connection';
}
