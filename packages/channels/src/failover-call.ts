import type { GatewayError, UpstreamAttempt, Vendor } from '@gateway/contracts';
import type { ChannelSettings } from './channel.js';
import type { FailureVerdict } from './classify-upstream-failure.js';

/** The record of one attempt, filled in while the attempt runs. */
export type AttemptRecord = { -readonly [Field in keyof UpstreamAttempt]: UpstreamAttempt[Field] };

/** One call that any channel of its vendor may serve. */
export interface FailoverCall<Result, Verdict extends FailureVerdict = FailureVerdict> {
  readonly vendor: Vendor;
  readonly publicModel: string;
  /** The upstream's name for the model. */
  readonly upstreamModel: string;
  /** Selects the breaker: each account has one on every channel. */
  readonly accountId: string;
  /** True: only channels that serve test keys may be called. */
  readonly isTest: boolean;
  /** The only channel that can serve the call, and the client's error if it is no longer configured. */
  readonly requiredChannel?: { readonly channelId: string; readonly whenGone: () => GatewayError };
  readonly signal: AbortSignal;
  /** Receives one record for each attempt that got a status or failed. */
  readonly attempts: UpstreamAttempt[];
  /** Runs one attempt. `release` frees the channel's slot; failover calls it unless `isStillRunning`. */
  run(channel: ChannelSettings, record: AttemptRecord, release: () => void): Promise<Result>;
  /** True of a result that has not ended, such as a stream: its reader calls `release`. */
  isStillRunning(result: Result): boolean;
  /** Classifies the error of a failed attempt. Undefined: a bug of the gateway, which `run` rethrows. */
  classifyFailure(thrown: unknown, record: AttemptRecord): Verdict | undefined;
}

/** The result, or the client's error with the verdict on the last attempt (undefined: no attempt was made). */
export type FailoverResult<Result, Verdict extends FailureVerdict = FailureVerdict> =
  | { readonly result: Result }
  | { readonly error: GatewayError; readonly verdict: Verdict | undefined };

/** Reports to operators that a vendor rejects a credential, for one model or for all. */
export interface RejectedCredential {
  readonly channel: string;
  readonly vendor: Vendor;
  /** Undefined: rejected for every model. */
  readonly model: string | undefined;
  readonly status: number | undefined;
  readonly cooldownMs: number;
  /** What confirmed a rejection that a client's request may have caused. */
  readonly confirmedBy: 'second_account' | 'probe' | undefined;
}

/** `unconfirmed`: the vendor accepts the credential and lists the model, so that the channel stays open. */
export type SuspicionOutcome = 'second_account' | 'probe' | 'unconfirmed';

/** Receives what operators must know about channels. */
export interface ChannelEvents {
  onRejectedCredential(rejected: RejectedCredential): void;
  /** The vendor's account of a channel is out of credit or at its spend limit. */
  onSpentAccount(spent: {
    readonly channel: string;
    readonly vendor: Vendor;
    readonly status: number | undefined;
  }): void;
  /** A rejection that a client's request may have caused was confirmed or not. */
  onSuspicion(channel: string, outcome: SuspicionOutcome): void;
}
