import {
  type ClaimedRequest,
  type FailPayload,
  FRAME,
  type LeavePayload,
  type MeterReading,
  RequestAbort,
  type RequestAbortReason,
  type ResponseEnd,
  type ResponseHead,
} from '@gateway/contracts';
import { encodeFrame, encodeJsonFrame } from '../codec/frame-codec.js';
import type { FrameSocket } from '../frame-socket.js';

const DATA_FRAME_BYTES = 256 * 1024;
const MAX_BUFFERED_BYTES = 1024 * 1024;

/** A granted request whose body came from an edge, and whose response goes to its socket. */
export class RelayedRequest implements ClaimedRequest {
  private readonly controller = new AbortController();
  private readonly leaveController = new AbortController();
  private isPaused = false;
  private isDiscarding = false;
  private isOver = false;
  private readyAgain: PromiseWithResolvers<void> | undefined;

  constructor(
    readonly requestId: string,
    private body: Buffer | undefined,
    private readonly socket: FrameSocket,
    private readonly onFinished: () => void,
  ) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get left(): AbortSignal {
    return this.leaveController.signal;
  }

  takeBody(): Buffer {
    const { body } = this;
    if (body === undefined) throw new Error(`takeBody was called twice for ${this.requestId}`);
    this.body = undefined;
    return body;
  }

  head(head: ResponseHead): void {
    if (this.isActive) this.socket.send(encodeJsonFrame(FRAME.head, this.requestId, head));
  }

  data(bytes: Uint8Array): void {
    if (!this.isActive || this.isDiscarding) return;
    for (let offset = 0; offset < bytes.length; offset += DATA_FRAME_BYTES) {
      const part = bytes.subarray(offset, offset + DATA_FRAME_BYTES);
      this.socket.send(encodeFrame(FRAME.data, this.requestId, part));
    }
  }

  ready(): Promise<void> | undefined {
    if (!this.mustWait) return undefined;
    this.readyAgain ??= Promise.withResolvers<void>();
    return this.readyAgain.promise;
  }

  meter(reading: MeterReading): void {
    if (!this.isOver) this.socket.send(encodeJsonFrame(FRAME.meter, this.requestId, reading));
  }

  /** The edge keeps the response if its client asked for that. */
  keep(): undefined {
    return undefined;
  }

  end(end: ResponseEnd): undefined {
    if (this.finish()) this.socket.send(encodeJsonFrame(FRAME.end, this.requestId, end));
  }

  fail(failure: FailPayload): undefined {
    if (this.finish()) this.socket.send(encodeJsonFrame(FRAME.fail, this.requestId, failure));
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    this.wake();
  }

  /** No client sets the pace from now on. */
  leave({ wantsResponse }: LeavePayload): void {
    if (!this.isActive) return;
    this.isDiscarding = !wantsResponse;
    this.isPaused = false;
    this.leaveController.abort();
    this.wake();
  }

  abort(reason: RequestAbortReason): void {
    if (!this.isActive) return;
    this.controller.abort(new RequestAbort(reason));
    this.wake();
  }

  /** Resolves `ready` if the writer may continue. */
  wake(): void {
    if (this.readyAgain === undefined || this.mustWait) return;
    this.readyAgain.resolve();
    this.readyAgain = undefined;
  }

  private get isActive(): boolean {
    return !this.isOver && !this.controller.signal.aborted;
  }

  private get mustWait(): boolean {
    return this.isActive && !this.isDiscarding && (this.isPaused || this.socket.bufferedBytes > MAX_BUFFERED_BYTES);
  }

  private finish(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    this.onFinished();
    this.wake();
    return true;
  }
}
