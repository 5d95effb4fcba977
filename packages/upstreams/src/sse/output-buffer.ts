const EMPTY: Buffer = Buffer.alloc(0);

/** Collects output bytes. Merges adjacent views of one buffer, so that unchanged events are forwarded without a copy. */
export class OutputBuffer {
  #parts: Buffer[] = [];

  add(chunk: Buffer): void {
    const last = this.#parts.at(-1);
    if (last !== undefined && last.buffer === chunk.buffer && last.byteOffset + last.length === chunk.byteOffset) {
      this.#parts[this.#parts.length - 1] = Buffer.from(last.buffer, last.byteOffset, last.length + chunk.length);
    } else this.#parts.push(chunk);
  }

  drain(): Buffer {
    const chunks = this.#parts;
    this.#parts = [];
    return chunks.length === 1 ? (chunks[0] as Buffer) : chunks.length === 0 ? EMPTY : Buffer.concat(chunks);
  }
}
