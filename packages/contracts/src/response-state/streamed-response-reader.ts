import * as jsonBytes from '../json/json-bytes.js';

/** A larger response is not stored. */
export const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

const EVENT_END = Buffer.from('\n\n');
const DATA = /^data: ?/;
/** Enough for the name of an event, and for the type at the beginning of its data. */
const HEAD_BYTES = 160;

/** Where the events of a protocol have the whole object. */
export interface StreamedObject {
  /** Finds a final event by the beginning of its text. */
  readonly final: RegExp;
  readonly finalTypes: ReadonlySet<unknown>;
  /** The members of an event's data with its type and with the object. */
  readonly typeMember: string;
  readonly objectMember: string;
}

export const RESPONSE_EVENTS: StreamedObject = {
  final: /response\.(?:completed|incomplete|failed)\b/,
  finalTypes: new Set(['response.completed', 'response.incomplete', 'response.failed']),
  typeMember: 'type',
  objectMember: 'response',
};

export const INTERACTION_EVENTS: StreamedObject = {
  final: /interaction\.completed\b/,
  finalTypes: new Set(['interaction.completed']),
  typeMember: 'event_type',
  objectMember: 'interaction',
};

/** The last event of a stream has the object. Other events are skipped without a parse. */
export class StreamedResponseReader {
  #partial: Buffer[] = [];
  #partialBytes = 0;
  #response: Buffer | undefined;

  constructor(private readonly events: StreamedObject = RESPONSE_EVENTS) {}

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
    if (isWhole && this.events.final.test(event.toString('latin1', 0, HEAD_BYTES)))
      this.#response = objectOf(event, this.events) ?? this.#response;
  }
}

/** The whole object of an event. Undefined: the event is another one. */
function objectOf(event: Buffer, { finalTypes, typeMember, objectMember }: StreamedObject): Buffer | undefined {
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
  const type = sliceOf(typeMember)?.toString('utf8').slice(1, -1);
  return finalTypes.has(type) ? sliceOf(objectMember) : undefined;
}
