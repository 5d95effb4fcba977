/*
 * How many quarters of a token a text has. Written apart from the gateway's estimate, from decision 0050, so that a mistake
 * of one shows in the other.
 */

const JSON_AND_PROSE = new Set(` ,.'-"{}[]:\t\n\r`);
const RARE_LETTERS = new Set('jqz');

const ofAscii = (character: string): number => {
  if (JSON_AND_PROSE.has(character)) return 1;
  if (RARE_LETTERS.has(character) || /\d/.test(character)) return 4;
  if (/[a-z]/.test(character)) return 1;
  return character < ' ' ? 3 : 2;
};
const ASCII = Array.from({ length: 0x80 }, (_, code) => ofAscii(String.fromCharCode(code)));

/** By the end of a range of characters, in order. */
const BEYOND_ASCII: readonly (readonly [end: number, quarters: number])[] = [
  [0x300, 3],
  [0x380, 6],
  [0x400, 4],
  [0x500, 2],
  [0x580, 3],
  [0x600, 4],
  [0x700, 2],
  [0x800, 3],
  [0x1000, 3],
  [0x2000, 6],
  [0x3000, 4],
  [0x4000, 3],
  [0xe000, 4],
  [0x1_00_00, 6],
  [0x11_00_00, 10],
];

const beyondAscii = (code: number): number => BEYOND_ASCII.find(([end]) => code < end)?.[1] ?? 0;

export function quartersOf(text: string): number {
  let quarters = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at) ?? 0;
    quarters += ASCII[code] ?? beyondAscii(code);
    if (code > 0xffff) at += 1;
  }
  return quarters;
}

/** The longest prefix of at most that many quarters. */
export function firstQuarters(text: string, most: number): string {
  let quarters = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    quarters += ASCII[code] ?? beyondAscii(code);
    if (quarters > most) return text.slice(0, at);
    at += code > 0xffff ? 2 : 1;
  }
  return text;
}
