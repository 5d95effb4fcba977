/** What a socket takes at once. */
const CHUNK_BYTES = 256 * 1024;

/**
 * The bytes of a request, which are free once they are sent. undici keeps the body of a request until its response has ended,
 * and a slow stream lasts for minutes. Can be read once.
 */
export class ReleasedBytes implements AsyncIterable<Uint8Array> {
  #bytes: Uint8Array | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    const length = this.#bytes?.length ?? 0;
    for (let at = 0; at < length; at += CHUNK_BYTES) {
      const chunk = this.#bytes?.subarray(at, at + CHUNK_BYTES);
      if (at + CHUNK_BYTES >= length) this.#bytes = undefined;
      if (chunk !== undefined) yield chunk;
    }
  }
}
