import { decodedEscapeBytes, INVALID, isScalar, isWordAt } from './json-tokens.js';

// Module-local on purpose: V8 reads imported constants and inlines imported predicates 10 % slower on a stream's chunks.
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const LOWER_N = 0x6e;
const LOWER_U = 0x75;
const NULL = 'null';
const MAX_DEPTH = 128;

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const endsScalar = (byte: number): boolean =>
  byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || isSpace(byte);

/**
 * Closing brackets that one `skipValue` expects. Shared, because `skipValue` is synchronous and never nested. As a sixth
 * field of the cursor it would slow `readString` by 25 %.
 */
const CLOSERS = new Uint8Array(MAX_DEPTH);

/**
 * Reads one untrusted JSON text (UTF-8) byte by byte and allocates nothing.
 * Use it to locate a value or to measure a string without parsing the text.
 * Every method throws the error of the constructor's factory at bytes that are not JSON, or nested more than 128 deep.
 */
export class JsonCursor {
  readonly #malformed: () => Error;
  #bytes: Buffer = Buffer.alloc(0);
  #keyStart = 0;
  #keyEnd = 0;
  /** Index of the next byte to read. */
  position = 0;

  /** @param malformed builds the error to throw, so that each caller has its own error code. */
  constructor(malformed: () => Error) {
    this.#malformed = malformed;
  }

  /** Starts at the first byte of `bytes`. One cursor may read many texts, one after the other. */
  open(bytes: Buffer): void {
    this.#bytes = bytes;
    this.position = 0;
  }

  /** The next byte that is not space, without moving behind it; -1 at the end. */
  peek(): number {
    while (this.position < this.#bytes.length) {
      const byte = this.#bytes[this.position] as number;
      if (!isSpace(byte)) return byte;
      this.position += 1;
    }
    return -1;
  }

  get isObject(): boolean {
    return this.peek() === OPEN_OBJECT;
  }

  /** True if the next value begins with `n`; reading it rejects any other word. */
  get isNull(): boolean {
    return this.peek() === LOWER_N;
  }

  enterObject(): void {
    this.#expect(OPEN_OBJECT);
  }

  enterArray(): void {
    this.#expect(OPEN_ARRAY);
  }

  /** Moves to the value of the next member; false once the object has ended, with the cursor behind it. */
  nextMember(isFirst: boolean): boolean {
    if (!this.#next(CLOSE_OBJECT, isFirst)) return false;
    this.peek();
    this.#keyStart = this.position + 1;
    this.readString();
    this.#keyEnd = this.position - 1;
    this.#expect(COLON);
    return true;
  }

  /** Moves to the next element; false once the array has ended, with the cursor behind it. */
  nextElement(isFirst: boolean): boolean {
    return this.#next(CLOSE_ARRAY, isFirst);
  }

  /** True if the current member has this name (ASCII letters and `_`), written without escapes. */
  keyIs(name: string): boolean {
    return this.#keyEnd - this.#keyStart === name.length && isWordAt(this.#bytes, this.#keyStart, name);
  }

  /** True if the current member has this name, written with or without escapes. */
  decodedKeyIs(name: string): boolean {
    if (this.keyIs(name)) return true;
    const key = this.#bytes.toString('utf8', this.#keyStart, this.#keyEnd);
    return key.includes('\\') && JSON.parse(`"${key}"`) === name;
  }

  /** Reads a string. Returns its length in UTF-8 bytes after decoding its escapes. */
  readString(): number {
    this.#expect(QUOTE);
    const bytes = this.#bytes;
    let length = 0;
    for (let index = this.position; index < bytes.length; index += 1) {
      const byte = bytes[index] as number;
      if (byte === QUOTE) {
        this.position = index + 1;
        return length;
      }
      if (byte < 0x20) break;
      if (byte !== BACKSLASH) length += 1;
      else {
        index += 1;
        length += this.#escapedBytes(index);
        if (bytes[index] === LOWER_U) index += 4;
      }
    }
    throw this.#malformed();
  }

  /** Like `readString`; null counts as the empty string. */
  readNullableString(): number {
    return this.skipNull() ? 0 : this.readString();
  }

  /** Moves behind the next value if it is null. Returns whether it was. */
  skipNull(): boolean {
    if (!this.isNull) return false;
    this.skipValue();
    return true;
  }

  /** Moves behind the next value. Checks strings, scalars and balanced brackets inside, but not every comma and colon. */
  skipValue(): void {
    let depth = 0;
    do depth = this.#skipToken(depth);
    while (depth > 0);
  }

  /** Throws unless only space is left. */
  expectEnd(): void {
    if (this.peek() !== -1) throw this.#malformed();
  }

  /** Moves behind one token of a value. Returns the depth after it. */
  #skipToken(depth: number): number {
    const byte = this.peek();
    if (byte === QUOTE) this.readString();
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) return this.#enter(byte, depth);
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) return this.#leave(byte, depth);
    else if (depth > 0 && (byte === COMMA || byte === COLON)) this.position += 1;
    else this.#skipScalar();
    return depth;
  }

  #enter(byte: number, depth: number): number {
    if (depth === MAX_DEPTH) throw this.#malformed();
    CLOSERS[depth] = byte === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY;
    this.position += 1;
    return depth + 1;
  }

  #leave(byte: number, depth: number): number {
    if (depth === 0 || CLOSERS[depth - 1] !== byte) throw this.#malformed();
    this.position += 1;
    return depth - 1;
  }

  #next(close: number, isFirst: boolean): boolean {
    const byte = this.peek();
    if (byte === close) {
      this.position += 1;
      return false;
    }
    if (!isFirst) this.#expect(COMMA);
    return true;
  }

  #expect(byte: number): void {
    if (this.peek() !== byte) throw this.#malformed();
    this.position += 1;
  }

  #skipScalar(): void {
    const bytes = this.#bytes;
    const start = this.position;
    let hasOnlyDigits = true;
    let index = start;
    for (; index < bytes.length; index += 1) {
      const byte = bytes[index] as number;
      if (endsScalar(byte)) break;
      hasOnlyDigits &&= byte >= DIGIT_0 && byte <= DIGIT_9;
    }
    this.position = index;
    // Nearly every scalar of a stream chunk is null or a plain number; both are accepted without building a string.
    if (index - start === NULL.length && isWordAt(bytes, start, NULL)) return;
    if (hasOnlyDigits && index > start && bytes[start] !== DIGIT_0) return;
    if (!isScalar(bytes, start, index)) throw this.#malformed();
  }

  #escapedBytes(index: number): number {
    const length = decodedEscapeBytes(this.#bytes, index);
    if (length === INVALID) throw this.#malformed();
    return length;
  }
}
