import { BitWriter } from '../picture/bit-writer.js';

const EXPECTED_BYTES = 256;
/** Three bytes up to this one after two zeros would look like the start of another unit. */
const HIGHEST_GUARDED = 3;
const GUARD = 3;

/** Breaks up what would look like the start of a unit. */
function guarded(bytes: Buffer): Buffer {
  const out: number[] = [];
  let zeros = 0;
  for (const byte of bytes) {
    if (zeros === 2 && byte <= HIGHEST_GUARDED) {
      out.push(GUARD);
      zeros = 0;
    }
    out.push(byte);
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return Buffer.from(out);
}

/** Writes one unit of H.264 in the words of its standard: bits, and numbers in Exp-Golomb code. */
export class RbspWriter {
  readonly #bits = new BitWriter('highest-first', EXPECTED_BYTES);

  bits(value: number, count: number): this {
    this.#bits.write(value, count);
    return this;
  }

  /** ue(v): as many zeros as the number has bits after its first, then the number plus one. */
  unsigned(value: number): this {
    const length = 32 - Math.clz32(value + 1);
    return this.bits(0, length - 1).bits(value + 1, length);
  }

  /** se(v): 0, 1, -1, 2, -2 … in the order of their size. */
  signed(value: number): this {
    return this.unsigned(value > 0 ? 2 * value - 1 : -2 * value);
  }

  /** The whole unit behind its head of one byte. */
  end(head: number): Buffer {
    // The stop bit; what is missing of the last byte then is zeros.
    this.#bits.write(1, 1);
    this.#bits.align();
    return Buffer.concat([Buffer.from([head]), guarded(this.#bits.end())]);
  }
}
