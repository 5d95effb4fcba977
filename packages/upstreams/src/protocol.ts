import type {
  ChatCompletionRequest,
  ChatModelTraits,
  ChatProtocolId,
  EmbeddingEncoding,
  EmbeddingModelTraits,
  EmbeddingProtocolId,
  ForwardedRequest,
  GatewayError,
  ImageEditModelTraits,
  ImageEditProtocolId,
  ImageEditRequest,
  ImageProtocolId,
  ImageRequest,
  ImageTraits,
  LoadedFile,
  MessagesRequest,
  NativeTaskRecord,
  SpeechModelTraits,
  SpeechProtocolId,
  TaskReading,
  Usage,
  VideoModelTraits,
  VideoProtocolId,
  VideoSubmission,
} from '@gateway/contracts';
import type { JsonMembers } from './json/json-members.js';

/** Where a call goes: one channel's address and credential, and the upstream's own name of the model. */
export interface Target {
  /** Without a trailing slash, such as `https://api.anthropic.com`. */
  readonly baseUrl: string;
  readonly credential: string;
  readonly upstreamModel: string;
}

/** One HTTP request, ready to send. Nothing in this package sends it. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

/** One validated request on its way to an upstream, with what its protocol must know of the model. */
export interface ProtocolCall<Request, Traits> {
  readonly request: Request;
  /** The public model id, the `model` of the answer whatever the upstream calls it. */
  readonly publicModel: string;
  readonly traits: Traits;
  readonly requestId: string;
  /** Unix seconds, `created` of the answer where the upstream gives none. */
  readonly createdSeconds: number;
}

export interface ChatCall extends ProtocolCall<ChatCompletionRequest, ChatModelTraits> {
  /** The request unread: a protocol that is the client's own asks for no more, and `request` is then never parsed. */
  readonly members: JsonMembers<ChatCompletionRequest>;
}

/** A whole answer in the client's protocol. */
export interface UpstreamReply {
  readonly body: Uint8Array;
  /** JSON if absent. */
  readonly contentType?: string;
  readonly usage: Usage;
  /** The upstream's id of the answer, for the attempt record. */
  readonly upstreamId: string | undefined;
}

/** Reads one upstream stream, in pieces cut anywhere, and writes the client's. */
export interface StreamReader {
  /**
   * Bytes for the client, possibly none. Throws a GatewayError if the upstream reports an error in the stream or
   * sends what is not its protocol; what was read before stays metered.
   */
  read(bytes: Uint8Array): Uint8Array;
  /**
   * The last bytes for the client (`data: [DONE]` included), once the upstream closed its side. Throws a GatewayError
   * (`upstream_error`) if the upstream's own end of answer has not come: a stream that was cut is never ended as a whole one.
   */
  end(): Uint8Array;
  /** True once the upstream's own end of answer has been read: what comes after a client's departure is then whole. */
  readonly isFinal: boolean;
  /** What has been used so far; exact once the upstream has said so, else estimated from what arrived. */
  usage(): Usage;
  readonly upstreamId: string | undefined;
}

/** An upstream's HTTP answer with a status other than 2xx. */
export interface UpstreamFailure {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/**
 * What a failure means for the next step. `request`: the client's fault, its body goes back as it came; no other
 * channel would do better. `throttled`: this credential has to wait. `credential`: this credential is refused or spent: the
 * channel is unusable for a while. `model`: this credential lacks this model, or the vendor has retired it: another
 * channel may do better, and other models of this one are none the worse. Of these two the client must not see why.
 * `server`: the upstream is ill.
 */
export type FailureKind = 'request' | 'throttled' | 'credential' | 'model' | 'server';

export interface ReadFailure {
  readonly kind: FailureKind;
  readonly error: GatewayError;
  readonly retryAfterMs: number | undefined;
}

/** How one wire speaks of one kind of thing. A protocol does no I/O and keeps no state between calls. */
export interface Protocol<Call> {
  readonly id: string;
  /** Throws a GatewayError (400, with `param`) for what cannot be said in this protocol. */
  buildRequest(call: Call, target: Target): WireRequest;
  /** Throws a GatewayError (`upstream_error`) if the body is not the protocol's. */
  readReply(body: Uint8Array, call: Call): UpstreamReply;
  readFailure(failure: UpstreamFailure): ReadFailure;
}

/** A protocol whose upstream can answer with a stream. */
export interface StreamingProtocol<Call> extends Protocol<Call> {
  /** True if the upstream must be asked to stream although the client did not: the reader then collects a whole answer. */
  streamsUpstream(call: Call): boolean;
  /** If the client streams, the reader writes the client's events; if only the upstream does, `read` gives nothing and `end` the whole. */
  openReader(call: Call): StreamReader;
}

/** Streams are `chat.completion.chunk` events, whole answers a `chat.completion`. */
export interface ChatProtocol extends StreamingProtocol<ChatCall> {
  readonly id: ChatProtocolId;
}

/** The texts of one upstream call, of which a request may need several. */
export interface EmbeddingBatch {
  readonly texts: readonly string[];
  /** The place of the first text in the client's list. */
  readonly firstIndex: number;
  readonly dimensions: number;
  readonly encoding: EmbeddingEncoding;
  /** The client's fields that are not of the interface: a protocol takes those that its vendor has. */
  readonly vendorFields: Readonly<Record<string, unknown>>;
}

export type EmbeddingsCall = ProtocolCall<EmbeddingBatch, EmbeddingModelTraits>;

/** A reply's body is the entries of the client's `data` for this batch, joined by commas: `joinEmbeddings` makes the list. */
export interface EmbeddingsProtocol extends Protocol<EmbeddingsCall> {
  readonly id: EmbeddingProtocolId;
}

/** A request in the native messages format on its way to an upstream of that format: its bytes are never written again. */
export interface NativeMessagesCall {
  readonly body: Buffer;
  readonly streams: boolean;
  readonly publicModel: string;
  readonly forward: ForwardedRequest;
}

/** A wire that is the native messages format itself. */
export interface NativeMessagesProtocol {
  readonly create: StreamingProtocol<NativeMessagesCall>;
  readonly countTokens: Protocol<NativeMessagesCall>;
}

/** A request in the native messages format for a model that is spoken to in another one. */
export type TranslatedMessagesCall = ProtocolCall<MessagesRequest, ChatModelTraits>;

export type ImageCall<Id extends ImageProtocolId> = ProtocolCall<ImageRequest<Id>, ImageTraits<Id>>;

/** A reply's body is what the vendor's clients get, under the public model id. */
export interface ImageProtocol<Id extends ImageProtocolId> extends Protocol<ImageCall<Id>> {
  readonly id: Id;
  /** Present where the vendor can stream: for a call that asks for it, the reader writes the vendor's own events. */
  openReader?(call: ImageCall<Id>): StreamReader;
}

/** A form: its text fields and its files. */
export type ImageEditCall = ProtocolCall<
  ImageEditRequest & { readonly files: readonly LoadedFile[] },
  ImageEditModelTraits
>;

export interface ImageEditProtocol extends Protocol<ImageEditCall> {
  readonly id: ImageEditProtocolId;
}

/** A text, or the part of one that an upstream call takes. */
export interface SpeechPart {
  readonly text: string;
  readonly voice: string;
  readonly instructions?: string;
}

export type SpeechCall = ProtocolCall<SpeechPart, SpeechModelTraits>;

/** The reader gives the sound as it is made: samples of 16 bits, little-endian, one channel, at the rate of the model's traits. */
export interface SpeechProtocol extends Pick<Protocol<SpeechCall>, 'buildRequest' | 'readFailure'> {
  readonly id: SpeechProtocolId;
  openReader(call: SpeechCall): StreamReader;
}

export type VideoCall = ProtocolCall<VideoSubmission, VideoModelTraits>;

/** A task that an upstream has among those submitted lately. */
export interface FoundTask {
  readonly upstreamTaskId: string;
  /** Unix milliseconds, as exact as the upstream says it. */
  readonly submittedAtMs: number;
}

/** How one wire speaks of tasks: submitted once, asked for until they end, cancelled where it can be. */
export interface VideoProtocol {
  readonly id: VideoProtocolId;
  /** Throws a GatewayError (400, with `param`) for what cannot be said in this protocol. */
  buildSubmit(call: VideoCall, target: Target): WireRequest;
  /** Throws a GatewayError (`upstream_error`) if the body names no task: it may have been taken all the same. */
  readSubmitted(body: Uint8Array): { readonly upstreamTaskId: string };
  buildPoll(upstreamTaskId: string, target: Target): WireRequest;
  /** Throws a GatewayError (`upstream_error`) if the body is not the protocol's. */
  readStatus(body: Uint8Array): TaskReading;
  /** A failure of a poll: whether it says that the upstream does not know the task, or nothing about it. */
  readPollFailure(failure: UpstreamFailure): TaskReading | ReadFailure;
  /** Absent where the upstream cannot cancel. */
  readonly cancel?: {
    build(upstreamTaskId: string, target: Target): WireRequest;
    /** Whether the failure says that the task cannot be stopped any more; else it says nothing about the task. */
    isRefusal(failure: UpstreamFailure): boolean;
  };
  /** Absent where the upstream cannot list its tasks: how a submission is looked up whose answer was lost. */
  readonly find?: {
    build(since: { readonly sinceMs: number; readonly untilMs: number }, target: Target): WireRequest;
    /** Tasks of that time and model, whichever request made them. */
    read(body: Uint8Array, target: Target): readonly FoundTask[];
    /** The client's text, where the upstream's record of a task repeats it: another text is another's task. */
    promptOf?(native: NativeTaskRecord): string | undefined;
  };
  readFailure(failure: UpstreamFailure): ReadFailure;
}
