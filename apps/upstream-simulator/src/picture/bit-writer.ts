/** Gathers bits into bytes, the first bit highest (JPEG) or lowest (WebP). */
export class BitWriter {
  #bytes: Buffer;
  #length = 0;
  #held = 0;
  #count = 0;

  /** `afterFull`: a byte that follows each byte of 0xff, as JPEG wants it. */
  constructor(
    private readonly order: 'highest-first' | 'lowest-first',
    expectedBytes: number,
    private readonly afterFull?: number,
  ) {
    this.#bytes = Buffer.allocUnsafe(Math.max(64, expectedBytes));
  }

  /** `value` is written with its highest bit first in the one order, its lowest in the other. */
  write(value: number, bits: number): void {
    for (let at = 0; at < bits; at += 1) {
      const bit = (this.order === 'highest-first' ? value >> (bits - 1 - at) : value >> at) & 1;
      this.#held |= this.order === 'highest-first' ? bit << (7 - this.#count) : bit << this.#count;
      this.#count += 1;
      if (this.#count === 8) {
        this.#push();
      }
    }
  }

  /** Fills the byte that has begun with zeros. */
  align(): void {
    while (this.#count !== 0) {
      this.write(0, 1);
    }
  }

  /** All bytes; what is missing of the last one is ones in JPEG, zeros in WebP. */
  end(): Buffer {
    while (this.#count !== 0) {
      this.write(this.order === 'highest-first' ? 1 : 0, 1);
    }
    return this.#bytes.subarray(0, this.#length);
  }

  #push(): void {
    if (this.#length + 2 > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(this.#bytes.length * 2);
      this.#bytes.copy(larger);
      this.#bytes = larger;
    }
    this.#bytes[this.#length] = this.#held;
    this.#length += 1;
    if (this.#held === 0xff && this.afterFull !== undefined) {
      this.#bytes[this.#length] = this.afterFull;
      this.#length += 1;
    }
    this.#held = 0;
    this.#count = 0;
  }
}
