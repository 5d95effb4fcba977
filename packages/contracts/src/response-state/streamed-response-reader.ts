import * as jsonBytes from '../json/json-bytes.js';

/** A larger response is not stored. */
export const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

const EVENT_END = Buffer.from('\n\n');
const DATA = /^data: ?/;
/** Enough for the name of an event, and for the type at the beginning of its data. */
const HEAD_BYTES = 160;
const FINAL = /response\.(?:completed|incomplete|failed)\b/;
const FINAL_TYPES: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete', 'response.failed']);

/** The last event of a stream has the object. Other events are skipped without a parse. */
export class StreamedResponseReader {
  #partial: Buffer[] = [];
  #partialBytes = 0;
  #response: Buffer | undefined;

  get response(): Buffer | undefined {
    return this.#response;
  }

  add(chunk: Buffer): boolean {
    let start = 0;
    for (let end = this.#endOfEvent(chunk, 0); end !== -1; end = this.#endOfEvent(chunk, start)) {
      this.#handle(chunk.subarray(start, end));
      start = end;
    }
    this.#keep(chunk.subarray(start));
    return this.#response !== undefined;
  }

  /** Index after the next blank line; -1 if the event goes on in the next chunk. */
  #endOfEvent(chunk: Buffer, from: number): number {
    const last = this.#partial.at(-1);
    if (from === 0 && chunk[0] === EVENT_END[0] && last?.[last.length - 1] === EVENT_END[0]) return 1;
    const at = chunk.indexOf(EVENT_END, from);
    return at === -1 ? -1 : at + EVENT_END.length;
  }

  #keep(rest: Buffer): void {
    if (rest.length === 0) return;
    this.#partialBytes += rest.length;
    if (this.#partialBytes <= MAX_RESPONSE_BYTES) this.#partial.push(Buffer.from(rest));
    else this.#partial = [];
  }

  #handle(end: Buffer): void {
    const event = this.#partial.length === 0 ? end : Buffer.concat([...this.#partial, end]);
    const isWhole = this.#partialBytes <= MAX_RESPONSE_BYTES;
    this.#partial = [];
    this.#partialBytes = 0;
    if (isWhole && FINAL.test(event.toString('latin1', 0, HEAD_BYTES)))
      this.#response = responseOf(event) ?? this.#response;
  }
}

/** The member `response` of an event's data. Undefined: the event is another one. */
function responseOf(event: Buffer): Buffer | undefined {
  const lines = event
    .toString('utf8')
    .split('\n')
    .filter((line) => DATA.test(line));
  const data = Buffer.from(lines.map((line) => line.replace(DATA, '')).join('\n'));
  const members = jsonBytes.locateMembers(data);
  const sliceOf = (name: string): Buffer | undefined => {
    const member = members.find((candidate) => candidate.name === name);
    return member === undefined ? undefined : data.subarray(member.start, member.end);
  };
  const type = sliceOf('type')?.toString('utf8').slice(1, -1);
  return FINAL_TYPES.has(type) ? sliceOf('response') : undefined;
}
