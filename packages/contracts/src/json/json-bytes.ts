export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

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

/** What is behind the end of the list or object that begins at `start`. */
function behindNested(body: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === QUOTE) at = endOfString(body, at);
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return body.length;
}

/** What is behind the number or word that begins at `start`. */
function behindScalar(body: Buffer, start: number): number {
  let at = start;
  while (at < body.length && body[at] !== COMMA && body[at] !== CLOSE_OBJECT && !isSpace(body[at])) at += 1;
  return at;
}

function behindValue(object: Buffer, start: number): number {
  const first = object[start];
  if (first === QUOTE) return endOfString(object, start) + 1;
  return first === OPEN_LIST || first === OPEN_OBJECT ? behindNested(object, start) : behindScalar(object, start);
}

/** Where the bytes of a member's value are. */
export interface MemberPlace {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Where the values of an object's members are, in their order; a name that is there twice has two. What is in them is stepped
 * over, so that a long text costs next to nothing. Of JSON that has been parsed before: nothing is checked.
 */
export function placesOfMembers(object: Buffer): readonly MemberPlace[] {
  const places: MemberPlace[] = [];
  for (let open = object.indexOf(QUOTE); open !== -1; ) {
    const close = endOfString(object, open);
    let start = object.indexOf(COLON, close) + 1;
    while (isSpace(object[start])) start += 1;
    const end = behindValue(object, start);
    places.push({ name: nameIn(object, open, close), start, end });
    open = object.indexOf(QUOTE, end);
  }
  return places;
}

function nameIn(object: Buffer, open: number, close: number): string {
  const name = object.toString('utf8', open + 1, close);
  return name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name;
}
