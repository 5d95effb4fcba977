import type { ServerResponse } from 'node:http';
import type { GatewayError, ResponseEnd, ResponseHead } from '@gateway/contracts';
import type { PendingRequest } from '@gateway/relay';
import type { FastifyReply } from 'fastify';
import type { AdmittedRequest } from '../edge-request.js';
import { standingHeaders } from '../request-context.js';
import { costHeaders, rateHeaders, STREAM_HEADERS } from './answer-headers.js';

const HEARTBEAT = ': keep-alive\n\n';
const LINE_FEED = 10;

/** How failures are told, before an answer has begun and within a stream. */
export interface FailureTellers {
  readonly refuse: (error: GatewayError, reply: FastifyReply) => void;
  /** The event that breaks off a stream which has begun. */
  readonly errorEvent: (error: GatewayError, reply: FastifyReply) => string;
}

/** The client's end of one answer: its socket, or whoever takes the answer in its place. Bytes are written as they arrive. */
export class ClientSide {
  readonly #raw: ServerResponse;
  #hasBegun = false;
  /** Nothing goes to the socket: its client has left, or is to see what comes after this answer. */
  #isMute = false;
  #isBetweenEvents = false;
  #lastWriteMs = Date.now();
  #pausedAtMs: number | undefined;

  constructor(
    private readonly request: AdmittedRequest,
    private readonly reply: FastifyReply,
    private readonly tellers: FailureTellers,
  ) {
    this.#raw = reply.raw;
  }

  /** The head of the answer has come. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  get hasLeft(): boolean {
    return this.#raw.destroyed;
  }

  /** All of the answer has been handed to the system. */
  get isServed(): boolean {
    return this.#raw.writableFinished;
  }

  /** `onClosed` is called when the connection closes, also after the whole answer. Gives what takes that back. */
  watch(onClosed: () => void): () => void {
    this.#raw.on('close', onClosed);
    return () => this.#raw.off('close', onClosed);
  }

  /** From here on nothing is written to the socket. */
  mute(): void {
    this.#isMute = true;
  }

  begin(head: ResponseHead): void {
    this.#hasBegun = true;
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

  /** A client that does not read pauses `flow` until it does. */
  write(chunk: Buffer, flow: Pick<PendingRequest, 'pause' | 'resume'>): void {
    this.#lastWriteMs = Date.now();
    this.#isBetweenEvents = chunk[chunk.length - 1] === LINE_FEED && chunk[chunk.length - 2] === LINE_FEED;
    const { recording } = this.request;
    const now = recording === undefined ? chunk : recording.data(chunk);
    if (now === undefined || this.#send(now) || this.#pausedAtMs !== undefined) return;
    this.#pausedAtMs = this.#lastWriteMs;
    flow.pause();
    this.#raw.once('drain', () => {
      this.#pausedAtMs = undefined;
      flow.resume();
    });
  }

  end(last: Buffer | string | undefined): void {
    if (!this.#isMute) this.#raw.end(last);
    else this.request.held?.end(last);
  }

  /** Tells of a failure; `settled` is what the request cost all the same, where that is not nothing or the balance is known. */
  fail(error: GatewayError, settled?: ResponseEnd): void {
    if (this.#raw.destroyed) return;
    if (!this.#hasBegun || this.#isMute) {
      if (settled !== undefined) this.reply.headers(costHeaders(settled));
      this.tellers.refuse(error, this.reply);
    } else if (this.request.isStream) {
      this.#raw.end(`${this.#isBetweenEvents ? '' : '\n\n'}${this.tellers.errorEvent(error, this.reply)}`);
    } else this.#raw.destroy();
  }

  /** Takes back what was said of the cost: nobody knows it. */
  forgetCost(): void {
    this.reply.removeHeader('x-cost-usd');
  }

  cut(): void {
    this.#raw.destroy();
  }

  /** How long the client has read nothing of what waits for it; 0 if nothing does. */
  stalledMs(nowMs: number): number {
    return this.#pausedAtMs === undefined ? 0 : nowMs - this.#pausedAtMs;
  }

  /** Keeps a stream alive whose upstream has been silent for so long, where a comment may stand. */
  beat(nowMs: number, afterMs: number): void {
    if (!this.request.isStream || !this.#hasBegun || !this.#isBetweenEvents) return;
    if (this.#pausedAtMs !== undefined || nowMs - this.#lastWriteMs <= afterMs) return;
    this.#raw.write(HEARTBEAT);
    this.#lastWriteMs = nowMs;
  }

  /** False if the socket takes no more for now. */
  #send(chunk: Buffer): boolean {
    if (!this.#isMute) return this.#raw.write(chunk);
    this.request.held?.take(chunk);
    return true;
  }
}
