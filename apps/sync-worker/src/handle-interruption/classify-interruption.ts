import { hasOutput, NO_USAGE, type SettlementOutcome, type Usage } from '@gateway/contracts';
import type { StreamReader } from '@gateway/upstreams';

/** A response that ended early, as far as it came. */
export interface Interruption {
  /** What metered the response. Undefined: the upstream had not responded. */
  readonly reader: Pick<StreamReader, 'isFinal' | 'usage'> | undefined;
  /** True once the first byte for the client was there. */
  readonly isStarted: boolean;
  /** True if the client or its edge has gone. */
  readonly isAborted: boolean;
}

export interface InterruptionSettlement {
  /** What the client saw. */
  readonly outcome: SettlementOutcome;
  /** What is settled: `completed` if only the end of a complete response was not sent. */
  readonly settledAs: SettlementOutcome;
  /** What is charged. */
  readonly usage: Usage;
}

/**
 * Decides who pays for an interrupted response. The client pays for what was used if the response gave output,
 * or if the client left after the upstream had responded. A response that failed before any output is free.
 */
export function classifyInterruption({ reader, isStarted, isAborted }: Interruption): InterruptionSettlement {
  if (reader !== undefined && (isAborted || (isStarted && (reader.isFinal || hasOutput(reader.usage().units))))) {
    const outcome = isAborted ? 'aborted' : 'interrupted';
    return { outcome, settledAs: reader.isFinal ? 'completed' : outcome, usage: reader.usage() };
  }
  const outcome = isAborted ? 'aborted' : 'failed';
  return { outcome, settledAs: outcome, usage: NO_USAGE };
}
