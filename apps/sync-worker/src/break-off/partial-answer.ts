import { hasOutput, NO_USAGE, type SettlementOutcome, type Usage } from '@gateway/contracts';
import type { StreamReader } from '@gateway/upstreams';

/** An answer that broke off, as far as it came. */
export interface BrokenAnswer {
  /** What has metered it; undefined before the upstream answered. */
  readonly reader: Pick<StreamReader, 'isFinal' | 'usage'> | undefined;
  /** Its first byte was there to be sent. */
  readonly isBegun: boolean;
  /** Its client has left, or its edge is gone: nobody wants the rest. */
  readonly isAborted: boolean;
}

/** How such a request has ended, and what is charged for it: what was used, and nothing if it failed before its first byte. */
export function partialAnswer({ reader, isBegun, isAborted }: BrokenAnswer): {
  /** As the client has seen it. */
  readonly outcome: SettlementOutcome;
  /** As it is settled: whole, if only the end of a whole answer was not sent. */
  readonly settledAs: SettlementOutcome;
  readonly usage: Usage;
} {
  if (reader !== undefined && (isAborted || (isBegun && (reader.isFinal || hasOutput(reader.usage().units))))) {
    const outcome = isAborted ? 'aborted' : 'interrupted';
    return { outcome, settledAs: reader.isFinal ? 'completed' : outcome, usage: reader.usage() };
  }
  const outcome = isAborted ? 'aborted' : 'failed';
  return { outcome, settledAs: outcome, usage: NO_USAGE };
}
