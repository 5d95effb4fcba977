import type { CatalogueModel } from '@gateway/catalogue';
import { GatewayError } from '@gateway/contracts';
import { STRIDE_UNITS, unitsOf } from './text-units.js';

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
  let words = 0;
  let isInWord = 0;
  for (let start = 0; start < text.length && words <= most; start += STRIDE_UNITS) {
    const units = unitsOf(text.slice(start, start + STRIDE_UNITS));
    for (let at = 0; at < units.length; at += 1) {
      const isWord = (units[at] as number) > LAST_SPACE ? 1 : 0;
      words += isWord & ~isInWord;
      isInWord = isWord;
    }
  }
  return words;
}
