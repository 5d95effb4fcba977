export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/** So many bytes of a string are looked at one by one before it is worth a native search for its end. */
const NEAR_BYTES = 64;

/** Whether what is at `at` is escaped, by backslashes of which none is before `from`. */
function isEscaped(body: Buffer, from: number, at: number): boolean {
  let first = at;
  while (first > from && body[first - 1] === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}

/** Where the string that begins at `start` ends: at its closing quote, or at the end of the body. */
export function endOfString(body: Buffer, start: number): number {
  let at = start + 1;
  while (at < body.length) {
    for (const near = at + NEAR_BYTES; at < near; at += 1) {
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
