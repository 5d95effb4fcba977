import type {
  Changes,
  ChatCompletionRequest,
  ChatModelTraits,
  ChatProtocolId,
  EmbeddingEncoding,
  EmbeddingModelTraits,
  EmbeddingProtocolId,
  ErrorRecord,
  ForwardedRequest,
  GatewayError,
  ImageEditModelTraits,
  ImageEditProtocolId,
  ImageEditRequest,
  ImageProtocolId,
  ImageRequest,
  ImageTraits,
  LoadedFile,
  NativeResponsesRequest,
  NativeTaskRecord,
  NeutralAnswer,
  NeutralRequest,
  RequestFeature,
  RerankModelTraits,
  RerankProtocolId,
  RerankRequest,
  SettingName,
  SettingNames,
  SpeechModelTraits,
  SpeechProtocolId,
  StreamPart,
  TaskReading,
  TokenCounts,
  Usage,
  VendorTool,
  VideoModelTraits,
  VideoProtocolId,
  VideoSubmission,
} from '@gateway/contracts';

import type { JsonMembers } from './json/json-members.js';
import type { SseEvent } from './sse/sse-event.js';

/** Destination of a call: address and credential of one channel, and the upstream's name for the model. */
export interface Target {
  /** No trailing slash, such as `https://api.anthropic.com`. */
  readonly baseUrl: string;
  readonly credential: string;
  readonly upstreamModel: string;
}

/** HTTP request, ready to send. `packages/http` sends it: this package does no I/O. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  /** The client's fields that this request sends with another value, or not at all. */
  readonly changes?: Changes;
}

/** Validated client request with the traits of its model. Input of every protocol. */
export interface ProtocolCall<Request, Traits> {
  readonly request: Request;
  /** Public model id. Every response shows this `model` instead of the upstream's name. */
  readonly publicModel: string;
  readonly traits: Traits;
  readonly requestId: string;
  /** Unix seconds; `created` of the response if the upstream sends none. */
  readonly createdSeconds: number;
}

export interface ChatCall extends ProtocolCall<ChatCompletionRequest, ChatModelTraits> {
  /** The request's bytes by member. Pass-through protocols read only these, so `request` is never parsed. */
  readonly members: JsonMembers<ChatCompletionRequest>;
}

/** Complete response in the client's protocol. */
export interface UpstreamReply {
  readonly body: Uint8Array;
  /** `application/json` if absent. */
  readonly contentType?: string;
  readonly usage: Usage;
  /** What the upstream bills, in nano-USD as decimal digits, if it reports that. */
  readonly vendorCostNanoUsd?: string;
  /** Response id of the upstream, for the attempt record. */
  readonly upstreamId: string | undefined;
}

/** Translates one upstream stream into the client's. Accepts chunks that are cut at any byte. */
export interface StreamReader {
  /**
   * Returns bytes for the client, possibly none. Throws a GatewayError if the stream reports an error or violates the
   * protocol; `usage` still counts everything before it. The caller may reuse the memory of `bytes` once it has used what
   * this returns.
   */
  read(bytes: Uint8Array): Uint8Array;
  /**
   * Returns the last bytes for the client, `data: [DONE]` included. Call it once the upstream has closed its side.
   * Throws a GatewayError (`upstream_error`) without the upstream's end marker: a cut stream never ends cleanly.
   */
  end(): Uint8Array;
  /** True once the reader has the upstream's end marker and counts: the response is complete, even for a lost client. */
  readonly isFinal: boolean;
  /** True if the response failed and the upstream bills its usage nevertheless. */
  readonly isBilledFailure?: boolean;
  /** Usage so far: the upstream's counts once they arrive, before that an estimate from the received bytes. */
  usage(): Usage;
  readonly upstreamId: string | undefined;
  /** The last bytes for a client whose stream broke after its first bytes. Absent: the edge writes the dialect's error. */
  readonly fail?: ((error: ErrorRecord) => Uint8Array) | undefined;
}

/** HTTP response of an upstream with a status other than 2xx. */
export interface UpstreamFailure {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/**
 * Class of a failure; it decides retry and cooldown.
 * - `request`: the client's fault. The error passes through, and no other channel is tried.
 * - `throttled`: rate limit of this credential, for this model.
 * - `credential`: the credential is refused or out of credit. The client must not see the reason.
 * - `model`: the credential lacks this model, or the vendor retired it. Its other models stay usable. The client must not
 *   see the reason.
 * - `server`: the upstream is unhealthy.
 */
export type FailureKind = 'request' | 'throttled' | 'credential' | 'model' | 'server';

/** A classified failure. The client sees `error`; `retryAfterMs` is the wait that the upstream requests. */
export interface ClassifiedFailure {
  readonly kind: FailureKind;
  readonly error: GatewayError;
  readonly retryAfterMs: number | undefined;
  /** The account is out of credit, or has reached its spend limit. Only with kind `credential`. */
  readonly isSpent?: true;
  /** The client's request may have caused the failure. A second account or a probe must confirm it. */
  readonly needsConfirmation?: true;
  /** The request holds encrypted content that another account at this vendor wrote: a channel of that account can serve it. */
  readonly isForeignContent?: true;
}

/** Adapter for one upstream API. Pure: no I/O, no clock, no state between calls. */
export interface Protocol<Call> {
  readonly id: string;
  /** Throws a GatewayError (400, with `param`) for a request that this protocol cannot express. */
  buildRequest(call: Call, target: Target): WireRequest;
  /** Throws a GatewayError (`upstream_error`) if the body does not match the protocol. */
  readReply(body: Uint8Array, call: Call): UpstreamReply;
  readFailure(failure: UpstreamFailure): ClassifiedFailure;
}

/** Adapter for an upstream API that can stream. */
export interface StreamingProtocol<Call> extends Protocol<Call> {
  /** True if the upstream request streams. It may although the client's does not: the reader then collects the response. */
  streamsUpstream(call: Call): boolean;
  /** The reader writes the client's events. If only the upstream streams, `read` returns nothing and `end` the complete response. */
  openReader(call: Call): StreamReader;
}

/** Writes `chat.completion.chunk` events for streams, and a `chat.completion` otherwise. */
export interface ChatProtocol extends StreamingProtocol<ChatCall> {
  readonly id: ChatProtocolId;
  /** The vendor refuses tools of free text, so that requests with them are translated. */
  readonly lacksCustomTools?: true;
}

/** A request in the neutral form, with the client's names of its settings: errors and reports name those. */
export interface NeutralCall extends ProtocolCall<NeutralRequest, ChatModelTraits> {
  readonly names: SettingNames;
  /** True if clients of the dialect return a vendor's data with its reasoning, so that it is worth asking for. */
  readonly returnsReasoning: boolean;
}

/** Complete answer in the neutral form. */
export interface DecodedAnswer extends Pick<UpstreamReply, 'usage' | 'upstreamId'> {
  readonly answer: NeutralAnswer;
}

/** Takes the parts of a streamed answer, in order. `open` comes first, once. */
export interface AnswerSink {
  open(head: { readonly id?: string | undefined; readonly createdSeconds?: number | undefined }): void;
  part(part: StreamPart): void;
}

/** Decodes the events of one stream to parts. */
export interface AnswerDecoder {
  /** Throws a GatewayError for a reported error or a violation of the protocol. */
  handle(event: SseEvent): void;
  /** Emits the last parts. Throws a GatewayError (`upstream_error`) without the upstream's end marker. */
  close(): void;
  /** True once the content is complete. Token counts may still follow. */
  readonly hasEnded: boolean;
  /** True once the counts arrived as well. */
  readonly isFinal: boolean;
  /** True if the response failed and the upstream bills its usage nevertheless. */
  readonly isBilledFailure?: boolean;
  readonly upstreamId: string | undefined;
  /** Usage so far: the upstream's counts once they arrive, before that an estimate. */
  usage(): Usage;
  /** The same, for the client. */
  counts(): TokenCounts;
}

/** A chat API in the neutral form, for any dialect. Pure, as `Protocol` is. */
export interface NeutralProtocol {
  readonly id: ChatProtocolId;
  /** The settings that the API has. Others are dropped, and reported. */
  readonly settings: ReadonlySet<SettingName>;
  /** False: tools of free text are sent as functions with one text, and converted back. */
  readonly hasCustomTools: boolean;
  /** True: a strict schema must require every property, and close every object. */
  readonly closesStrictSchemas?: boolean;
  /** The names of tools that the API takes. Others are replaced. */
  readonly toolName: RegExp;
  /** The ids of calls that the API takes. Others are replaced. Absent: any id, or none is sent. */
  readonly callId?: RegExp;
  /** True: a request needs a message besides its instructions. */
  readonly needsUserMessage?: boolean;
  /** What requests lose without a word to the client, and why. Printed, and proved by the matrix. */
  readonly losses: Readonly<Partial<Record<RequestFeature, string>>>;
  /** True of a tool that this API's vendor runs. Without this, tools of a vendor are dropped, and reported. */
  acceptsVendorTool?(tool: VendorTool): boolean;
  /**
   * Throws a GatewayError (400, with `param`) for a request that this API cannot express. `changes` names settings by
   * their neutral name, and parts by their path.
   */
  encodeRequest(call: NeutralCall, target: Target): WireRequest;
  /** True if the upstream request streams. It may although the client's does not: the parts are then collected. */
  streamsUpstream(call: NeutralCall): boolean;
  /** Throws a GatewayError (`upstream_error`) if the body does not match the protocol. */
  decodeAnswer(body: Uint8Array, call: NeutralCall): DecodedAnswer;
  openDecoder(call: NeutralCall, sink: AnswerSink): AnswerDecoder;
  readFailure(failure: UpstreamFailure): ClassifiedFailure;
}

/** Texts of one upstream call. A client request may need several calls. */
export interface EmbeddingBatch {
  readonly texts: readonly string[];
  /** Index of the first text in the client's list. */
  readonly firstIndex: number;
  readonly dimensions: number;
  readonly encoding: EmbeddingEncoding;
  /** Client fields outside the public interface. Each protocol forwards those of its vendor. */
  readonly vendorFields: Readonly<Record<string, unknown>>;
  /** What a client of Google's native API says of the texts. */
  readonly task?: { readonly taskType?: string; readonly title?: string };
}

export type EmbeddingsCall = ProtocolCall<EmbeddingBatch, EmbeddingModelTraits>;

/** The reply's body is the `data` entries of this batch, joined by commas. `joinEmbeddings` builds the list. */
export interface EmbeddingsProtocol extends Protocol<EmbeddingsCall> {
  readonly id: EmbeddingProtocolId;
}

export type RerankCall = ProtocolCall<RerankRequest, RerankModelTraits>;

export interface RerankProtocol extends Protocol<RerankCall> {
  readonly id: RerankProtocolId;
}

/** Request in the native messages format for an upstream with that format: its bytes pass through. */
export interface PassThroughMessagesCall {
  readonly body: Buffer;
  readonly streams: boolean;
  readonly publicModel: string;
  readonly forward: ForwardedRequest;
}

/** Pass-through of the native messages format. */
export interface PassThroughMessagesProtocol {
  readonly create: StreamingProtocol<PassThroughMessagesCall>;
  readonly countTokens: Protocol<PassThroughMessagesCall>;
}

/** How the events of a stream reach a client of Google's native API. */
export type GenerateFraming = 'sse' | 'array';

/** Request in Google's native format for an upstream with that format: its bytes pass through. */
export interface PassThroughGenerateCall {
  readonly body: Buffer;
  /** Undefined: the client gets one whole response. */
  readonly framing: GenerateFraming | undefined;
  readonly publicModel: string;
  /** The output cap that the hold pays for, if the client set none. */
  readonly outputCap?: number | undefined;
  /** Tokens of each effort, for a model that takes a budget instead of a level. */
  readonly budgets?: ChatModelTraits['efforts'] | undefined;
  /** The vendor refuses a call of a function that lacks its signature. */
  readonly signsCalls?: true | undefined;
}

/** Pass-through of Google's native format. */
export interface PassThroughGenerateProtocol {
  readonly create: StreamingProtocol<PassThroughGenerateCall>;
  readonly countTokens: Protocol<PassThroughGenerateCall>;
}

/** Request in the Responses protocol for an upstream with that protocol: its bytes pass through. */
export interface PassThroughResponsesCall {
  readonly body: Buffer;
  /** The same bytes by member. */
  readonly members: JsonMembers<NativeResponsesRequest>;
  readonly streams: boolean;
  readonly publicModel: string;
  /** The id that the client gets: the vendor's own one is in the attempt record. */
  readonly responseId: string;
  /** The cap in tokens of a client that sent none. */
  readonly outputCap: number | undefined;
  /** No account of ours at the vendor can read the reasoning, so it is not sent. */
  readonly dropsReasoning?: true;
}

/** A conversation that an upstream with the Responses protocol compacts. */
export type CompactCall = Pick<PassThroughResponsesCall, 'body' | 'members' | 'publicModel' | 'responseId'>;

export type ImageCall<Id extends ImageProtocolId> = ProtocolCall<ImageRequest<Id>, ImageTraits<Id>>;

/** The reply's body is in the vendor's own format, with the public model id. */
export interface ImageProtocol<Id extends ImageProtocolId> extends Protocol<ImageCall<Id>> {
  readonly id: Id;
  /** Present if the vendor streams images. The reader writes the vendor's own events. */
  openReader?(call: ImageCall<Id>): StreamReader;
}

/** Fields and files of a multipart form. */
export type ImageEditCall = ProtocolCall<
  ImageEditRequest & { readonly files: readonly LoadedFile[] },
  ImageEditModelTraits
>;

export interface ImageEditProtocol extends Protocol<ImageEditCall> {
  readonly id: ImageEditProtocolId;
  /** For a call with `stream`. The reader writes the vendor's own events. */
  openReader(call: ImageEditCall): StreamReader;
}

/** Text of one upstream call. A long client text is split. */
export interface SpeechPart {
  readonly text: string;
  readonly voice: string;
  readonly instructions?: string;
}

export type SpeechCall = ProtocolCall<SpeechPart, SpeechModelTraits>;

/** The reader returns PCM audio: 16-bit little-endian mono samples, at `traits.sampleRateHz`. */
export interface SpeechProtocol extends Pick<Protocol<SpeechCall>, 'buildRequest' | 'readFailure'> {
  readonly id: SpeechProtocolId;
  openReader(call: SpeechCall): StreamReader;
}

export type VideoCall = ProtocolCall<VideoSubmission, VideoModelTraits>;

/** Task in an upstream's list of recent tasks. */
export interface FoundTask {
  readonly upstreamTaskId: string;
  /** Unix milliseconds, in the upstream's precision. */
  readonly submittedAtMs: number;
}

/** Adapter for one upstream API of video tasks: submit once, poll to the end, cancel if supported. */
export interface VideoProtocol {
  readonly id: VideoProtocolId;
  /** Throws a GatewayError (400, with `param`) for a request that this protocol cannot express. */
  buildSubmit(call: VideoCall, target: Target): WireRequest;
  /** Throws a GatewayError (`upstream_error`) if the body names no task. The task may exist nevertheless. */
  readSubmitted(body: Uint8Array): { readonly upstreamTaskId: string };
  buildPoll(upstreamTaskId: string, target: Target): WireRequest;
  /** Throws a GatewayError (`upstream_error`) if the body does not match the protocol. */
  readStatus(body: Uint8Array, httpStatus?: number): TaskReading;
  /** Classifies a failed poll: the upstream does not know the task, or the failure does not concern it. */
  readPollFailure(failure: UpstreamFailure): TaskReading | ClassifiedFailure;
  /** Absent where the upstream cannot cancel. */
  readonly cancel?: {
    build(upstreamTaskId: string, target: Target): WireRequest;
    /** True if the task can no longer be cancelled. False if the failure does not concern the task. */
    isRefusal(failure: UpstreamFailure): boolean;
  };
  /** Finds a submission whose response was lost. Absent if the upstream cannot list tasks. */
  readonly find?: {
    build(since: { readonly sinceMs: number; readonly untilMs: number }, target: Target): WireRequest;
    /** Tasks of this time window and model, of any request. */
    read(body: Uint8Array, target: Target): readonly FoundTask[];
    /** Prompt in the upstream's task record, if it has one. It distinguishes tasks of one window. */
    promptOf?(native: NativeTaskRecord): string | undefined;
  };
  readFailure(failure: UpstreamFailure): ClassifiedFailure;
}
