import { timingSafeEqual } from 'node:crypto';
import type { CancelReason, FailPayload, MeterReading, ResponseEnd, ResponseHead } from '@gateway/contracts';
import type { BodySource } from './body-source.js';

/** What the edge does with the frames of one request. After `onEnd`, `onFail` or `onWorkerLost` nothing more comes. */
export interface PendingRequestHandlers {
  onGranted(workerId: string): void;
  onHead(head: ResponseHead): void;
  /** A view into the received message: copy it to keep it. */
  onData(chunk: Buffer): void;
  onEnd(end: ResponseEnd): void;
  onFail(failure: FailPayload): void;
  onMeter(reading: MeterReading): void;
  /** The worker that was granted the request is gone: nobody else will run it, and nobody else will settle it. */
  onWorkerLost(): void;
}

/** The edge's side of one request that waits for a worker, or is being answered by one. */
export interface PendingRequest {
  /** The worker that runs it, or null while nobody has claimed it. */
  readonly workerId: string | null;
  /** Asks the worker to send no more data; remembered if nobody has claimed the request yet. */
  pause(): void;
  resume(): void;
  /**
   * Tells the worker to stop. `onHead` and `onData` are not called any more; `onMeter` and the last handler still are, so that
   * who cancelled learns how it ended. False: no worker has it whole and none can get it now, so it never ran and no
   * handler is called any more.
   */
  cancel(reason: CancelReason): boolean;
  /** Forgets the request: no handler is called any more, and a claim is denied. */
  release(): void;
}

/** What a request asks of the socket of the worker that claimed it. */
export interface WorkerSide {
  readonly workerId: string;
  pause(requestId: string): void;
  resume(requestId: string): void;
  /** False if the worker had not been sent the whole body, so that it cannot have begun. */
  cancel(requestId: string, reason: CancelReason): boolean;
  forget(requestId: string): void;
}

export class WaitingRequest implements PendingRequest {
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
    private readonly forget: () => void,
  ) {}

  get workerId(): string | null {
    return this.worker?.workerId ?? null;
  }

  /** True while frames of the answer are wanted. */
  get isListening(): boolean {
    return !this.isCancelled && !this.isOver;
  }

  mayClaim(claimToken: string): boolean {
    const offered = Buffer.from(claimToken);
    const expected = Buffer.from(this.claimToken);
    return this.worker === null && offered.length === expected.length && timingSafeEqual(offered, expected);
  }

  isRunBy(worker: WorkerSide): boolean {
    return this.worker === worker;
  }

  /** To be called once the grant is sent: what was asked for before goes after it. */
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

  release(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.worker?.forget(this.requestId);
    this.forget();
  }
}
