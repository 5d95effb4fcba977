const LOWER_U = 0x75;
const SIMPLE_ESCAPES: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));
const HEX = /^[0-9a-fA-F]{4}$/;
const SCALAR = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** What `decodedEscapeBytes` returns for an escape that JSON does not have. */
export const INVALID = -1;

/** True if `word`, of ASCII characters, stands at `start`. */
export function isWordAt(bytes: Buffer, start: number, word: string): boolean {
  for (let index = 0; index < word.length; index += 1) {
    if (bytes[start + index] !== word.charCodeAt(index)) return false;
  }
  return true;
}

/** True if the bytes from `start` to `end` (exclusive) are a number, `true`, `false` or `null`. */
export const isScalar = (bytes: Buffer, start: number, end: number): boolean =>
  SCALAR.test(bytes.toString('latin1', start, end));

/**
 * UTF-8 bytes of the character that an escape stands for; `index` is the letter after the backslash.
 * Each half of a surrogate pair counts 2 of the pair's 4 bytes.
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
