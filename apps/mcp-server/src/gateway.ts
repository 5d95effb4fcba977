import type { ModelEntry, RequestId } from '@gateway/contracts';

/** Owner of the API key, confirmed by the gateway within the last two seconds. */
export interface Caller {
  readonly apiKey: string;
  /** Caches and logs hold only this hash, never the key. */
  readonly keySha256: string;
  /** The account of the key. Undefined if the edge does not say it. */
  readonly accountId: string | undefined;
  /** False: the account has nothing to spend. A key of a test may spend, since it pays nothing. */
  readonly maySpend: boolean;
  /** IP address of the caller: some keys are bound to address ranges. */
  readonly address: string;
  /** Models that the key may use. */
  readonly models: readonly ModelEntry[];
}

/** One authenticated HTTP request to this server. */
export interface McpRequest {
  readonly requestId: RequestId;
  readonly caller: Caller;
  /** W3C trace context that the caller sent. */
  readonly traceparent: string | undefined;
}

/** Body that is not JSON, such as a multipart form. */
export interface EncodedBody {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

export interface GatewayRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query, such as `/v1/models`. */
  readonly path: string;
  readonly json?: object;
  readonly encoded?: EncodedBody;
  readonly headers?: Readonly<Record<string, string>>;
  /** Marks a POST without side effects: the client may retry it. GET is always read-only. */
  readonly isReadOnly?: true;
}

/** Response headers that a tool result shows. A stream reports its cost later, in its last comment. */
export interface ResponseFacts {
  readonly request_id: string;
  readonly cost_usd?: string;
  readonly balance_usd?: string;
}

/** Response with a 2xx status. Read its body once: by `body`, `bytes` or `json`. */
export interface GatewayResponse {
  readonly status: number;
  readonly contentType: string;
  readonly facts: ResponseFacts;
  /** The account of the key. Lists of models say it. */
  readonly accountId?: string | undefined;
  /** Whether the account has anything to spend. Lists of models say it. */
  readonly maySpend?: boolean;
  readonly body: AsyncIterable<Buffer>;
  bytes(): Promise<Buffer>;
  json<Body>(): Promise<Body>;
}

/** HTTP client of the gateway or of its account interface, with the caller's key. */
export interface Gateway {
  /** Throws a ToolFailure unless the status is 2xx. */
  request(request: GatewayRequest): Promise<GatewayResponse>;
}

/** The identity of the caller in each outgoing request. */
export interface CallerIdentity {
  readonly apiKey: string;
  readonly address: string;
  readonly traceparent: string;
  readonly idempotencyKey?: string | undefined;
}

/** Opens both clients for one caller. The signal aborts their running requests. */
export type OpenGateway = (
  identity: CallerIdentity,
  signal: AbortSignal,
) => Readonly<Record<'gateway' | 'account', Gateway>>;
