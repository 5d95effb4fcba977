const NOTHING: Buffer = Buffer.alloc(0);

/** Collects bytes on their way out; neighbours of one buffer stay one view of it, so that a run is not copied. */
export class OutputBuffer {
  #pieces: Buffer[] = [];

  add(chunk: Buffer): void {
    const last = this.#pieces.at(-1);
    if (last !== undefined && last.buffer === chunk.buffer && last.byteOffset + last.length === chunk.byteOffset) {
      this.#pieces[this.#pieces.length - 1] = Buffer.from(last.buffer, last.byteOffset, last.length + chunk.length);
    } else this.#pieces.push(chunk);
  }

  take(): Buffer {
    const chunks = this.#pieces;
    this.#pieces = [];
    return chunks.length === 1 ? (chunks[0] as Buffer) : chunks.length === 0 ? NOTHING : Buffer.concat(chunks);
  }
}
