import { ReaderOver, type StreamReader } from '@gateway/upstreams';
import type { StreamResponse } from '../opened-response.js';

/** Replaces addresses in whole events. Never rejects. */
export type NameEvents = (events: Uint8Array) => Promise<Uint8Array>;

/** A stream whose bytes are renamed after the protocol has read them. Its reader still meters the vendor's bytes. */
export async function withNamedImages(stream: StreamResponse, name: NameEvents): Promise<StreamResponse> {
  const { reader, firstBytes, remaining } = stream;
  return {
    ...stream,
    firstBytes: await name(firstBytes),
    remaining: namedChunks(reader, remaining, name),
    reader: new NamedReader(reader),
  };
}

/** No generator: one that has not begun would not close the upstream. */
function namedChunks(
  reader: StreamReader,
  remaining: AsyncIterator<Buffer>,
  name: NameEvents,
): AsyncIterator<Buffer, undefined> {
  return {
    async next() {
      const { done, value } = await remaining.next();
      if (done) return { done, value: undefined };
      // Empty chunks pass too: each one shows that the vendor still sends.
      return { done: false, value: Buffer.from(await name(reader.read(value))) };
    },
    async return() {
      await remaining.return?.();
      return { done: true, value: undefined };
    },
  };
}

/** Its `read` is the identity: the bytes are already encoded. */
class NamedReader extends ReaderOver {
  read(bytes: Uint8Array): Uint8Array {
    return bytes;
  }

  end(): Uint8Array {
    return this.inner.end();
  }

  get fail(): StreamReader['fail'] {
    return this.inner.fail;
  }
}
