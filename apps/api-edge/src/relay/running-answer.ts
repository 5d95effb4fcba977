import type { ServerResponse } from 'node:http';
import {
  type AnswerEnd,
  type AnswerHead,
  type CancelReason,
  type FailPayload,
  GatewayError,
  hasOutput,
  type MeterReading,
  type SettlementOutcome,
} from '@gateway/contracts';
import type { Waiting, WaitingHandlers } from '@gateway/relay';
import type { FastifyReply } from 'fastify';
import type { AnswerRecording } from '../answer-recording.js';
import type { AdmittedRequest } from '../edge-request.js';
import { standingHeaders } from '../request-context.js';
import { costHeaders, rateHeaders, STREAM_HEADERS } from './answer-headers.js';
import { costComment } from './cost-comment.js';
import { workerLost } from './worker-lost.js';

const HEARTBEAT = ': keep-alive\n\n';
const LINE_FEED = 10;

/** What a running answer needs of the edge around it. */
export interface AnswerPorts {
  /** Settles a request that no worker will settle. Gives its cost in nano-USD. */
  readonly settle: (
    request: AdmittedRequest,
    outcome: SettlementOutcome,
    reading: MeterReading | undefined,
    code: string,
  ) => bigint;
  readonly withdraw: (request: AdmittedRequest) => void;
  readonly refuse: (error: GatewayError, reply: FastifyReply) => void;
  /** The event that breaks off a stream which has begun. */
  readonly errorEvent: (error: GatewayError, reply: FastifyReply) => string;
  readonly finished: (answer: RunningAnswer) => void;
}

export interface AnswerLimits {
  readonly acceptTimeoutMs: number;
  readonly slowClientTimeoutMs: number;
  readonly heartbeatMs: number;
}

/**
 * One admitted request from its ticket to the last byte on the client's socket. A worker that was granted the request
 * settles it; before that, and when the worker is lost, this side does. Bytes are written as they arrive.
 */
export class RunningAnswer implements WaitingHandlers {
  readonly done: Promise<void>;
  #finish!: () => void;
  readonly #raw: ServerResponse;
  #waiting: Waiting | undefined;
  #isGranted = false;
  #isHeadSent = false;
  #isCancelled = false;
  #isFinished = false;
  #isWhole = false;
  /** Nothing goes to the socket: its client has left, or is to see what comes after this answer. */
  #isMute = false;
  #pausedAtMs: number | undefined;
  #lastWriteMs: number;
  #isBetweenEvents = false;
  #reading: MeterReading | undefined;
  readonly startedAtMs = Date.now();

  constructor(
    readonly request: AdmittedRequest,
    private readonly reply: FastifyReply,
    private readonly ports: AnswerPorts,
    private readonly limits: AnswerLimits,
  ) {
    this.done = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.#raw = reply.raw;
    this.#lastWriteMs = this.startedAtMs;
    this.#raw.on('close', this.#onClientClosed);
  }

  /** Set once, right after the relay was told to expect the claim. */
  begin(waiting: Waiting): void {
    this.#waiting = waiting;
    // The client may have left while the request was being admitted: its close event has gone by.
    if (this.#raw.destroyed) this.#onClientClosed();
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  onGranted(): void {
    this.#isGranted = true;
  }

  onHead(head: AnswerHead): void {
    if (this.#isFinished || this.#isCancelled) return;
    this.#isHeadSent = true;
    this.request.recording?.head(head);
    this.#isMute = this.#raw.destroyed || this.request.held?.holdsBack(head) === true;
    if (this.#isMute) return;
    this.reply.hijack();
    // Head, body and end of a short answer arrive in one tick: they leave in one write.
    this.#raw.cork();
    process.nextTick(() => this.#raw.uncork());
    this.#raw.writeHead(head.status, {
      ...standingHeaders(this.reply.request),
      ...rateHeaders(this.request.rate),
      ...(head.headers['content-length'] === undefined ? STREAM_HEADERS : {}),
      ...this.request.answerHeaders,
      ...head.headers,
    });
    if (this.request.isStream) this.#raw.flushHeaders();
    this.#lastWriteMs = Date.now();
  }

  onData(chunk: Buffer): void {
    if (!this.#isHeadSent || this.#isFinished || this.#isCancelled) return;
    this.#lastWriteMs = Date.now();
    this.#isBetweenEvents = chunk[chunk.length - 1] === LINE_FEED && chunk[chunk.length - 2] === LINE_FEED;
    const { recording } = this.request;
    const now = recording === undefined ? chunk : recording.data(chunk);
    if (now === undefined || this.#write(now) || this.#pausedAtMs !== undefined) return;
    this.#pausedAtMs = this.#lastWriteMs;
    this.#waiting?.pause();
    this.#raw.once('drain', () => {
      this.#pausedAtMs = undefined;
      this.#waiting?.resume();
    });
  }

  onMeter(reading: MeterReading): void {
    this.#reading = reading;
  }

  onEnd(end: AnswerEnd): void {
    if (this.#isFinished) return;
    const { recording, isStream, wantsCostComment } = this.request;
    const lastWords = isStream && wantsCostComment ? costComment(end) : undefined;
    const isSent = this.#isHeadSent && !this.#isCancelled;
    if (isSent && recording !== undefined) void this.#endOnceKept(recording, lastWords);
    else {
      if (isSent) this.#endWith(lastWords);
      this.#close();
    }
  }

  /** The answer is kept before its end goes out: a client that loses the last byte asks again and is given it. */
  async #endOnceKept(recording: AnswerRecording, lastWords: string | undefined): Promise<void> {
    this.#isFinished = true;
    this.#isWhole = true;
    this.#endWith(await recording.end(lastWords));
    this.#close();
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
    if (!this.#isGranted && nowMs - this.startedAtMs > this.limits.acceptTimeoutMs) {
      this.giveUp(
        new GatewayError('upstream_unavailable', 'No worker took the request in time, try again shortly.', {
          retryAfterMs: 1_000,
        }),
      );
    } else if (this.#pausedAtMs !== undefined && nowMs - this.#pausedAtMs > this.limits.slowClientTimeoutMs) {
      this.#cancel('slow_client');
      this.#raw.destroy();
    } else if (this.#mayBeat(nowMs)) {
      this.#raw.write(HEARTBEAT);
      this.#lastWriteMs = nowMs;
    }
  }

  /** A drain that ran out of time: the client is told, the worker stops. */
  cutForDrain(): void {
    if (this.#isFinished) return;
    if (!this.#isGranted) {
      this.giveUp(
        new GatewayError('service_unavailable', 'The server is restarting, try again.', { retryAfterMs: 1_000 }),
      );
      return;
    }
    // The worker settles what it has by then: nobody knows yet what it costs.
    this.reply.removeHeader('x-cost-usd');
    this.#tellFailure(
      new GatewayError('service_unavailable', 'The server is restarting, try again.', { retryAfterMs: 1_000 }),
    );
    if (this.request.outlivesClient === true) this.#close();
    else this.#cancel('edge_draining');
  }

  /** False if the socket takes no more for now. */
  #write(chunk: Buffer): boolean {
    if (!this.#isMute) return this.#raw.write(chunk);
    this.request.held?.take(chunk);
    return true;
  }

  #endWith(last: Buffer | string | undefined): void {
    if (!this.#isMute) this.#raw.end(last);
    else this.request.held?.end(last);
  }

  #mayBeat(nowMs: number): boolean {
    return (
      this.request.isStream &&
      this.#isHeadSent &&
      this.#isBetweenEvents &&
      this.#pausedAtMs === undefined &&
      nowMs - this.#lastWriteMs > this.limits.heartbeatMs
    );
  }

  readonly #onClientClosed = (): void => {
    if (this.#isFinished || this.#isCancelled || this.#raw.writableFinished) return;
    if (this.#isGranted && this.request.outlivesClient === true) this.#isMute = true;
    else if (this.#isGranted) this.#cancel('client_closed');
    else this.giveUp(new GatewayError('client_closed_request', 'The client closed the request.'), 'aborted');
  };

  #cancel(reason: CancelReason): void {
    if (this.#isCancelled || this.#isFinished) return;
    this.#isCancelled = true;
    if (this.#waiting?.cancel(reason) !== false) return;
    // The worker had not been given the whole request: it never ran, and nobody else will settle it.
    this.ports.settle(this.request, 'aborted', undefined, 'client_closed_request');
    this.#close();
  }

  /** `settled`: what it cost all the same, where that is not nothing or the balance is known. */
  #tellFailure(error: GatewayError, settled?: AnswerEnd): void {
    if (this.#isCancelled || this.#raw.destroyed) return;
    if (!this.#isHeadSent || this.#isMute) {
      if (settled !== undefined) this.reply.headers(costHeaders(settled));
      this.ports.refuse(error, this.reply);
    } else if (this.request.isStream) {
      this.#raw.end(`${this.#isBetweenEvents ? '' : '\n\n'}${this.ports.errorEvent(error, this.reply)}`);
    } else this.#raw.destroy();
  }

  /** Before the client is told of a failure, so that its next try finds its idempotency key free. */
  #close(): void {
    this.#isFinished = true;
    if (!this.#isWhole) void this.request.recording?.free();
    this.#raw.off('close', this.#onClientClosed);
    this.#waiting?.release();
    this.ports.finished(this);
    this.#finish();
  }
}
