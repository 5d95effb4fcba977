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
