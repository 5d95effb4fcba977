import type { CatalogueModel } from '@gateway/catalogue';
import type { GatewayError, SpeechFormat, SyncTicket, Vendor } from '@gateway/contracts';
import type {
  ReadFailure,
  StreamReader,
  Target,
  UpstreamFailure,
  UpstreamReply,
  WireRequest,
} from '@gateway/upstreams';
import type { InteractionIds } from './interaction-ids.js';

/** How one upstream call is asked and its answer read: a protocol bound to a call. It does no I/O. */
export interface Lane {
  readonly vendor: Vendor;
  readonly publicModel: string;
  readonly upstreamModel: string;
  readonly streamsToClient: boolean;
  readonly streamsUpstream: boolean;
  /** Of the answer as the client gets it. */
  readonly contentType: string;
  /** Of a whole answer; a longer one is an upstream error. */
  readonly answerLimitBytes?: number;
  /** The one channel that can answer, and what the client hears if this worker has it no more. */
  readonly wanted?: { readonly channelId: string; readonly whenGone: () => GatewayError };
  buildRequest(target: Target): WireRequest;
  readReply(body: Uint8Array): UpstreamReply;
  openReader(): StreamReader;
  readFailure(failure: UpstreamFailure): ReadFailure;
  /** What has to be changed in a whole answer once it is known which channel gave it. */
  fromChannel?(reply: UpstreamReply, channelId: string): UpstreamReply;
}

/** Several upstream calls that make one answer, such as a long list of embeddings. */
export interface FanOut {
  readonly lanes: readonly Lane[];
  /** In the order of `lanes`. */
  merge(replies: readonly UpstreamReply[]): UpstreamReply;
}

/** Several upstream calls, one after the other, whose streams of samples make one sound, such as a long text read aloud. */
export interface Series {
  readonly parts: readonly Lane[];
  readonly contentType: string;
  readonly sound: { readonly format: SpeechFormat; readonly sampleRateHz: number };
}

/** What a ticket asks for: one upstream call, or several whose answers are put together. */
export type Work = Lane | FanOut | Series;

/** What lanes need besides the request. */
export interface LaneMeans {
  readonly interactionIds: InteractionIds;
}

export const LANE_MEANS = Symbol('LaneMeans');

/** Makes the work of a ticket from the body that its edge has validated. */
export type OpenWork = (ticket: SyncTicket, model: CatalogueModel, body: Buffer, means: LaneMeans) => Work;
