import type { Usage } from '@gateway/contracts';
import type { ChatStreamReader } from '@gateway/upstreams';

/** An upstream's answer of which nothing has gone to the client yet. */
export type OpenedAnswer =
  | {
      readonly kind: 'whole';
      readonly body: Uint8Array;
      readonly usage: Usage;
      readonly upstreamId: string | undefined;
    }
  | {
      readonly kind: 'stream';
      readonly reader: ChatStreamReader;
      /** The first bytes for the client: they have been read, so that an error before them is still a proper refusal. */
      readonly first: Uint8Array;
      readonly rest: AsyncIterator<Buffer>;
    };
