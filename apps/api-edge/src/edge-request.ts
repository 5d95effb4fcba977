import type { CatalogueModel } from '@gateway/catalogue';
import type {
  Endpoint,
  ForwardedRequest,
  KeyRecord,
  PriceVersion,
  RateState,
  RequestId,
  Usage,
} from '@gateway/contracts';
import type { StreamedBody } from '@gateway/relay';
import type { AnswerRecording } from './answer-recording.js';
import type { HeldAnswer } from './held-answer.js';

/** Who calls, as authentication found out. */
export interface Caller {
  readonly key: KeyRecord;
}

/** A request that is valid but not yet admitted. */
export interface ValidRequest {
  readonly requestId: RequestId;
  readonly caller: Caller;
  readonly endpoint: Endpoint;
  readonly model: CatalogueModel;
  /** The most that the request can reasonably use: what is held. */
  readonly worstCase: Usage;
  /** The client's bytes, as they came; of a form, what the edge made of it. */
  readonly body: Buffer | StreamedBody;
  /** The answer is a stream of server-sent events, between which comments and at whose end an error may be written. */
  readonly isStream: boolean;
  /** The client asked for the cost as a trailing comment of its stream. */
  readonly wantsCostComment: boolean;
  readonly traceparent: string | undefined;
  /** What of the client's headers and query its upstream has to see, where both speak the same protocol. */
  readonly forward?: ForwardedRequest;
  /** Its client may ask for the answer again. */
  readonly recording?: AnswerRecording;
  /** What is begun for it goes on although its client has left: nobody is told to stop. */
  readonly outlivesClient?: true;
  /** On its answer, besides what the worker says. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** Takes an answer that its client is not to see yet. */
  readonly held?: HeldAnswer;
  /** What an idempotency key stands for, where `body` is not what the client sent. */
  readonly sentBody?: Buffer;
}

/** A request with a lease, a place in the rate and a hold: it must be settled exactly once from here on. */
export interface AdmittedRequest extends ValidRequest {
  readonly price: PriceVersion;
  readonly holdNanoUsd: bigint;
  readonly rate: RateState;
  readonly admittedAtMs: number;
  readonly deadlineMs: number;
}
