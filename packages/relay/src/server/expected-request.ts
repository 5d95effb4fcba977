import { timingSafeEqual } from 'node:crypto';
import type { CancelReason, FailPayload, MeterReading, ResponseEnd, ResponseHead } from '@gateway/contracts';
import type { BodySource } from './body-source.js';

/** Receives the frames of one request. One of `onEnd`, `onFail` and `onWorkerLost` is the last call. */
export interface PendingRequestHandlers {
  onGranted(workerId: string): void;
  onHead(head: ResponseHead): void;
  /** A view into the received message: copy it to retain it. */
  onData(chunk: Buffer): void;
  onEnd(end: ResponseEnd): void;
  onFail(failure: FailPayload): void;
  onMeter(reading: MeterReading): void;
  /** The granted worker is lost. No other worker runs the request, so the edge settles it. */
  onWorkerLost(): void;
}

/** The edge's side of one request, before and after a worker claims it. */
export interface PendingRequest {
  /** Makes the worker send no more data. Before a claim, it applies from the grant on. */
  pause(): void;
  resume(): void;
  /**
   * Cancels the request. True: a worker may have run it. `onHead` and `onData` stop; `onMeter` and the last handler still
   * report the outcome. False: no worker received the complete body, so it never ran. No handler is called after that.
   */
  cancel(reason: CancelReason): boolean;
  /**
   * The client has left, and the request completes without it: every handler is still called. False: no worker received
   * the complete body, so it never ran. Cancel it then.
   */
  leave(wantsResponse: boolean): boolean;
  /** Removes the request: no handler is called any more, and claims are denied. */
  release(): void;
}

/** The operations of a request on its worker's socket. */
export interface WorkerSide {
  pause(requestId: string): void;
  resume(requestId: string): void;
  /** False if the worker did not receive the complete body: it cannot have started. */
  cancel(requestId: string, reason: CancelReason): boolean;
  /** False if the worker did not receive the complete body. */
  leave(requestId: string, wantsResponse: boolean): boolean;
  forget(requestId: string): void;
}

export class ExpectedRequest implements PendingRequest {
  private worker: WorkerSide | null = null;
  private isPaused = false;
  private isCancelled = false;
  private isOver = false;
  private hasRun = false;

  constructor(
    readonly requestId: string,
    private readonly claimToken: string,
    readonly handlers: PendingRequestHandlers,
    readonly body: BodySource,
    private readonly onReleased: () => void,
  ) {}

  /** True while the edge handles the response's frames. */
  get isListening(): boolean {
    return !this.isCancelled && !this.isOver;
  }

  mayClaim(claimToken: string): boolean {
    const offered = Buffer.from(claimToken);
    const expected = Buffer.from(this.claimToken);
    return this.worker === null && offered.length === expected.length && timingSafeEqual(offered, expected);
  }

  /** Call it after the grant is sent: an earlier `pause` must follow the grant. */
  grantTo(worker: WorkerSide): void {
    this.worker = worker;
    if (this.isPaused) worker.pause(this.requestId);
  }

  pause(): void {
    if (this.isPaused || !this.isListening) return;
    this.isPaused = true;
    this.worker?.pause(this.requestId);
  }

  resume(): void {
    if (!this.isPaused || !this.isListening) return;
    this.isPaused = false;
    this.worker?.resume(this.requestId);
  }

  cancel(reason: CancelReason): boolean {
    if (!this.isListening) return this.hasRun;
    this.isCancelled = true;
    this.hasRun = this.worker?.cancel(this.requestId, reason) ?? false;
    if (!this.hasRun) this.release();
    return this.hasRun;
  }

  leave(wantsResponse: boolean): boolean {
    if (!this.isListening) return false;
    this.isPaused = false;
    return this.worker?.leave(this.requestId, wantsResponse) ?? false;
  }

  release(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.worker?.forget(this.requestId);
    this.onReleased();
  }
}
