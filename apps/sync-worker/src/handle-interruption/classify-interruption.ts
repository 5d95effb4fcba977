import { atLeastInput, hasOutput, NO_USAGE, type SettlementOutcome, type Usage } from '@gateway/contracts';
import type { StreamReader } from '@gateway/upstreams';

/** The state of a response when it ended early. */
export interface Interruption {
  /** The reader of the response. Undefined: the upstream had not responded. */
  readonly reader: Pick<StreamReader, 'isFinal' | 'isBilledFailure' | 'usage'> | undefined;
  /** True if the first byte for the client had arrived. */
  readonly isStarted: boolean;
  /** True if the client or its edge has disconnected, and the call was cancelled for it. */
  readonly isAborted: boolean;
  /** Set if the gateway gave up a response whose client had left: the prompt that its hold covers. */
  readonly abandonedInput: Usage | undefined;
}

export interface InterruptionSettlement {
  /** The outcome that the client saw. */
  readonly outcome: SettlementOutcome;
  /** The outcome to settle: `completed` if the upstream's response was complete. */
  readonly settledAs: SettlementOutcome;
  /** The usage to charge. */
  readonly usage: Usage;
}

/**
 * Decides who pays for an interrupted response. The client pays for the usage if the response had output, or if the
 * client disconnected after the upstream responded. A response that failed before any output is free, unless the upstream
 * reported what it bills for it.
 * A response that was given up after its client left costs at least its prompt: the vendor bills that in any case.
 */
export function classifyInterruption(interruption: Interruption): InterruptionSettlement {
  const { reader, isStarted, isAborted, abandonedInput } = interruption;
  if (abandonedInput !== undefined) {
    const settledAs = reader?.isFinal === true ? 'completed' : 'aborted';
    return { outcome: 'aborted', settledAs, usage: atLeastInput(reader?.usage() ?? NO_USAGE, abandonedInput) };
  }
  if (
    reader !== undefined &&
    (isAborted || reader.isBilledFailure === true || (isStarted && (reader.isFinal || hasOutput(reader.usage().units))))
  ) {
    const outcome = isAborted ? 'aborted' : 'interrupted';
    return { outcome, settledAs: reader.isFinal ? 'completed' : outcome, usage: reader.usage() };
  }
  const outcome = isAborted ? 'aborted' : 'failed';
  return { outcome, settledAs: outcome, usage: NO_USAGE };
}
