const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const UNICODE_ESCAPE_LENGTH = 6;
/** Text before the next escape or the end. */
const PLAIN = /^[^"\\]*/;

/** Reads the text of one member of a JSON object while the object arrives, cut anywhere. */
export class JsonTextReader {
  readonly #start: RegExp;
  /** Everything before the text, or a cut escape within it. */
  #pending = '';
  #state: 'before' | 'inside' | 'after' = 'before';

  /** `member`: the only member of the object. */
  constructor(member: string) {
    this.#start = new RegExp(`^\\s*\\{\\s*"${member}"\\s*:\\s*"`);
  }

  /** Returns the next piece of the text, possibly none. */
  read(fragment: string): string {
    if (this.#state === 'after') return '';
    this.#pending += fragment;
    if (this.#state === 'before') {
      const start = this.#start.exec(this.#pending);
      if (start === null) return '';
      this.#state = 'inside';
      this.#pending = this.#pending.slice(start[0].length);
    }
    return this.#text();
  }

  /** Returns what arrived, as it is, if it was not such an object. */
  end(): string {
    const rest = this.#state === 'before' ? this.#pending : '';
    this.#state = 'after';
    this.#pending = '';
    return rest;
  }

  /** Takes the text as far as it is certain: a cut escape waits for its rest. */
  #text(): string {
    let text = '';
    for (;;) {
      const [piece = ''] = PLAIN.exec(this.#pending) ?? [];
      text += piece;
      this.#pending = this.#pending.slice(piece.length);
      if (this.#pending === '') return text;
      if (this.#pending.startsWith('"')) {
        this.#state = 'after';
        this.#pending = '';
        return text;
      }
      const length = this.#pending.startsWith('\\u') ? UNICODE_ESCAPE_LENGTH : 2;
      if (this.#pending.length < length) return text;
      text += unescaped(this.#pending.slice(1, length));
      this.#pending = this.#pending.slice(length);
    }
  }
}

const unescaped = (code: string): string =>
  code.startsWith('u') ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (ESCAPES[code] ?? code);
