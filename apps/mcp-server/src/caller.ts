import type { ModelEntry, RequestId } from '@gateway/contracts';

/** Who calls, as the gateway itself confirmed a few seconds ago at most. */
export interface Caller {
  readonly apiKey: string;
  /** The only form in which a key may be remembered. */
  readonly keySha256: string;
  /** Where the caller is, for keys that may be used only from some places. */
  readonly address: string;
  /** What the key may use. */
  readonly models: readonly ModelEntry[];
}

/** One HTTP request to this server. */
export interface Exchange {
  readonly requestId: RequestId;
  readonly caller: Caller;
  /** The caller's own hop of its trace, if it has one. */
  readonly traceparent: string | undefined;
}
