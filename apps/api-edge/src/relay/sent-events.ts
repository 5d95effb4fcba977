/** Covers the head of the first event, before instructions and tools. */
const OPENING_BYTES = 512;

/** What the edge remembers of a stream of the Responses protocol, so that it can end one that breaks off. */
export class SentEvents {
  #opening = '';
  #last: Buffer | undefined;

  /** `chunk` holds whole events. */
  add(chunk: Buffer): void {
    if (this.#last === undefined) this.#opening = chunk.toString('utf8', 0, OPENING_BYTES);
    this.#last = chunk;
  }

  /** Unix seconds, if the response has its time at its head, as all have. */
  get createdAt(): number | undefined {
    const [, seconds] = /"created_at":\s?(\d{1,12})/.exec(this.#opening) ?? [];
    return seconds === undefined ? undefined : Number(seconds);
  }

  get lastSequenceNumber(): number {
    const found = [...(this.#last?.toString('utf8') ?? '').matchAll(/"sequence_number":\s?(\d{1,12})/g)].at(-1);
    return found === undefined ? -1 : Number(found[1]);
  }
}
