import type { Usage } from '@gateway/contracts';
import type { StreamReader, UpstreamReply } from '@gateway/upstreams';

/** An upstream's answer of which nothing has gone to the client yet. */
export type OpenedAnswer =
  | ({ readonly kind: 'whole' } & UpstreamReply)
  | {
      readonly kind: 'stream';
      readonly reader: StreamReader;
      /** The first bytes for the client: they have been read, so that an error before them is still a proper refusal. */
      readonly first: Uint8Array;
      readonly rest: AsyncIterator<Buffer>;
      readonly contentType: string;
      /** What the whole answer will have used, where that is known before its end. */
      readonly wholeUsage?: Usage;
      /** Call it when the stream is over, however it ended: its channel is then less busy. */
      readonly release: () => void;
    };
