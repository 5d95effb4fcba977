import {
  type ClaimedRequest,
  type ErrorRecord,
  type FailPayload,
  GatewayError,
  RequestAbort,
  RequestTakenOver,
  type ResponseEnd,
  type ResponseEnding,
  type ResponseHead,
  type StoredResponseHead,
} from '@gateway/contracts';
import type { RequestDecision } from '@gateway/postgres';

/** Memory limit of one response. A longer one fails, free. */
const MAX_RESPONSE_BYTES = 256 * 1024 * 1024;
/** Headers that a later reader needs. The cost is in the record; the length is that of the stored bytes. */
const STORED_HEADERS = ['content-type'];

const NEVER = new AbortController().signal;

/** What a stored request needs of its worker. */
export interface StoredRequestPorts {
  /** Stores the response's bytes; tries again while the store is away. Rejects with `response_not_stored`. */
  readonly putResponse: (body: Buffer) => Promise<void>;
  /** False: another worker has taken over. Tries again while PostgreSQL is away. */
  readonly decide: (decision: RequestDecision) => Promise<boolean>;
  /** Gives the request to another worker. False: it has been given to too many. */
  readonly handBack: () => Promise<boolean>;
  /** Ends the request, and emits its event. Never rejects: a sweep ends it otherwise. */
  readonly finish: () => Promise<void>;
  readonly onOver: () => void;
}

/** A request whose body came from the store, and whose response goes there. No client sets its pace. */
export class StoredRequest implements ClaimedRequest {
  readonly left = NEVER;
  readonly #controller = new AbortController();
  #body: Buffer | undefined;
  #head: ResponseHead | undefined;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #isOver = false;

  constructor(
    readonly requestId: string,
    body: Buffer,
    private readonly ports: StoredRequestPorts,
  ) {
    this.#body = body;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
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
    if (this.#bytes <= MAX_RESPONSE_BYTES) this.#chunks.push(Buffer.from(bytes));
  }

  ready(): undefined {
    return undefined;
  }

  /** No other process settles by a reading: a run that is lost is run again, or is free. */
  meter(): void {}

  /** Stores the response and the settlement, in this order: what is charged can be fetched. */
  async keep({ settlement, whole, failure }: ResponseEnding): Promise<void> {
    if (failure?.code === 'worker_lost' && (await this.ports.handBack())) throw new RequestTakenOver(this.requestId);
    if (whole !== undefined) this.#replaceBy(whole.head, whole.body);
    const response = await this.#store(failure);
    const error = failure ?? null;
    if (!(await this.ports.decide({ settlement, response, error }))) throw new RequestTakenOver(this.requestId);
  }

  end(end: ResponseEnd): Promise<void> {
    return this.#finish(end);
  }

  fail({ settled }: FailPayload): Promise<void> {
    return this.#finish(settled);
  }

  /** The customer has cancelled the request. */
  cancel(): void {
    if (!this.#isOver) this.#controller.abort(new RequestAbort('client_closed'));
  }

  /** Another worker has it: this run must stop, and changes nothing any more. */
  stop(): void {
    if (!this.#isOver) this.#controller.abort(new RequestTakenOver(this.requestId));
  }

  #replaceBy(head: ResponseHead, body: Uint8Array): void {
    this.#head = head;
    this.#chunks = [body];
    this.#bytes = body.length;
  }

  /** Null: there is nothing of a response, or it could not be stored and costs nothing. */
  async #store(failure: ErrorRecord | undefined): Promise<StoredResponseHead | null> {
    if (this.#head === undefined || failure?.code === 'response_not_stored') return null;
    if (this.#bytes > MAX_RESPONSE_BYTES) throw tooLong();
    const { status, headers } = this.#head;
    await this.ports.putResponse(Buffer.concat(this.#chunks));
    this.#chunks = [];
    const stored = STORED_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]));
    return { status, headers: Object.fromEntries(stored), bytes: this.#bytes };
  }

  /** Without a balance, Redis has not confirmed the settlement: the sweep settles again, and ends the request then. */
  async #finish(settled: ResponseEnd | undefined): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.ports.onOver();
    if (settled?.balanceNanoUsd !== undefined) await this.ports.finish();
  }
}

const tooLong = (): GatewayError =>
  new GatewayError('response_not_stored', `The response is longer than ${MAX_RESPONSE_BYTES} bytes. It costs nothing.`);
