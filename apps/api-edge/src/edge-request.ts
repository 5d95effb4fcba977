import type { CatalogueModel } from '@gateway/catalogue';
import type {
  AbortContract,
  BatchGrant,
  Changes,
  Endpoint,
  ErrorCode,
  ForwardedRequest,
  KeyRecord,
  PriceVersion,
  RateState,
  RequestId,
  ResponseHead,
} from '@gateway/contracts';
import type { WorstCase } from '@gateway/intake';
import type { FinishedResponse } from '@gateway/postgres';
import type { StreamedBody } from '@gateway/relay';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The authenticated caller. */
export interface KeyCaller {
  readonly key: KeyRecord;
  /** Present if a batch-worker sends a line of a batch that the key created. */
  readonly batch?: BatchGrant;
}

/** Records a response on its way out, so that a request with the same idempotency key gets it again. */
export interface ResponseRecording {
  /** False: the response is not stored, unless its client leaves. */
  readonly isActive: boolean;
  head(head: ResponseHead): void;
  /** Returns what may be sent now. A response of known length holds its last bytes back until it is stored. */
  data(chunk: Buffer): Buffer | undefined;
  /** Stores the response, then returns its last bytes. Never rejects: a failed store must not fail the response. */
  end(trailer: string | undefined): Promise<Buffer>;
  /** The client has left. False: the response cannot be stored any more, so its bytes are of no use. */
  leave(): boolean;
  /** Releases the idempotency key, because the response is incomplete. Idempotent; never rejects. */
  release(): Promise<void>;
}

/** Sees a response on its way out, and changes nothing in it. */
export interface ResponseObserver {
  head(head: ResponseHead): void;
  /** The bytes are valid during the call only. */
  data(chunk: Buffer): void;
  /** The response has ended as its upstream ended it. */
  complete(): void;
  /** Nothing more will come. Idempotent. */
  end(): void;
  /** The same; the response is taken later, as the result of its request. */
  endAsResult(): void;
}

/** The accounts that keep as much as they may. */
export interface StorageCheck {
  has(accountId: string): boolean;
}

/** Buffers a response instead of sending it, because the client waits for a later one. */
export interface BufferedResponse {
  /** False if this response goes to the client. */
  buffers(head: Pick<ResponseHead, 'status'>): boolean;
  write(chunk: Buffer): void;
  /** The response is complete. */
  end(last: Buffer | string | undefined): void;
}

/** A request that is valid but not yet admitted. */
export interface ValidRequest extends WorstCase {
  readonly requestId: RequestId;
  readonly caller: KeyCaller;
  readonly endpoint: Endpoint;
  readonly model: CatalogueModel;
  /** The body for the worker: the client's JSON bytes, or the edge's encoding of a form or a video submission. */
  readonly body: Buffer | StreamedBody;
  /** What happens when the client leaves. */
  readonly abortContract: AbortContract;
  /** An image request that edits the images that its body has. */
  readonly hasReferences?: true;
  /** The response is server-sent events, so the edge may add comments and a final error event. */
  readonly isStream: boolean;
  /** The client requested the cost as a comment at the end of its stream. */
  readonly includesCostComment: boolean;
  readonly traceparent: string | undefined;
  /** Headers and query that the upstream must see, where client and upstream speak the same protocol. */
  readonly forward?: ForwardedRequest;
  /** Present if the request has an idempotency key. */
  readonly recording?: ResponseRecording;
  /** Names the work of a request with an idempotency key, so that a second charge of it is found. */
  readonly idempotencyHash?: string;
  /** The client's own key, for the receipt. */
  readonly idempotencyKey?: string;
  /** The worker continues after the client has left. */
  readonly outlivesClient?: true;
  /** What validation changed in the request. The worker's adapter may add to it. */
  readonly changes?: Changes;
  readonly buffered?: BufferedResponse;
  /** Present if the owner of the key wants request and response kept. */
  readonly observer?: ResponseObserver;
  /** Present if the response is stored for later requests: the recording that does it, around the request's own. */
  readonly keep?: (request: AdmittedRequest) => ResponseRecording;
  /** Present if the response is stored at its end by a worker: its row until then. */
  readonly queue?: (request: AdmittedRequest) => FinishedResponse;
  /** The client gets the queued response at once, or its events, and may read it later. */
  readonly inBackground?: true;
  /** Time for its response to begin. Default: that of a request whose client waits. */
  readonly deadlineInMs?: number;
  /** The client's bytes for the idempotency fingerprint, where `body` has other ones. */
  readonly clientBody?: Buffer;
}

/** A request with a lease and a hold, counted in the rate. It must be settled exactly once. */
export interface AdmittedRequest extends ValidRequest {
  readonly price: PriceVersion;
  readonly holdNanoUsd: bigint;
  /** The output tokens that the hold pays for, if the client set no cap and the hold pays for less than the model's maximum. */
  readonly outputCap?: number;
  readonly rate: RateState;
  readonly admittedAtMs: number;
  readonly deadlineMs: number;
}

/** A body that is being received, or that is kept until its response has ended. */
export interface OpenBody {
  /** Counts bytes beyond those counted so far. Throws 429 or 503 if there is no room for them. */
  grow(bytes: number): void;
  /** Frees the account's place for another large body that arrives. Its bytes stay in the account's share. */
  arrive(): void;
  /** Ends the body. Idempotent. */
  close(): void;
}

/** The room of this process for requests. */
export interface RequestRoom {
  /** Of one request, beside its body. */
  of(request: FastifyRequest, reply: FastifyReply): TakeRoom;
}

/** Takes room of the process until the response has ended. Throws 429 or 503 if there is none. */
export type TakeRoom = (bytes: number) => void;

/** Counts the requests that this edge refuses. */
export interface RefusalCounter {
  count(request: FastifyRequest, code: ErrorCode): void;
}

/** Whether an account has credit, checked without a hold. */
export interface FundsCheck {
  maySpend(key: Pick<KeyRecord, 'accountId' | 'isTest'>): Promise<boolean>;
}
