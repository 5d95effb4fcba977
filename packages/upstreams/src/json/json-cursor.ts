import { malformedResponse } from '../failures/malformed-response.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const NULL = 'null';
const LOWER_N = 0x6e;
const LOWER_U = 0x75;
const MAX_DEPTH = 128;
const SIMPLE_ESCAPES: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));
const HEX = /^[0-9a-fA-F]{4}$/;
const SCALAR = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const endsScalar = (byte: number): boolean =>
  byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isSpace(byte);

/**
 * Walks one JSON text in UTF-8 without building any of it: to find a member's place or to measure a string costs a
 * look at each byte and no allocation. Every method throws a GatewayError (`upstream_error`) on what is not JSON.
 */
export class JsonCursor {
  #bytes: Buffer = Buffer.alloc(0);
  #keyStart = 0;
  #keyEnd = 0;
  readonly #closers = new Uint8Array(MAX_DEPTH);
  /** Index of the next byte to read. */
  position = 0;

  open(bytes: Buffer): void {
    this.#bytes = bytes;
    this.position = 0;
  }

  /** The next byte that is not space; -1 at the end. */
  peek(): number {
    while (this.position < this.#bytes.length) {
      const byte = this.#bytes[this.position] as number;
      if (!isSpace(byte)) return byte;
      this.position += 1;
    }
    return -1;
  }

  get isObject(): boolean {
    return this.peek() === OPEN_BRACE;
  }

  get isNull(): boolean {
    return this.peek() === LOWER_N;
  }

  enterObject(): void {
    this.#expect(OPEN_BRACE);
  }

  enterArray(): void {
    this.#expect(OPEN_BRACKET);
  }

  /** Moves behind the next key and its colon; false behind the end of the object. */
  nextMember(isFirst: boolean): boolean {
    if (!this.#next(CLOSE_BRACE, isFirst)) return false;
    this.peek();
    this.#keyStart = this.position + 1;
    this.readString();
    this.#keyEnd = this.position - 1;
    this.#expect(COLON);
    return true;
  }

  /** Moves before the next element; false behind the end of the array. */
  nextElement(isFirst: boolean): boolean {
    return this.#next(CLOSE_BRACKET, isFirst);
  }

  /** True if the member that the cursor is in has this name (of ASCII letters and `_`). */
  keyIs(name: string): boolean {
    return this.#keyEnd - this.#keyStart === name.length && this.#isAt(this.#keyStart, name);
  }

  /** As `keyIs`, also for a name that is written with escapes. */
  keyMeans(name: string): boolean {
    if (this.keyIs(name)) return true;
    const key = this.#bytes.toString('utf8', this.#keyStart, this.#keyEnd);
    return key.includes('\\') && JSON.parse(`"${key}"`) === name;
  }

  /** Reads a string and gives its length in UTF-8 bytes once its escapes are undone. */
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
    throw malformedResponse();
  }

  /** As `readString`, with null as the empty string. */
  readNullableString(): number {
    return this.skipNull() ? 0 : this.readString();
  }

  /** Moves behind the next value if it is null. */
  skipNull(): boolean {
    if (!this.isNull) return false;
    this.skipValue();
    return true;
  }

  /** Moves behind the next value, whatever it is; its inside is checked for balance, not for every comma. */
  skipValue(): void {
    let depth = 0;
    do depth = this.#skipToken(depth);
    while (depth > 0);
  }

  /** Moves behind one token of a value and gives the depth behind it. */
  #skipToken(depth: number): number {
    const byte = this.peek();
    if (byte === QUOTE) this.readString();
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) return this.#open(byte, depth);
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) return this.#close(byte, depth);
    else if (depth > 0 && (byte === COMMA || byte === COLON)) this.position += 1;
    else this.#skipScalar();
    return depth;
  }

  #open(byte: number, depth: number): number {
    if (depth === MAX_DEPTH) throw malformedResponse();
    this.#closers[depth] = byte === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET;
    this.position += 1;
    return depth + 1;
  }

  #close(byte: number, depth: number): number {
    if (depth === 0 || this.#closers[depth - 1] !== byte) throw malformedResponse();
    this.position += 1;
    return depth - 1;
  }

  /** Throws unless only space is left. */
  expectEnd(): void {
    if (this.peek() !== -1) throw malformedResponse();
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
    if (this.peek() !== byte) throw malformedResponse();
    this.position += 1;
  }

  #skipScalar(): void {
    const bytes = this.#bytes;
    const start = this.position;
    let areDigits = true;
    let index = start;
    for (; index < bytes.length; index += 1) {
      const byte = bytes[index] as number;
      if (endsScalar(byte)) break;
      areDigits &&= byte >= DIGIT_0 && byte <= DIGIT_9;
    }
    this.position = index;
    // Nearly every scalar of a chunk is null or a plain number: both are told without making a string of it.
    if (index - start === NULL.length && this.#isAt(start, NULL)) return;
    if (areDigits && index > start && bytes[start] !== DIGIT_0) return;
    if (!SCALAR.test(bytes.toString('latin1', start, index))) throw malformedResponse();
  }

  #isAt(start: number, word: string): boolean {
    for (let index = 0; index < word.length; index += 1) {
      if (this.#bytes[start + index] !== word.charCodeAt(index)) return false;
    }
    return true;
  }

  /** UTF-8 bytes of the escape whose letter is at `index`; each half of a surrogate pair counts two of the four. */
  #escapedBytes(index: number): number {
    if (this.#bytes[index] !== LOWER_U) {
      if (SIMPLE_ESCAPES.has(this.#bytes[index] ?? -1)) return 1;
      throw malformedResponse();
    }
    const digits = this.#bytes.toString('latin1', index + 1, index + 5);
    if (!HEX.test(digits)) throw malformedResponse();
    const unit = Number.parseInt(digits, 16);
    if (unit < 0x80) return 1;
    return unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
  }
}
