import {
  type CancelReason,
  type FailPayload,
  GatewayError,
  hasOutput,
  type MeterReading,
  type ResponseEnd,
  type ResponseHead,
  type SettlementOutcome,
} from '@gateway/contracts';
import type { PendingRequest, PendingRequestHandlers } from '@gateway/relay';
import type { FastifyReply } from 'fastify';
import type { AnswerRecording } from '../answer-recording.js';
import type { AdmittedRequest } from '../edge-request.js';
import { ClientSide, type FailureTellers } from './client-side.js';
import { costComment } from './cost-comment.js';
import { noWorkerInTime, restarting, restartingMeanwhile, workerLost } from './failures.js';

/** What a running answer needs of the edge around it. */
export interface AnswerPorts extends FailureTellers {
  /** Settles a request that no worker will settle. Gives its cost in nano-USD. */
  readonly settle: (
    request: AdmittedRequest,
    outcome: SettlementOutcome,
    reading: MeterReading | undefined,
    code: string,
  ) => bigint;
  readonly withdraw: (request: AdmittedRequest) => void;
  readonly finished: (answer: RunningAnswer) => void;
}

export interface AnswerLimits {
  readonly acceptTimeoutMs: number;
  readonly slowClientTimeoutMs: number;
  readonly heartbeatMs: number;
}

/**
 * One admitted request from its ticket to the last byte on the client's socket: who has it in hand, and who settles it. A
 * worker that was granted the request does; before that, and when the worker is lost, this side does.
 */
export class RunningAnswer implements PendingRequestHandlers {
  readonly startedAtMs = Date.now();
  readonly #done = Promise.withResolvers<void>();
  readonly #client: ClientSide;
  readonly #unwatch: () => void;
  #waiting: PendingRequest | undefined;
  #isGranted = false;
  #isCancelled = false;
  #isFinished = false;
  #isWhole = false;
  #reading: MeterReading | undefined;

  constructor(
    readonly request: AdmittedRequest,
    reply: FastifyReply,
    private readonly ports: AnswerPorts,
    private readonly limits: AnswerLimits,
  ) {
    this.#client = new ClientSide(request, reply, ports);
    this.#unwatch = this.#client.watch(() => this.#onClientClosed());
  }

  /** Fulfilled once nothing more will come of it. */
  get done(): Promise<void> {
    return this.#done.promise;
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** Set once, right after the relay was told to expect the claim. */
  begin(waiting: PendingRequest): void {
    this.#waiting = waiting;
    // The client may have left while the request was being admitted: its close event has gone by.
    if (this.#client.hasLeft) this.#onClientClosed();
  }

  onGranted(): void {
    this.#isGranted = true;
  }

  onHead(head: ResponseHead): void {
    if (this.#isFinished || this.#isCancelled) return;
    this.request.recording?.head(head);
    this.#client.begin(head);
  }

  onData(chunk: Buffer): void {
    if (this.#waiting === undefined || this.#isFinished || this.#isCancelled) return;
    if (this.#client.hasBegun) this.#client.write(chunk, this.#waiting);
  }

  onMeter(reading: MeterReading): void {
    this.#reading = reading;
  }

  onEnd(end: ResponseEnd): void {
    if (this.#isFinished) return;
    const { recording, isStream, wantsCostComment } = this.request;
    const lastWords = isStream && wantsCostComment ? costComment(end) : undefined;
    const isSent = this.#client.hasBegun && !this.#isCancelled;
    if (isSent && recording !== undefined) void this.#endOnceKept(recording, lastWords);
    else {
      if (isSent) this.#client.end(lastWords);
      this.#close();
    }
  }

  onFail({ settled, ...error }: FailPayload): void {
    if (this.#isFinished) return;
    this.#close();
    this.#tellFailure(GatewayError.fromRecord(error), settled);
  }

  onWorkerLost(): void {
    if (this.#isFinished) return;
    const isPartial = this.#isCancelled || hasOutput(this.#reading?.units ?? {});
    const outcome: SettlementOutcome = this.#isCancelled ? 'aborted' : isPartial ? 'interrupted' : 'failed';
    const cost = this.ports.settle(this.request, outcome, isPartial ? this.#reading : undefined, 'worker_lost');
    this.#close();
    this.#tellFailure(workerLost(this.request), { costNanoUsd: cost.toString() });
  }

  /** No worker will ever claim it (or none did in time): settles with nothing charged and refuses. */
  giveUp(error: GatewayError, outcome: SettlementOutcome = 'failed'): void {
    if (this.#isFinished || this.#isGranted) return;
    this.#waiting?.release();
    this.ports.withdraw(this.request);
    this.ports.settle(this.request, outcome, undefined, error.code);
    this.#close();
    this.#tellFailure(error);
  }

  /** Called about once a second: time-outs and heartbeats without a timer for each request. */
  tick(nowMs: number): void {
    if (this.#isFinished || this.#isCancelled) return;
    const { acceptTimeoutMs, slowClientTimeoutMs, heartbeatMs } = this.limits;
    if (!this.#isGranted && nowMs - this.startedAtMs > acceptTimeoutMs) this.giveUp(noWorkerInTime());
    else if (this.#client.stalledMs(nowMs) > slowClientTimeoutMs) {
      this.#cancel('slow_client');
      this.#client.cut();
    } else this.#client.beat(nowMs, heartbeatMs);
  }

  /** A drain that ran out of time: the client is told, the worker stops. */
  cutForDrain(): void {
    if (this.#isFinished) return;
    if (!this.#isGranted) {
      this.giveUp(restarting());
      return;
    }
    // The worker settles what it has by then.
    this.#client.forgetCost();
    this.#tellFailure(restartingMeanwhile(this.request));
    if (this.request.outlivesClient === true) this.#close();
    else this.#cancel('edge_draining');
  }

  /** The answer is kept before its end goes out: a client that loses the last byte asks again and is given it. */
  async #endOnceKept(recording: AnswerRecording, lastWords: string | undefined): Promise<void> {
    this.#isFinished = true;
    this.#isWhole = true;
    this.#client.end(await recording.end(lastWords));
    this.#close();
  }

  #onClientClosed(): void {
    if (this.#isFinished || this.#isCancelled || this.#client.isServed) return;
    if (this.#isGranted && this.request.outlivesClient === true) this.#client.mute();
    else if (this.#isGranted) this.#cancel('client_closed');
    else this.giveUp(new GatewayError('client_closed_request', 'The client closed the request.'), 'aborted');
  }

  #cancel(reason: CancelReason): void {
    if (this.#isCancelled || this.#isFinished) return;
    this.#isCancelled = true;
    if (this.#waiting?.cancel(reason) !== false) return;
    // The worker had not been given the whole request: it never ran, and nobody else will settle it.
    this.ports.settle(this.request, 'aborted', undefined, 'client_closed_request');
    this.#close();
  }

  #tellFailure(error: GatewayError, settled?: ResponseEnd): void {
    if (!this.#isCancelled) this.#client.fail(error, settled);
  }

  /** Before the client is told of a failure, so that its next try finds its idempotency key free. */
  #close(): void {
    this.#isFinished = true;
    if (!this.#isWhole) void this.request.recording?.free();
    this.#unwatch();
    this.#waiting?.release();
    this.ports.finished(this);
    this.#done.resolve();
  }
}
