import type { CatalogueModel } from '@gateway/catalogue';
import { GatewayError } from '@gateway/contracts';
import { asciiQuads, STRIDE_UNITS, unitsOf } from './text-units.js';

/** A text with fewer characters a token than this is not counted: it may fit. */
const USUAL_CHARACTERS_PER_TOKEN = 2;

/**
 * Throws a 400 if the prompt is certainly longer than the context window. A lower bound decides: every word has at least
 * one token. Only texts that may be too long are counted.
 */
export function checkContext(
  texts: readonly string[],
  { id, limits: { contextTokens } }: CatalogueModel,
  param = 'messages',
): void {
  if (contextTokens === undefined) return;
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  if (characters <= contextTokens * USUAL_CHARACTERS_PER_TOKEN) return;
  let words = 0;
  for (const text of texts) words += countWords(text, contextTokens - words);
  if (words <= contextTokens) return;
  throw new GatewayError(
    'context_length_exceeded',
    `'${param}': the context window of ${id} has ${contextTokens} tokens, and '${param}' has more.`,
    { param },
  );
}

/** The space, and below it the controls. */
const LAST_SPACE = 32;

/** Counts what stands between spaces. Stops above `most`. */
function countWords(text: string, most: number): number {
  const sum = { words: 0, isInWord: 0 };
  for (let start = 0; start < text.length && sum.words <= most; start += STRIDE_UNITS) {
    const part = text.slice(start, start + STRIDE_UNITS);
    const quads = asciiQuads(part);
    if (quads === undefined) addUnits(sum, unitsOf(part));
    else addQuads(sum, quads);
  }
  return sum.words;
}

interface Sum {
  words: number;
  /** 1 if the last character was of a word. */
  isInWord: number;
}

function addUnits(sum: Sum, units: Uint16Array): void {
  let { words, isInWord } = sum;
  for (let at = 0; at < units.length; at += 1) {
    const isWord = (units[at] as number) > LAST_SPACE ? 1 : 0;
    words += isWord & ~isInWord;
    isInWord = isWord;
  }
  sum.words = words;
  sum.isInWord = isInWord;
}

/** The highest bit of each byte, and what lifts a byte above LAST_SPACE to it. No byte of ASCII carries into the next. */
const HIGH_BITS = 0x80_80_80_80;
const ABOVE_SPACE = 0x5f_5f_5f_5f;
/** Adds the four bytes of a number in its highest one. */
const EACH_BYTE = 0x01_01_01_01;

/** Four characters at once, without a branch: half of the time, with the copy. */
function addQuads(sum: Sum, quads: Uint32Array): void {
  let { words, isInWord } = sum;
  for (let at = 0; at < quads.length; at += 1) {
    const inWords = ((quads[at] as number) + ABOVE_SPACE) & HIGH_BITS;
    const starts = inWords & ~((inWords << 8) | (isInWord << 7));
    words += Math.imul(starts >>> 7, EACH_BYTE) >>> 24;
    isInWord = inWords >>> 31;
  }
  sum.words = words;
  sum.isInWord = isInWord;
}
