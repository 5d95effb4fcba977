import { RESPONSE_EVENTS, type ResponseHead, type StreamedObject, StreamedResponseReader } from '@gateway/contracts';
import type { ResponseRecording } from '../edge-request.js';
import { type ResponseObjectReader, WholeResponseReader } from './response-object-reader.js';

const EVENT_STREAM = 'text/event-stream';
const OK = 200;

/** Stores the response object. Never rejects: a failed store must not fail the response. */
export type StoreObject = (response: Buffer) => Promise<void>;

/**
 * Stores a response before its client sees its end: the client may continue it at once, from any edge.
 * It wraps the recording of an idempotency key, if there is one.
 */
export class KeptResponse implements ResponseRecording {
  readonly isActive = true;
  #reader: ResponseObjectReader | undefined;
  #heldBack: Buffer[] = [];
  #isComplete = false;

  constructor(
    private readonly store: StoreObject,
    private readonly inner: ResponseRecording | undefined,
    private readonly events: StreamedObject = RESPONSE_EVENTS,
  ) {}

  head(head: ResponseHead): void {
    this.inner?.head(head);
    if (head.status !== OK) return;
    const { 'content-type': type = '', 'content-length': length } = head.headers;
    this.#reader = type.startsWith(EVENT_STREAM)
      ? new StreamedResponseReader(this.events)
      : new WholeResponseReader(Number(length));
  }

  data(chunk: Buffer): Buffer | undefined {
    this.#isComplete ||= this.#reader?.add(chunk) ?? false;
    const sendable = this.inner === undefined ? chunk : this.inner.data(chunk);
    if (!this.#isComplete || sendable === undefined) return sendable;
    // The relay reuses the chunk's memory.
    this.#heldBack.push(Buffer.from(sendable));
    return undefined;
  }

  async end(trailer: string | undefined): Promise<Buffer> {
    const response = this.#reader?.response;
    if (response !== undefined) await this.store(response);
    const last = this.inner?.isActive === true ? await this.inner.end(trailer) : Buffer.from(trailer ?? '');
    return Buffer.concat([...this.#heldBack, last]);
  }

  /** Without its client the response is still stored. */
  leave(): boolean {
    this.inner?.leave();
    return true;
  }

  async release(): Promise<void> {
    this.#reader = undefined;
    await this.inner?.release();
  }
}
