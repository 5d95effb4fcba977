import type { Changes, Usage } from '@gateway/contracts';
import type { StreamReader, UpstreamReply } from '@gateway/upstreams';

/** A complete upstream response. */
export type UnaryResponse = { readonly kind: 'unary'; readonly changes?: Changes } & UpstreamReply;

/** An upstream stream of which nothing has gone to the client yet. */
export interface StreamResponse {
  readonly kind: 'stream';
  readonly reader: StreamReader;
  /** The first bytes for the client. An error before them still becomes a proper error response. */
  readonly firstBytes: Uint8Array;
  /** The upstream's bytes after those, not yet passed to `reader`. */
  readonly remaining: AsyncIterator<Buffer>;
  readonly contentType: string;
  /** What the adapter changed in the client's request. */
  readonly changes?: Changes;
  /** The usage of the complete stream, if the upstream reports it before the end. */
  readonly totalUsage?: Usage;
  /** Frees the channel's slot. Call it once the stream is over, however it ended. */
  readonly release: () => void;
}

export type OpenedResponse = UnaryResponse | StreamResponse;
