import type { ErrorRecord, SyncTicket, Usage } from '@gateway/contracts';
import type { ClassifiedFailure, Target, UpstreamFailure, UpstreamReply } from '@gateway/upstreams';

/* What the process and its thread send each other: plain data. */

/** Opens a session. */
export interface ThreadedRequest {
  readonly ticket: SyncTicket;
  readonly body: Uint8Array;
  readonly interactionSecrets: readonly [string, ...string[]];
}

/** An adapter that the thread keeps, without its functions. */
export interface AdapterDescription {
  readonly at: number;
  readonly identity: {
    readonly vendor: string;
    readonly publicModel: string;
    readonly servedBy?: string;
    readonly upstreamModel: string;
  };
  readonly requiredChannel?: { readonly channelId: string; readonly whenGone: ErrorRecord };
  readonly withoutReasoning?: AdapterDescription;
  readonly form:
    | {
        readonly kind: 'unary';
        readonly responseLimitBytes?: number;
        readonly completesReply: boolean;
        readonly finishesReply: boolean;
      }
    | {
        readonly kind: 'stream';
        readonly isCollected: boolean;
        readonly contentType: string;
        readonly collectedType?: string;
      };
}

export type PlanDescription =
  | { readonly kind: 'one'; readonly adapter: AdapterDescription }
  | { readonly kind: 'parallel'; readonly adapters: readonly AdapterDescription[]; readonly keepsPartial: boolean }
  | {
      readonly kind: 'whole';
      readonly adapter: AdapterDescription;
      readonly contentType: string;
      readonly progress?: string;
    };

/** What a reader knows after each call. */
export interface ReaderState {
  readonly usage: Usage;
  readonly isFinal: boolean;
  readonly isBilledFailure: boolean;
  readonly upstreamId: string | undefined;
}

/** `failed`: the error of the stream. The state counts everything before it. */
export type ReaderReply = { readonly state: ReaderState } & (
  | { readonly bytes: Uint8Array }
  | { readonly failed: ErrorRecord }
);

/** `billed`: the reply is a failure that its vendor bills. */
export type ReplyRead = UpstreamReply | { readonly billed: Usage; readonly error: ErrorRecord };

export type FailureRead = Omit<ClassifiedFailure, 'error'> & { readonly error: ErrorRecord };

/** The inputs of the thread's functions, by name. */
export interface ThreadCalls {
  readonly buildRequest: { readonly at: number; readonly target: Target };
  readonly readReply: { readonly at: number; readonly body: Uint8Array };
  readonly readFailure: { readonly at: number } & UpstreamFailure;
  readonly finishReply: { readonly at: number; readonly channelId: string } & UpstreamReply;
  /** Without `results`, it returns the addresses of those that the reply needs. */
  readonly completeReply: {
    readonly at: number;
    readonly results?: ReadonlyMap<string, Uint8Array | undefined>;
  } & UpstreamReply;
  readonly openReader: { readonly at: number };
  readonly read: { readonly reader: number; readonly bytes: Uint8Array };
  readonly end: { readonly reader: number };
  readonly merge: { readonly replies: readonly UpstreamReply[] };
  readonly toStream: { readonly body: Uint8Array };
  /** Frees the request: only readers that are open are called after it. */
  readonly release: Readonly<Record<string, never>>;
}
