import { asciiPairs, SHORT_UNITS, STRIDE_UNITS, unitsOf } from './text-units.js';

/** Weights are stored in twentieths of a token, so that one byte holds each. */
const SCALE = 20;

/**
 * The most tokens of UTF-16 units, by what random text of each script needs in the vocabularies of GPT models, and digits
 * by those that give each digit a token. Later rows win. Other units have a token for each byte of UTF-8.
 */
const WEIGHTS: readonly (readonly [first: string, last: string, tokens: number])[] = [
  ['\u0000', '\u001f', 1],
  ['\t', '\t', 0.6],
  ['\n', '\n', 0.6],
  ['\r', '\r', 0.6],
  [' ', ' ', 0.3],
  ['!', '~', 0.7],
  ['0', '9', 1.3],
  ['A', 'Z', 0.75],
  ['a', 'z', 0.5],
  ['\u00c0', '\u017f', 1.65],
  ['\u0391', '\u03c9', 1.6],
  ['\u0400', '\u047f', 1.55],
  ['\u0410', '\u044f', 1.15],
  ['\u05d0', '\u05ea', 1.5],
  ['\u0600', '\u067f', 1.7],
  ['\u0621', '\u064a', 1.3],
  ['\u0900', '\u097f', 1.9],
  ['\u0980', '\u0aff', 2],
  ['\u0b80', '\u0bff', 2],
  ['\u0c80', '\u0dff', 2],
  ['\u0e00', '\u0e7f', 1.6],
  ['\u1ea0', '\u1eff', 1.8],
  ['\u2000', '\u207f', 1.85],
  ['\u3000', '\u30ff', 1.65],
  ['\u4e00', '\u9fff', 2.45],
  ['\uac00', '\ud7a3', 2.65],
  ['\uff00', '\uffef', 2],
];

/** A unit of a surrogate pair is half of a character, and so half of its four bytes. */
const bytesOfUnit = (unit: number): number => {
  if (unit < 0x80) return 1;
  return unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
};

const WEIGHT_OF_UNIT = Uint8Array.from({ length: 0x1_00_00 }, (_, unit) => bytesOfUnit(unit) * SCALE);
for (const [first, last, tokens] of WEIGHTS) {
  WEIGHT_OF_UNIT.fill(Math.round(tokens * SCALE), first.charCodeAt(0), last.charCodeAt(0) + 1);
}

/** Without its text, dense text is assumed: code and markup have more bytes a token. */
const MIN_BYTES_PER_TOKEN = 2;

/** The most tokens of a text of which only the size is known. */
export const maxTokens = (utf8Bytes: number): number => Math.ceil(utf8Bytes / MIN_BYTES_PER_TOKEN);

/** Of two units of ASCII at once, by their bytes. */
const WEIGHT_OF_PAIR = Uint8Array.from(
  { length: 0x1_00_00 },
  (_, pair) => (WEIGHT_OF_UNIT[pair & 0xff] as number) + (WEIGHT_OF_UNIT[pair >> 8] as number),
);

/**
 * The most tokens that a text can have, at most a quarter too few for the densest text. English is counted at about two
 * bytes a token, and has four. Stops above `limit`, for a prompt that has no room for more.
 */
export function maxTokensOfText(text: string, limit = Number.MAX_SAFE_INTEGER): number {
  if (text.length <= SHORT_UNITS) return Math.ceil(weightOfShort(text) / SCALE);
  let weight = 0;
  for (let start = 0; start < text.length && weight <= limit * SCALE; start += STRIDE_UNITS) {
    weight += weightOf(text.slice(start, start + STRIDE_UNITS));
  }
  return Math.ceil(weight / SCALE);
}

/** On the path of every request: one table look-up for each unit. */
function weightOfShort(text: string): number {
  let weight = 0;
  for (let at = 0; at < text.length; at += 1) weight += WEIGHT_OF_UNIT[text.charCodeAt(at)] as number;
  return weight;
}

/** `part` has at most STRIDE_UNITS. */
function weightOf(part: string): number {
  const pairs = asciiPairs(part);
  if (pairs === undefined) return sumOf(WEIGHT_OF_UNIT, unitsOf(part));
  return sumOf(WEIGHT_OF_PAIR, pairs) + (part.length % 2 === 0 ? 0 : weightOfShort(part.slice(-1)));
}

/** Two sums, which the processor adds side by side: half of the time. */
function sumOf(weights: Uint8Array, places: Uint16Array): number {
  let even = 0;
  let odd = 0;
  for (let at = 1; at < places.length; at += 2) {
    even += weights[places[at - 1] as number] as number;
    odd += weights[places[at] as number] as number;
  }
  const last = places.length % 2 === 0 ? 0 : (weights[places[places.length - 1] as number] as number);
  return even + odd + last;
}

/** The most tokens of these texts together. Stops above `limit`. */
export function maxTokensOf(texts: readonly string[], limit = Number.MAX_SAFE_INTEGER): number {
  let tokens = 0;
  for (const text of texts) {
    if (tokens > limit) break;
    tokens += maxTokensOfText(text, limit);
  }
  return tokens;
}
