import type { CancelReason } from '@gateway/contracts';

export type RelayAbortReason = CancelReason | 'edge_lost';

/** The `reason` of a granted request's abort signal. */
export class RelayAbort extends Error {
  constructor(readonly reason: RelayAbortReason) {
    super(
      reason === 'edge_lost' ? 'the connection to the edge was lost' : `the edge cancelled this request: ${reason}`,
    );
    this.name = 'RelayAbort';
  }
}

/** Why the edge stopped the request; null if something else aborted the signal, or nothing did. */
export function relayAbortReason(signal: AbortSignal): RelayAbortReason | null {
  return signal.reason instanceof RelayAbort ? signal.reason.reason : null;
}
