import { isJsonObject, type JsonObject } from './json-object.js';

/** What `JSON` has since ES2026: the text of each number, and numbers that are written as a text says. */
interface SourceJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
}

const sourceJson = JSON as unknown as SourceJson;

/** Every integer with 16 digits or more, and a few texts. Most JSON has none. */
const MAY_BE_LARGE = /[:[,\s-]\d{16}/;
const INTEGER = /^-?\d+$/;

/** Reading the text of each value takes 0.7 µs, so that a request cannot keep a process busy with them. */
const MOST_COMMAS = 50_000;

/** True if `parseExactJson` may return anything else than `JSON.parse`. */
export const mayHoldLargeIntegers = (text: string): boolean => MAY_BE_LARGE.test(text) && !hasManyValues(text);

/**
 * Parses JSON that is written again, such as the arguments of a call. In objects and lists, integers that a number cannot
 * hold, such as ids of 64 bits, become objects that `JSON.stringify` writes with all their digits. Throws a SyntaxError like
 * `JSON.parse`.
 */
export function parseExactJson(text: string): unknown {
  const value = mayHoldLargeIntegers(text) ? sourceJson.parse(text, exactly) : JSON.parse(text);
  // A text that is only a number is no object.
  return sourceJson.isRawJSON(value) ? JSON.parse(text) : value;
}

/** The object that a text holds, such as the arguments of a call, with all digits of its integers. Undefined for any other text. */
export function parseExactObject(text: string): JsonObject | undefined {
  try {
    const value = parseExactJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // A model or a tool wrote it: it may be no JSON.
    return undefined;
  }
}

function exactly(_key: string, value: unknown, { source = '' }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || !INTEGER.test(source)) return value;
  return sourceJson.rawJSON(source);
}

function hasManyValues(text: string): boolean {
  let commas = 0;
  for (let at = text.indexOf(','); at >= 0; at = text.indexOf(',', at + 1)) {
    commas += 1;
    if (commas > MOST_COMMAS) return true;
  }
  return false;
}
