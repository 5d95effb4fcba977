/** A body that is not JSON, such as a form. */
export interface EncodedBody {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

export interface GatewayRequest {
  readonly method: 'GET' | 'POST';
  /** With its query, such as `/v1/models`. */
  readonly path: string;
  readonly json?: object;
  readonly encoded?: EncodedBody;
  readonly headers?: Readonly<Record<string, string>>;
  /** Nothing comes of it, so it may be asked twice. Of a GET that goes without saying. */
  readonly onlyReads?: true;
}

/** What the gateway says beside an answer: what it is called and what it cost, where that was known before its end. */
export interface AnswerFacts {
  readonly request_id: string;
  readonly cost_usd?: string;
  readonly balance_usd?: string;
}

/** An answer of status 2xx, whose body is read by exactly one of the three. */
export interface GatewayAnswer {
  readonly contentType: string;
  readonly facts: AnswerFacts;
  readonly body: AsyncIterable<Buffer>;
  bytes(): Promise<Buffer>;
  json<Body>(): Promise<Body>;
}

/** The gateway, or its account interface, asked with the key of whoever calls the tool. Throws a ToolFailure for anything but 2xx. */
export interface Gateway {
  ask(request: GatewayRequest): Promise<GatewayAnswer>;
}

/** With whose rights the gateway is asked, and from where. */
export interface AskedBy {
  readonly apiKey: string;
  readonly address: string;
  readonly traceparent: string;
  readonly idempotencyKey?: string | undefined;
}

/** The two interfaces for one caller; whatever is on its way ends with the signal. */
export type OpenGateway = (asker: AskedBy, signal: AbortSignal) => Readonly<Record<'gateway' | 'account', Gateway>>;

export const OPEN_GATEWAY = Symbol('OpenGateway');
