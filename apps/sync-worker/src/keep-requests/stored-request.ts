import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Changes,
  type ClaimedRequest,
  type ErrorRecord,
  type FailPayload,
  GatewayError,
  MAX_SHORT_BYTES,
  mergeChanges,
  RequestAbort,
  RequestTakenOver,
  type ResponseEnd,
  type ResponseEnding,
  type ResponseHead,
  type StoredResponseHead,
  type SyncTicket,
  storedChangeHeaders,
} from '@gateway/contracts';
import type { RequestDecision } from '@gateway/postgres';

/** Memory limit of one response. A longer one fails, free. */
const MAX_RESPONSE_BYTES = 256 * 1024 * 1024;
/** Headers that a later reader needs, beside the changes. The cost is in the record; the length is that of the stored bytes. */
const STORED_HEADERS = ['content-type'];

const EVENT_STREAM = /^text\/event-stream/;
/** Readers see the bytes of a stream this late at most: each chunk alone would cost a round trip. */
const SHOWN_EVERY_MS = 50;
/** Readers get what is beyond it from the store, at the end. */
const MAX_SHOWN_BYTES = 1024 * 1024;

/** What a stored request needs of its worker. */
export interface StoredRequestPorts {
  /** From its claim to its deadline, by the clock of PostgreSQL. */
  readonly leftMs: number;
  /** Stores the response's bytes; tries again while the store is away. Rejects with `response_not_stored`. */
  readonly putResponse: (body: Buffer) => Promise<void>;
  /** Ends the request with its settlement, and emits its event. False: another worker has taken over. Tries again while PostgreSQL is away. */
  readonly end: (decision: RequestDecision) => Promise<boolean>;
  /** Gives the request to another worker. False: it has been given to too many. */
  readonly handBack: () => Promise<boolean>;
  /** Redis has settled the ended request. Without it, a sweep settles again. */
  readonly settled: () => void;
  /** Its claim must not be renewed any more. May be called again. */
  readonly onOver: () => void;
  /** Shows the stream's next bytes to its readers. Never rejects. */
  readonly show: (offset: number, bytes: Buffer) => Promise<Shown>;
}

/** `failed`: all of it must be shown again. `no_room`: readers get what is not shown yet from the store, at the end. */
export type Shown = 'shown' | 'failed' | 'no_room';

/** What is stored of a response. */
type StoredResponse = Pick<RequestDecision, 'response' | 'shortResponse'>;

/** A request whose body was kept, and whose response is kept. No client sets its pace. */
export class StoredRequest implements ClaimedRequest {
  /** Not shared: removed listeners of a signal refer to later ones. */
  readonly #leaving = new AbortController();
  readonly #controller = new AbortController();
  #body: Buffer | undefined;
  #head: ResponseHead | undefined;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #isOver = false;
  #shownBytes = 0;
  /** A reader may have got some of the stream. */
  #isSeen = false;
  #showing: Promise<void> | undefined;

  constructor(
    private readonly ticket: Pick<SyncTicket, 'requestId' | 'changes' | 'bodyIn' | 'abortContract'>,
    body: Buffer,
    private readonly ports: StoredRequestPorts,
  ) {
    this.#body = body;
  }

  get requestId(): string {
    return this.ticket.requestId;
  }

  get leftMs(): number {
    return this.ports.leftMs;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get left(): AbortSignal {
    return this.#leaving.signal;
  }

  takeBody(): Buffer {
    const body = this.#body;
    if (body === undefined) throw new Error(`takeBody was called twice for ${this.requestId}`);
    this.#body = undefined;
    return body;
  }

  head(head: ResponseHead): void {
    this.#head ??= head;
  }

  data(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    // A reader may use its memory again.
    if (this.#bytes > MAX_RESPONSE_BYTES) return;
    this.#chunks.push(Buffer.from(bytes));
    if (this.#isEventStream && this.#shownBytes < MAX_SHOWN_BYTES) this.#showing ??= this.#showSoon();
  }

  ready(): undefined {
    return undefined;
  }

  /** No other process settles by a reading: a run that is lost is run again, or is free. */
  meter(): void {}

  async keep(ending: ResponseEnding): Promise<void> {
    try {
      await this.#keep(ending);
    } catch (error) {
      // What interrupts a request is kept with its failure. After that, or without its claim, this run does nothing more.
      if (ending.failure !== undefined || error instanceof RequestTakenOver) this.ports.onOver();
      throw error;
    }
  }

  async end(end: ResponseEnd): Promise<void> {
    this.#finish(end);
  }

  async fail({ settled }: FailPayload): Promise<void> {
    this.#finish(settled);
  }

  /** The customer has cancelled the request, which has the contract of one whose client leaves. May be called again. */
  cancel(): void {
    if (this.#isOver) return;
    if (this.ticket.abortContract === 'completes') this.#leaving.abort();
    else this.#controller.abort(new RequestAbort('client_closed'));
  }

  /** Another worker has it: this run must stop, and changes nothing any more. */
  stop(): void {
    if (this.#isOver) return;
    this.ports.onOver();
    this.#controller.abort(new RequestTakenOver(this.requestId));
  }

  get #isEventStream(): boolean {
    return EVENT_STREAM.test(this.#head?.headers['content-type'] ?? '');
  }

  /** Shows what has come, until nothing new comes. After a failure all of it, because Redis may have lost what was shown. */
  async #showSoon(): Promise<void> {
    do {
      await sleep(SHOWN_EVERY_MS);
      const shown = this.#shownBytes;
      const all = Buffer.concat(this.#chunks);
      if (this.#isOver || all.length <= shown) break;
      // Also if the reply is lost.
      this.#isSeen = true;
      this.#shownBytes = nextShown(await this.ports.show(shown, all.subarray(shown)), all.length);
    } while (this.#shownBytes > 0 && this.#shownBytes < MAX_SHOWN_BYTES);
    this.#showing = undefined;
  }

  /** Stores the response, then the end with the settlement, or both at once: what is charged can be fetched. */
  async #keep({ settlement, whole, failure }: ResponseEnding): Promise<void> {
    // A stream that readers have seen cannot begin again.
    if (failure?.code === 'worker_lost' && !this.#isSeen && (await this.ports.handBack()))
      throw new RequestTakenOver(this.requestId);
    if (whole !== undefined) this.#replaceBy(whole.head, whole.body);
    const stored = await this.#store(failure);
    const error = failure ?? null;
    if (!(await this.ports.end({ settlement, ...stored, error }))) throw new RequestTakenOver(this.requestId);
  }

  #replaceBy(head: ResponseHead, body: Uint8Array): void {
    this.#head = head;
    this.#chunks = [body];
    this.#bytes = body.length;
  }

  /** Null: there is nothing of a response, or it could not be stored and costs nothing. A short one is stored with the end. */
  async #store(failure: ErrorRecord | undefined): Promise<StoredResponse> {
    if (this.#head === undefined || failure?.code === 'response_not_stored') return { response: null };
    if (this.#bytes > MAX_RESPONSE_BYTES) throw tooLong();
    const body = Buffer.concat(this.#chunks);
    // Stays until the end is committed: if that fails, the interruption stores it again.
    this.#chunks = [body];
    const response = this.#headOf(this.#head);
    if (this.ticket.bodyIn !== undefined && body.length <= MAX_SHORT_BYTES) return { response, shortResponse: body };
    await this.ports.putResponse(body);
    return { response };
  }

  #headOf({ status, headers, changes }: ResponseHead): StoredResponseHead {
    const stored = STORED_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]));
    return { status, headers: { ...Object.fromEntries(stored), ...this.#changeHeaders(changes) }, bytes: this.#bytes };
  }

  #changeHeaders(changes: Changes | undefined): Record<string, string> {
    return storedChangeHeaders(mergeChanges(this.ticket.changes, changes));
  }

  /** Without a balance, Redis has not confirmed the settlement: the sweep settles again. */
  #finish(settled: ResponseEnd | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.ports.onOver();
    if (settled?.balanceNanoUsd !== undefined) this.ports.settled();
  }
}

/** From where on the stream is still to be shown. */
function nextShown(shown: Shown, length: number): number {
  if (shown === 'no_room') return MAX_SHOWN_BYTES;
  return shown === 'shown' ? length : 0;
}

const tooLong = (): GatewayError =>
  new GatewayError('response_not_stored', `The response is longer than ${MAX_RESPONSE_BYTES} bytes. It costs nothing.`);
