/**
 * The structural bytes of JSON, and functions that skip over values.
 * Nothing is validated: the bytes must be UTF-8 JSON that a parser has accepted or will still check.
 * For untrusted JSON use `JsonCursor`.
 */
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
export const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** True for a byte that ends a number, `true`, `false` or `null`. */
const endsScalar = (byte: number | undefined): boolean =>
  byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || isSpace(byte);

/** Length up to which a loop finds the end of a string faster than the native search. */
const SHORT_STRING_BYTES = 64;

/** True if an odd number of backslashes precedes `at`; `from` bounds the count. */
function isEscaped(body: Buffer, from: number, at: number): boolean {
  let first = at;
  while (first > from && body[first - 1] === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}

/** Index of the closing quote of the string that opens at `start`; the body's length if the string never closes. */
export function endOfString(body: Buffer, start: number): number {
  let at = start + 1;
  while (at < body.length) {
    for (const loopEnd = at + SHORT_STRING_BYTES; at < loopEnd; at += 1) {
      if (body[at] === QUOTE) return at;
      if (body[at] === BACKSLASH) at += 1;
    }
    const quote = body.indexOf(QUOTE, at);
    if (quote === -1) return body.length;
    if (!isEscaped(body, at, quote)) return quote;
    at = quote + 1;
  }
  return body.length;
}

/** Index after the list or object that opens at `start`. */
function skipNested(body: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === QUOTE) at = endOfString(body, at);
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth += 1;
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return body.length;
}

function skipScalar(body: Buffer, start: number): number {
  let at = start;
  while (at < body.length && !endsScalar(body[at])) at += 1;
  return at;
}

function skipValue(body: Buffer, start: number): number {
  const first = body[start];
  if (first === QUOTE) return endOfString(body, start) + 1;
  return first === OPEN_ARRAY || first === OPEN_OBJECT ? skipNested(body, start) : skipScalar(body, start);
}

/** One member of an object: its decoded name, and its value at bytes `start` (inclusive) to `end` (exclusive). */
export interface MemberRange {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Locates the values of an object's members, in source order. A repeated name yields one place for each repetition.
 * Values are skipped, not parsed: a long text costs one native search. What is no JSON has the members before its fault, and
 * perhaps wrong ones behind it: a parser must still check it.
 */
export function locateMembers(object: Buffer): readonly MemberRange[] {
  const places: MemberRange[] = [];
  for (let open = object.indexOf(QUOTE); open !== -1; ) {
    const close = endOfString(object, open);
    const colon = object.indexOf(COLON, close);
    // Without this the search would begin again at the first byte, and never end.
    if (colon === -1) break;
    let start = colon + 1;
    while (isSpace(object[start])) start += 1;
    const end = skipValue(object, start);
    places.push({ name: nameBetween(object, open, close), start, end });
    open = object.indexOf(QUOTE, end);
  }
  return places;
}

function nameBetween(object: Buffer, open: number, close: number): string {
  const name = object.toString('utf8', open + 1, close);
  if (!name.includes('\\')) return name;
  try {
    return JSON.parse(`"${name}"`) as string;
  } catch {
    // The parser reports the escape. As it is written it is the name of nothing.
    return name;
  }
}
