const HIDDEN = '[credential]';
/** A shorter one is no secret of a vendor, and may be a word of the text. */
const LEAST_CHARACTERS = 16;

/** The body without the credential of its channel: an upstream may repeat it in an error, which the customer reads. */
export function hideCredential(body: Uint8Array, credential: string): Uint8Array {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (credential.length < LEAST_CHARACTERS || !bytes.includes(credential)) return body;
  return Buffer.from(bytes.toString('latin1').replaceAll(credential, HIDDEN), 'latin1');
}

/** The same for a stream, which reports an error in an event. */
export const hideCredentialInChunks = (chunks: AsyncIterable<Buffer>, credential: string): AsyncIterable<Buffer> =>
  credential.length < LEAST_CHARACTERS
    ? chunks
    : { [Symbol.asyncIterator]: () => new HiddenChunks(chunks[Symbol.asyncIterator](), Buffer.from(credential)) };

/**
 * Holds back the end of a chunk only if the credential may begin there. No generator: its steps would cost each token more
 * than the search.
 */
class HiddenChunks implements AsyncIterator<Buffer> {
  #held: Buffer | undefined;
  readonly #text: string;

  constructor(
    private readonly chunks: AsyncIterator<Buffer>,
    private readonly credential: Buffer,
  ) {
    this.#text = credential.toString();
  }

  async next(): Promise<IteratorResult<Buffer>> {
    const { done, value } = await this.chunks.next();
    const held = this.#held;
    this.#held = undefined;
    if (done) return held === undefined ? { done, value } : { done: false, value: held };
    const bytes = held === undefined ? value : Buffer.concat([held, value]);
    const hidden = hideCredential(bytes, this.#text) as Buffer;
    const heldLength = beginningAtEnd(hidden, this.credential);
    if (heldLength === 0) return { done: false, value: hidden };
    this.#held = hidden.subarray(hidden.length - heldLength);
    return { done: false, value: hidden.subarray(0, hidden.length - heldLength) };
  }

  async return(): Promise<IteratorResult<Buffer>> {
    await this.chunks.return?.();
    return { done: true, value: undefined };
  }
}

/** How many bytes at the end of a chunk are the beginning of a credential. */
function beginningAtEnd(chunk: Buffer, credential: Buffer): number {
  const first = credential[0] as number;
  const from = Math.max(0, chunk.length - credential.length + 1);
  for (let at = chunk.indexOf(first, from); at !== -1; at = chunk.indexOf(first, at + 1)) {
    const length = chunk.length - at;
    if (credential.compare(chunk, at, chunk.length, 0, length) === 0) return length;
  }
  return 0;
}
