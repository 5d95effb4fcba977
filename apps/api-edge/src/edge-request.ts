import type { CatalogueModel } from '@gateway/catalogue';
import type {
  Endpoint,
  ForwardedRequest,
  KeyRecord,
  PriceVersion,
  RateState,
  RequestId,
  ResponseHead,
  Usage,
} from '@gateway/contracts';
import type { StreamedBody } from '@gateway/relay';

/** The authenticated caller. */
export interface Caller {
  readonly key: KeyRecord;
}

/** Records a response on its way out, so that a request with the same idempotency key gets it again. */
export interface ResponseRecording {
  head(head: ResponseHead): void;
  /** Returns what may be sent now. A response of known length holds its last bytes back until it is stored. */
  data(chunk: Buffer): Buffer | undefined;
  /** Stores the response, then returns its last bytes. Never rejects: a failed store must not fail the response. */
  end(trailer: string | undefined): Promise<Buffer>;
  /** Gives the idempotency key up, because there is no whole response. Idempotent; never rejects. */
  release(): Promise<void>;
}

/** Collects a response in place of the client's socket, because the client waits for what follows it. */
export interface BufferedResponse {
  /** False if this response goes to the client after all. */
  buffers(head: Pick<ResponseHead, 'status'>): boolean;
  write(chunk: Buffer): void;
  /** The response is whole. */
  end(last: Buffer | string | undefined): void;
}

/** A request that is valid but not yet admitted. */
export interface ValidRequest {
  readonly requestId: RequestId;
  readonly caller: Caller;
  readonly endpoint: Endpoint;
  readonly model: CatalogueModel;
  /** The most that the request can reasonably use. Admission holds its cost. */
  readonly worstCase: Usage;
  /** What the worker gets: the client's JSON bytes, or the edge's encoding of a form or a video submission. */
  readonly body: Buffer | StreamedBody;
  /** The response is server-sent events: comments and a final error event may be written into it. */
  readonly isStream: boolean;
  /** The client asked for the cost as a comment at the end of its stream. */
  readonly includesCostComment: boolean;
  readonly traceparent: string | undefined;
  /** Headers and query that the upstream must see, where client and upstream speak the same protocol. */
  readonly forward?: ForwardedRequest;
  /** Present if the request has an idempotency key. */
  readonly recording?: ResponseRecording;
  /** The work goes on after the client has left. */
  readonly outlivesClient?: true;
  /** Added to the headers that the worker sends. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly buffered?: BufferedResponse;
  /** What the idempotency fingerprint covers, where `body` is not what the client sent. */
  readonly clientBody?: Buffer;
}

/** A request with a lease, a place in the rate and a hold. From here on it must be settled exactly once. */
export interface AdmittedRequest extends ValidRequest {
  readonly price: PriceVersion;
  readonly holdNanoUsd: bigint;
  readonly rate: RateState;
  readonly admittedAtMs: number;
  readonly deadlineMs: number;
}
