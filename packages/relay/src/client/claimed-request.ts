import { type FailPayload, FRAME, type MeterReading, type ResponseEnd, type ResponseHead } from '@gateway/contracts';
import { encodeFrame, encodeJsonFrame } from '../codec/frame-codec.js';
import type { FrameSocket } from '../frame-socket.js';
import { RelayAbort, type RelayAbortReason } from './relay-abort.js';

const DATA_FRAME_BYTES = 256 * 1024;
const BUFFERED_BYTES_LIMIT = 1024 * 1024;

/**
 * A request that this worker alone may run. Nothing here throws or fails: if the edge is gone, what is written goes nowhere and
 * `signal` is aborted. After `end` or `fail` it is finished.
 */
export interface RequestStream {
  readonly requestId: string;
  /** The client's request body, once: it is not kept here, where it would live as long as the answer. */
  takeBody(): Buffer;
  /** Aborted with a RelayAbort when the edge cancels or is lost; never after `end` or `fail`. */
  readonly signal: AbortSignal;
  head(head: ResponseHead): void;
  data(bytes: Uint8Array): void;
  /**
   * Undefined: go on. Else a promise that is fulfilled once the client reads again and the socket has drained, or the
   * request was aborted. Await it before reading more from the upstream.
   */
  ready(): Promise<void> | undefined;
  meter(reading: MeterReading): void;
  end(end: ResponseEnd): void;
  fail(failure: FailPayload): void;
}

export class ClaimedRequest implements RequestStream {
  private readonly controller = new AbortController();
  private isPaused = false;
  private isOver = false;
  private whenReady: PromiseWithResolvers<void> | undefined;

  constructor(
    readonly requestId: string,
    private body: Buffer | undefined,
    private readonly socket: FrameSocket,
    private readonly forget: () => void,
  ) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  takeBody(): Buffer {
    const { body } = this;
    if (body === undefined) throw new Error(`the body of ${this.requestId} has been taken`);
    this.body = undefined;
    return body;
  }

  head(head: ResponseHead): void {
    if (this.isWanted) this.socket.send(encodeJsonFrame(FRAME.head, this.requestId, head));
  }

  data(bytes: Uint8Array): void {
    if (!this.isWanted) return;
    for (let offset = 0; offset < bytes.length; offset += DATA_FRAME_BYTES) {
      const part = bytes.subarray(offset, offset + DATA_FRAME_BYTES);
      this.socket.send(encodeFrame(FRAME.data, this.requestId, part));
    }
  }

  ready(): Promise<void> | undefined {
    if (!this.mustWait) return undefined;
    this.whenReady ??= Promise.withResolvers<void>();
    return this.whenReady.promise;
  }

  meter(reading: MeterReading): void {
    if (!this.isOver) this.socket.send(encodeJsonFrame(FRAME.meter, this.requestId, reading));
  }

  end(end: ResponseEnd): void {
    if (this.finish()) this.socket.send(encodeJsonFrame(FRAME.end, this.requestId, end));
  }

  fail(failure: FailPayload): void {
    if (this.finish()) this.socket.send(encodeJsonFrame(FRAME.fail, this.requestId, failure));
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    this.wake();
  }

  abort(reason: RelayAbortReason): void {
    if (!this.isWanted) return;
    this.controller.abort(new RelayAbort(reason));
    this.wake();
  }

  /** Lets a waiting writer go on if nothing holds it any more. */
  wake(): void {
    if (this.whenReady === undefined || this.mustWait) return;
    this.whenReady.resolve();
    this.whenReady = undefined;
  }

  private get isWanted(): boolean {
    return !this.isOver && !this.controller.signal.aborted;
  }

  private get mustWait(): boolean {
    return this.isWanted && (this.isPaused || this.socket.bufferedBytes > BUFFERED_BYTES_LIMIT);
  }

  private finish(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    this.forget();
    this.wake();
    return true;
  }
}
