import { endsScalar } from './json-bytes.js';

const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const LOWER_U = 0x75;
const NULL = 'null';
const SIMPLE_ESCAPES: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));
const HEX = /^[0-9a-fA-F]{4}$/;
const SCALAR = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** The result of a check that found bytes which are not JSON. */
export const INVALID = -1;

/** True if `word`, of ASCII characters, stands at `start`. */
export function isWordAt(bytes: Buffer, start: number, word: string): boolean {
  for (let index = 0; index < word.length; index += 1) {
    if (bytes[start + index] !== word.charCodeAt(index)) return false;
  }
  return true;
}

/** Index after the number, `true`, `false` or `null` at `start`; `INVALID` for anything else. */
export function endOfScalar(bytes: Buffer, start: number): number {
  let hasOnlyDigits = true;
  let index = start;
  for (; index < bytes.length; index += 1) {
    const byte = bytes[index] as number;
    if (endsScalar(byte)) break;
    hasOnlyDigits &&= byte >= DIGIT_0 && byte <= DIGIT_9;
  }
  // Nearly every scalar of a stream chunk is null or a plain number; both are accepted without building a string.
  if (index - start === NULL.length && isWordAt(bytes, start, NULL)) return index;
  if (hasOnlyDigits && index > start && bytes[start] !== DIGIT_0) return index;
  return SCALAR.test(bytes.toString('latin1', start, index)) ? index : INVALID;
}

/** Source bytes of the escape after its backslash: 5 for `u` and its digits, 1 for every other letter. */
export const escapeLength = (letter: number | undefined): number => (letter === LOWER_U ? 5 : 1);

/**
 * UTF-8 bytes of the character that an escape stands for; `index` is the letter after the backslash.
 * Each half of a surrogate pair counts 2 of the pair's 4 bytes. `INVALID` for an unknown escape.
 */
export function decodedEscapeBytes(bytes: Buffer, index: number): number {
  const letter = bytes[index] ?? INVALID;
  if (letter !== LOWER_U) return SIMPLE_ESCAPES.has(letter) ? 1 : INVALID;
  const digits = bytes.toString('latin1', index + 1, index + 5);
  if (!HEX.test(digits)) return INVALID;
  const codeUnit = Number.parseInt(digits, 16);
  if (codeUnit < 0x80) return 1;
  return codeUnit < 0x800 || (codeUnit >= 0xd800 && codeUnit < 0xe000) ? 2 : 3;
}
