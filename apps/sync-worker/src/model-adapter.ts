import type { GatewayError, Vendor } from '@gateway/contracts';
import type {
  ClassifiedFailure,
  StreamReader,
  Target,
  UpstreamFailure,
  UpstreamReply,
  WireRequest,
} from '@gateway/upstreams';

/** An upstream protocol bound to one call of one model. It does no I/O. */
interface BoundProtocol {
  readonly vendor: Vendor;
  /** The model id that the client sent. */
  readonly publicModel: string;
  /** The model that serves it since its retirement. */
  readonly servedBy?: string;
  /** The upstream's name of the model. */
  readonly upstreamModel: string;
  /** The only channel that can respond, and the client's error if this worker no longer has that channel. */
  readonly requiredChannel?: { readonly channelId: string; readonly whenGone: () => GatewayError };
  /** The same call without its reasoning, for content that no account of ours at the vendor can read. */
  readonly withoutReasoning?: () => ModelAdapter;
  buildRequest(target: Target): WireRequest;
  readFailure(failure: UpstreamFailure): ClassifiedFailure;
}

/** Fetches a result that a vendor keeps. Undefined if it cannot be fetched. */
export type Download = (url: string) => Promise<Buffer | undefined>;

/** The upstream sends one complete response: no stream. */
export interface UnaryAdapter extends BoundProtocol {
  readonly kind: 'unary';
  /** A longer response is an upstream error. Default: 64 MiB. */
  readonly responseLimitBytes?: number;
  readReply(body: Uint8Array): UpstreamReply;
  /** Completes the reply with media that it only refers to. It must not fail: the vendor has billed the reply. */
  completeReply?(reply: UpstreamReply, download: Download): Promise<UpstreamReply>;
  /** Rewrites the reply once the responding channel is known. */
  finishReply?(reply: UpstreamReply, channelId: string): UpstreamReply;
}

/** The upstream sends an event stream. */
export interface StreamAdapter extends BoundProtocol {
  readonly kind: 'stream';
  /** True if the client requested no stream: the worker then collects the stream. */
  readonly isCollected: boolean;
  /** The content type of the client's stream. */
  readonly contentType: string;
  /** The content type of a collected response. JSON if absent. */
  readonly collectedType?: string;
  openReader(): StreamReader;
}

export type ModelAdapter = UnaryAdapter | StreamAdapter;

type Awaitable<Value> = Value | Promise<Value>;

/** As an adapter is called: its functions may run in a thread. */
type Called<Adapter extends ModelAdapter> = Omit<
  Adapter,
  'buildRequest' | 'readFailure' | 'withoutReasoning' | 'readReply' | 'finishReply' | 'openReader'
> & {
  readonly withoutReasoning?: () => CalledAdapter;
  buildRequest(target: Target): Awaitable<WireRequest>;
  readFailure(failure: UpstreamFailure): Awaitable<ClassifiedFailure>;
};

export type CalledUnary = Called<UnaryAdapter> & {
  readReply(body: Uint8Array): Awaitable<UpstreamReply>;
  finishReply?(reply: UpstreamReply, channelId: string): Awaitable<UpstreamReply>;
};

/** A reader in a thread. Its caller reads `chunksOf` the upstream's chunks instead of these; `read` returns what it gets. */
export interface ChunkReader extends StreamReader {
  chunksOf(chunks: AsyncIterator<Buffer>): AsyncIterator<Buffer>;
}

export type CalledStream = Called<StreamAdapter> & { openReader(): Awaitable<StreamReader | ChunkReader> };

export type CalledAdapter = CalledUnary | CalledStream;
