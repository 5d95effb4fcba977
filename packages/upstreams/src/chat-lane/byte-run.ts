const NOTHING: Buffer = Buffer.alloc(0);

/** Collects bytes on their way out; neighbours of one buffer stay one view of it, so that a run is not copied. */
export class ByteRun {
  #pieces: Buffer[] = [];

  add(piece: Buffer): void {
    const last = this.#pieces.at(-1);
    if (last !== undefined && last.buffer === piece.buffer && last.byteOffset + last.length === piece.byteOffset) {
      this.#pieces[this.#pieces.length - 1] = Buffer.from(last.buffer, last.byteOffset, last.length + piece.length);
    } else this.#pieces.push(piece);
  }

  take(): Buffer {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces.length === 1 ? (pieces[0] as Buffer) : pieces.length === 0 ? NOTHING : Buffer.concat(pieces);
  }
}
