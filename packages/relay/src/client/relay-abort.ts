import type { CancelReason } from '@gateway/contracts';

export type RelayAbortReason = CancelReason | 'edge_lost';

/** The `reason` of a claimed request's abort signal: who no longer wants the answer. */
export class RelayAbort extends Error {
  constructor(readonly reason: RelayAbortReason) {
    super(reason === 'edge_lost' ? 'the edge of this request is gone' : `the edge cancelled this request: ${reason}`);
    this.name = 'RelayAbort';
  }
}

/** Why the edge no longer wants the answer, or null if this signal was not aborted by the relay. */
export function relayAbortReason(signal: AbortSignal): RelayAbortReason | null {
  return signal.reason instanceof RelayAbort ? signal.reason.reason : null;
}
