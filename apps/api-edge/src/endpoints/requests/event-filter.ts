import { SentEvents } from '../../relay/sent-events.js';

const EMPTY = Buffer.alloc(0);
const EVENT_END = Buffer.from('\n\n');
const NUMBER = /"(?:sequence_number":\s?|event_id":\s?")(\d{1,12})/;
/** Enough for the name of an event, and for its type and number at the beginning of its data. */
const HEAD_BYTES = 512;

/** Passes the events of the Responses protocol, or of interactions, that follow a number, from bytes that may be cut anywhere. Only whole events pass. */
export class EventFilter {
  /** What has passed or was skipped: the end of a stream that breaks off is numbered after it. */
  readonly seen = new SentEvents();
  #rest: Buffer = EMPTY;
  #isPassing: boolean;

  /** `after`: the number of the last event that the client has; -1 for none. */
  constructor(private readonly after: number) {
    this.#isPassing = after < 0;
  }

  pass(bytes: Buffer): Buffer {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const last = all.lastIndexOf(EVENT_END);
    const end = last === -1 ? 0 : last + EVENT_END.length;
    this.#rest = all.subarray(end);
    const whole = all.subarray(0, end);
    if (end > 0) this.seen.add(whole);
    return this.#isPassing ? whole : this.#from(whole);
  }

  #from(events: Buffer): Buffer {
    for (let start = 0; start < events.length; start = events.indexOf(EVENT_END, start) + EVENT_END.length) {
      const [, number] = NUMBER.exec(events.toString('utf8', start, start + HEAD_BYTES)) ?? [];
      if (number === undefined || Number(number) <= this.after) continue;
      this.#isPassing = true;
      return events.subarray(start);
    }
    return EMPTY;
  }
}
