import { malformedResponse } from '../failures/malformed-response.js';
import { LineEndings } from './line-endings.js';
import { parseSseEvent, type SseEvent, stripByteOrderMark } from './sse-event.js';

const LF = 0x0a;
const BLANK_LINE = Buffer.from('\n\n');
const MAX_EVENT_BYTES = 4 * 1024 * 1024;
const EMPTY: Buffer = Buffer.alloc(0);

/**
 * Cuts a stream of bytes into server-sent events as the WHATWG says (LF, CR, CRLF, comments, several data lines),
 * whatever the chunks are cut at. Events that arrive whole in one chunk are views of that chunk: nothing is copied.
 */
export class SseDecoder {
  readonly #lineEnds = new LineEndings();
  /** The beginning of an event whose end has not come, in a buffer that grows by doubling. */
  #store = EMPTY;
  #held = 0;
  #isFirst = true;

  constructor(private readonly maxEventBytes = MAX_EVENT_BYTES) {}

  /** The events that these bytes complete. Throws a GatewayError if one event is longer than the limit. */
  push(bytes: Uint8Array): SseEvent[] {
    const chunk = this.#lineEnds.normalise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    if (this.#held === 0) return this.#take(chunk, 0);
    const searchFrom = this.#held - 1;
    this.#hold(chunk);
    return this.#take(this.#store.subarray(0, this.#held), searchFrom);
  }

  /** The event that the end of the stream left without its blank line, whole or not. */
  flush(): SseEvent | undefined {
    const rest = this.#store.subarray(0, this.#held);
    this.#held = 0;
    this.#store = EMPTY;
    if (rest.length === 0) return undefined;
    return this.#event(Buffer.concat([rest, rest[rest.length - 1] === LF ? BLANK_LINE.subarray(1) : BLANK_LINE]));
  }

  #take(buffer: Buffer, searchFrom: number): SseEvent[] {
    const events: SseEvent[] = [];
    let start = 0;
    for (;;) {
      while (buffer[start] === LF) start += 1;
      const end = buffer.indexOf(BLANK_LINE, Math.max(start, searchFrom));
      if (end === -1) break;
      events.push(this.#event(buffer.subarray(start, end + BLANK_LINE.length)));
      start = end + BLANK_LINE.length;
    }
    // Events are views of the store, so what is left of it moves to a new one.
    if (start > 0 || this.#held === 0) {
      const rest = buffer.subarray(start);
      this.#store = EMPTY;
      this.#held = 0;
      if (rest.length > 0) this.#hold(rest);
    }
    if (this.#held > this.maxEventBytes) throw malformedResponse();
    return events;
  }

  #hold(chunk: Buffer): void {
    const length = this.#held + chunk.length;
    if (length > this.#store.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(256, length, this.#store.length * 2));
      this.#store.copy(larger, 0, 0, this.#held);
      this.#store = larger;
    }
    chunk.copy(this.#store, this.#held);
    this.#held = length;
  }

  #event(block: Buffer): SseEvent {
    const raw = this.#isFirst ? stripByteOrderMark(block) : block;
    this.#isFirst = false;
    return parseSseEvent(raw);
  }
}
