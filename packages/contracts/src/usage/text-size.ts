/**
 * Expected quarter tokens of a character, by the first byte of its UTF-8. Later rows win. English has one for each byte, and
 * dense text more. Letters that words rarely have weigh more, because random text has many of them.
 */
const QUARTERS: readonly (readonly [first: number, last: number, quarters: number])[] = [
  [0x00, 0x7f, 2],
  [0x00, 0x1f, 3],
  ...rowsOf('\t\n\r', 1),
  ...rowsOf(' ,.\'-"{}[]:', 1),
  ...rowsOf('0123456789', 4),
  ...rowsOf('abcdefghijklmnopqrstuvwxyz', 1),
  ...rowsOf('jqz', 4),
  [0xc2, 0xdf, 3],
  // Combining marks, Greek, Cyrillic, Hebrew, Arabic.
  [0xcc, 0xcd, 6],
  [0xce, 0xcf, 4],
  [0xd0, 0xd3, 2],
  [0xd6, 0xd7, 4],
  [0xd8, 0xdb, 2],
  // Indic and Thai, Ethiopic, signs, kana, ideographs, Hangul, private characters, emoji.
  [0xe0, 0xe0, 3],
  [0xe1, 0xe1, 6],
  [0xe2, 0xe2, 4],
  [0xe3, 0xe3, 3],
  [0xe4, 0xed, 4],
  [0xee, 0xef, 6],
  [0xf0, 0xf4, 10],
];

function rowsOf(characters: string, quarters: number): [number, number, number][] {
  return [...characters].map((character) => [character.charCodeAt(0), character.charCodeAt(0), quarters]);
}

/** Bytes that continue a character have none. */
const QUARTERS_OF_BYTE = new Uint8Array(256);
for (const [first, last, quarters] of QUARTERS) QUARTERS_OF_BYTE.fill(quarters, first, last + 1);

/** Half of a surrogate pair has half of the weight of four bytes. */
const quartersOf = (unit: number): number => {
  if (unit < 0x80) return QUARTERS_OF_BYTE[unit] as number;
  if (unit >= 0xd800 && unit < 0xe000) return (QUARTERS_OF_BYTE[0xf0] as number) / 2;
  return QUARTERS_OF_BYTE[unit < 0x800 ? 0xc0 | (unit >> 6) : 0xe0 | (unit >> 12)] as number;
};

const QUARTERS_OF_UNIT = Uint8Array.from({ length: 0x1_00_00 }, (_, unit) => quartersOf(unit));

/** Beyond the longest context window a text is measured by its bytes, which costs no time. */
const MOST_UNITS = 4 * 1024 * 1024;

/** The expected size of a text in quarter tokens, for `estimateTokens`. */
export function textSize(text: string): number {
  const end = Math.min(text.length, MOST_UNITS);
  let size = 0;
  for (let at = 0; at < end; at += 1) size += QUARTERS_OF_UNIT[text.charCodeAt(at)] as number;
  return text.length > MOST_UNITS ? size + Buffer.byteLength(text.slice(MOST_UNITS)) : size;
}

const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const CONTROL_OF_LETTER = new Map(
  [...'bfnrt'].map((letter, at) => [letter.charCodeAt(0), '\b\f\n\r\t'.charCodeAt(at)]),
);

/** `textSize` of a valid JSON string without parsing it: `start` is behind its first quote, `end` at its last. */
export function jsonTextSize(json: Uint8Array, start: number, end: number): number {
  let size = 0;
  for (let at = start; at < end; at += 1) {
    const byte = json[at] as number;
    if (byte !== BACKSLASH) {
      size += QUARTERS_OF_BYTE[byte] as number;
      continue;
    }
    at += 1;
    const escaped = json[at] as number;
    if (escaped === LOWER_U) {
      size += QUARTERS_OF_UNIT[Number.parseInt(String.fromCharCode(...json.subarray(at + 1, at + 5)), 16)] as number;
      at += 4;
    } else size += QUARTERS_OF_BYTE[CONTROL_OF_LETTER.get(escaped) ?? escaped] as number;
  }
  return size;
}
