import { createHash } from 'node:crypto';

const FULL_LENGTH = 3_072;
const DIGITS = 8;

/** Pseudo-random numbers from -1 to 1 (xorshift). */
function* noise(seed: number): Generator<number> {
  let state = seed | 1;
  for (;;) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    yield state / 2 ** 31;
  }
}

const lengthOf = (numbers: readonly number[]): number =>
  Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0));

/**
 * The same text and model give the same vector. A shorter one is the start of the longest, which has unit length;
 * `isUnit` normalises the shorter one too.
 */
export const vectorOf = (model: string, text: string, dimensions: number, isUnit: boolean): readonly number[] => {
  const source = noise(createHash('sha256').update(model).update('\n').update(text).digest().readInt32LE());
  const full = Array.from({ length: FULL_LENGTH }, () => source.next().value as number);
  const stored = full.slice(0, dimensions);
  const length = lengthOf(isUnit ? stored : full);
  return stored.map((number) => Number((number / length).toPrecision(DIGITS)));
};

export const toBase64 = (vector: readonly number[]): string => {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((number, place) => {
    bytes.writeFloatLE(number, place * 4);
  });
  return bytes.toString('base64');
};
