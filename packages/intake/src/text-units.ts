/** UTF-16 units that are copied at once. */
export const STRIDE_UNITS = 65_536;
/** A copy of so few costs more than it saves. */
export const SHORT_UNITS = 256;

/** A loop over numbers takes a quarter of one over the units of a string. Valid until the next copy. */
const copied = Buffer.allocUnsafeSlow(2 * STRIDE_UNITS);
const units = new Uint16Array(copied.buffer);
const quads = new Uint32Array(copied.buffer);

/** The UTF-16 units of a text of at most STRIDE_UNITS, until the next call. */
export function unitsOf(part: string): Uint16Array {
  copied.write(part, 0, 'utf16le');
  return units.subarray(0, part.length);
}

/** Two bytes in each number, until the next call. Undefined: the text has other characters. Leaves out an odd last one. */
export function asciiPairs(part: string): Uint16Array | undefined {
  if (Buffer.byteLength(part) !== part.length) return undefined;
  copied.write(part, 0, 'latin1');
  return units.subarray(0, part.length >> 1);
}

const SPACE = 32;

/**
 * Four bytes in each number, the first lowest, until the next call. Undefined: the text has other characters. Spaces fill the
 * last number.
 */
export function asciiQuads(part: string): Uint32Array | undefined {
  if (Buffer.byteLength(part) !== part.length) return undefined;
  copied.write(part, 0, 'latin1');
  const length = Math.ceil(part.length / 4);
  copied.fill(SPACE, part.length, 4 * length);
  return quads.subarray(0, length);
}
