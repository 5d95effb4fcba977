import type { CatalogueModel } from '@gateway/catalogue';
import type { SyncTicket, Vendor } from '@gateway/contracts';
import type {
  ReadFailure,
  StreamReader,
  Target,
  UpstreamFailure,
  UpstreamReply,
  WireRequest,
} from '@gateway/upstreams';

/** How one upstream call is asked and its answer read: a protocol bound to a call. It does no I/O. */
export interface Lane {
  readonly vendor: Vendor;
  readonly publicModel: string;
  readonly upstreamModel: string;
  readonly streamsToClient: boolean;
  readonly streamsUpstream: boolean;
  /** Of the answer as the client gets it. */
  readonly contentType: string;
  buildRequest(target: Target): WireRequest;
  readReply(body: Uint8Array): UpstreamReply;
  openReader(): StreamReader;
  readFailure(failure: UpstreamFailure): ReadFailure;
}

/** Several upstream calls that make one answer, such as a long list of embeddings. */
export interface FanOut {
  readonly lanes: readonly Lane[];
  /** In the order of `lanes`. */
  merge(replies: readonly UpstreamReply[]): UpstreamReply;
}

/** What a ticket asks for: one upstream call, or several whose answers are put together. */
export type Work = Lane | FanOut;

/** Makes the work of a ticket from the body that its edge has validated. */
export type OpenWork = (ticket: SyncTicket, model: CatalogueModel, body: Buffer) => Work;
