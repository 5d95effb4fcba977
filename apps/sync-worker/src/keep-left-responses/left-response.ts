import type {
  ClaimedRequest,
  FailPayload,
  MeterReading,
  ResponseEnd,
  ResponseEnding,
  ResponseHead,
} from '@gateway/contracts';
import { MAX_EARLIER_BYTES } from '@gateway/redis';

/** What a response that may lose client and edge needs of its worker. */
export interface LeftResponsePorts {
  /** False if the process keeps too many bytes already. */
  readonly reserve: (bytes: number) => boolean;
  readonly release: (bytes: number) => void;
  /** Stores a whole response. Never rejects. */
  readonly store: (head: ResponseHead, body: Buffer) => Promise<void>;
}

/**
 * A request of an edge whose response is completed without its client. The edge stores the response; if the edge has gone
 * too, this worker does, from its own copy of what it sent.
 */
export class LeftResponse implements ClaimedRequest {
  #head: ResponseHead | undefined;
  #sent: Buffer[] = [];
  #bytes = 0;
  /** Nothing is copied any more: the response is stored, over, or too long. */
  #isClosed = false;

  constructor(
    private readonly inner: ClaimedRequest,
    private readonly ports: LeftResponsePorts,
  ) {}

  get requestId(): string {
    return this.inner.requestId;
  }

  get signal(): AbortSignal {
    return this.inner.signal;
  }

  get left(): AbortSignal {
    return this.inner.left;
  }

  takeBody(): Buffer {
    return this.inner.takeBody();
  }

  head(head: ResponseHead): void {
    this.#head = head;
    this.inner.head(head);
  }

  data(bytes: Uint8Array): void {
    if (!this.#isClosed) this.#copy(bytes);
    this.inner.data(bytes);
  }

  ready(): Promise<void> | undefined {
    return this.inner.ready();
  }

  meter(reading: MeterReading): void {
    this.inner.meter(reading);
  }

  /** Stored before the settlement: what is charged can be fetched. */
  keep(ending: ResponseEnding): Promise<void> | undefined {
    const body = ending.whole?.body ?? (this.#isClosed ? undefined : Buffer.concat(this.#sent));
    const head = ending.whole?.head ?? this.#head;
    this.#close();
    const isOrphaned = this.left.aborted && this.signal.aborted && ending.failure === undefined;
    if (!isOrphaned || head === undefined || body === undefined) return this.inner.keep(ending);
    return this.ports.store(head, Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  }

  end(end: ResponseEnd): Promise<void> | undefined {
    this.#close();
    return this.inner.end(end);
  }

  fail(failure: FailPayload): Promise<void> | undefined {
    this.#close();
    return this.inner.fail(failure);
  }

  /** A reader may use its memory again. */
  #copy(bytes: Uint8Array): void {
    const isTooLong = !this.left.aborted && this.#bytes + bytes.length > MAX_EARLIER_BYTES;
    if (isTooLong || !this.ports.reserve(bytes.length)) {
      this.#close();
      return;
    }
    this.#bytes += bytes.length;
    this.#sent.push(Buffer.from(bytes));
  }

  #close(): void {
    this.#isClosed = true;
    this.ports.release(this.#bytes);
    this.#bytes = 0;
    this.#sent = [];
  }
}
