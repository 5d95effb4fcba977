import { malformedResponse } from '../failures/malformed-response.js';
import { LineEndings } from './line-endings.js';
import { parseSseEvent, type SseEvent, stripByteOrderMark } from './sse-event.js';

const LF = 0x0a;
const BLANK_LINE = Buffer.from('\n\n');
const MAX_EVENT_BYTES = 4 * 1024 * 1024;
const EMPTY: Buffer = Buffer.alloc(0);

/**
 * Decodes server-sent events (html.spec.whatwg.org/multipage/server-sent-events.html) from chunks that are cut at any
 * byte. An event that arrives in one chunk is a view of it, not a copy. `eventsource-parser` would copy to strings.
 */
export class SseDecoder {
  readonly #lineEnds = new LineEndings();
  /** Start of an incomplete event, in a buffer that doubles when full. */
  #buffer = EMPTY;
  #length = 0;
  #isFirst = true;

  constructor(private readonly maxEventBytes = MAX_EVENT_BYTES) {}

  /** Returns the events that these bytes complete. Throws a GatewayError for an event above the limit. */
  push(bytes: Uint8Array): SseEvent[] {
    const chunk = this.#lineEnds.normalise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    if (this.#length === 0) return this.#decodeEvents(chunk, 0);
    const searchFrom = this.#length - 1;
    this.#append(chunk);
    return this.#decodeEvents(this.#buffer.subarray(0, this.#length), searchFrom);
  }

  /** Returns the last event if the stream ended without its blank line. It may be incomplete. */
  flush(): SseEvent | undefined {
    const remainder = this.#buffer.subarray(0, this.#length);
    this.#length = 0;
    this.#buffer = EMPTY;
    if (remainder.length === 0) return undefined;
    return this.#event(
      Buffer.concat([remainder, remainder[remainder.length - 1] === LF ? BLANK_LINE.subarray(1) : BLANK_LINE]),
    );
  }

  #decodeEvents(buffer: Buffer, searchFrom: number): SseEvent[] {
    const events: SseEvent[] = [];
    let start = 0;
    for (;;) {
      while (buffer[start] === LF) start += 1;
      const end = buffer.indexOf(BLANK_LINE, Math.max(start, searchFrom));
      if (end === -1) break;
      events.push(this.#event(buffer.subarray(start, end + BLANK_LINE.length)));
      start = end + BLANK_LINE.length;
    }
    // The returned events are views of the buffer, so the remainder moves to a new one.
    if (start > 0 || this.#length === 0) {
      const remainder = buffer.subarray(start);
      this.#buffer = EMPTY;
      this.#length = 0;
      if (remainder.length > 0) this.#append(remainder);
    }
    if (this.#length > this.maxEventBytes) throw malformedResponse();
    return events;
  }

  #append(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(256, length, this.#buffer.length * 2));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    chunk.copy(this.#buffer, this.#length);
    this.#length = length;
  }

  #event(block: Buffer): SseEvent {
    const raw = this.#isFirst ? stripByteOrderMark(block) : block;
    this.#isFirst = false;
    return parseSseEvent(raw);
  }
}
