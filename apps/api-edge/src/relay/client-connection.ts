import type { ServerResponse } from 'node:http';
import {
  type Changes,
  changeHeaders,
  type GatewayError,
  mergeChanges,
  NO_CHANGES,
  type ResponseEnd,
  type ResponseHead,
} from '@gateway/contracts';
import type { PendingRequest } from '@gateway/relay';
import type { FastifyReply } from 'fastify';
import type { AdmittedRequest } from '../edge-request.js';
import { requestChanges } from '../http/request-changes.js';
import { commonHeaders } from '../http/request-context.js';
import { ChunkedBody } from './chunked-body.js';
import { costHeaders, rateHeaders, STREAM_HEADERS } from './response-headers.js';
import { SentEvents } from './sent-events.js';
import { heartbeatOf } from './stream-comments.js';

const LINE_FEED = 10;

/** Renders failures, before the response has begun and within a stream. */
export interface FailureWriters {
  readonly sendError: (error: GatewayError, reply: FastifyReply) => void;
  /** The event that ends a stream which has begun. */
  readonly renderErrorEvent: (error: GatewayError, reply: FastifyReply, sent: SentEvents | undefined) => string;
}

/** Writes one response to the client's socket, or to a `BufferedResponse` in its place. Bytes go out as they arrive. */
export class ClientConnection {
  readonly #raw: ServerResponse;
  /** Undefined before the head is written. */
  #body: ChunkedBody | undefined;
  readonly #sent: SentEvents | undefined;
  #hasBegun = false;
  /** The socket gets nothing: the client has left, or the response is buffered. */
  #isMuted = false;
  #isBetweenEvents = false;
  #lastWriteMs = Date.now();
  #pausedAtMs: number | undefined;

  constructor(
    private readonly request: AdmittedRequest,
    private readonly reply: FastifyReply,
    private readonly failures: FailureWriters,
  ) {
    this.#raw = reply.raw;
    this.#sent = request.isStream && request.endpoint === 'responses' ? new SentEvents() : undefined;
  }

  /** The worker has sent the head. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  get hasLeft(): boolean {
    return this.#raw.destroyed;
  }

  /** The operating system has accepted all bytes. */
  get isFlushed(): boolean {
    return this.#raw.writableFinished;
  }

  /** `listener` runs when the connection closes, also after a complete response. Returns a function that removes it. */
  onClose(listener: () => void): () => void {
    this.#raw.on('close', listener);
    return () => this.#raw.off('close', listener);
  }

  /** Stops all further writes to the socket. */
  mute(): void {
    this.#isMuted = true;
    this.#pausedAtMs = undefined;
  }

  /** `head.changes`: those of the edge and of the adapter. */
  begin(head: ResponseHead): void {
    this.#hasBegun = true;
    this.#isMuted = this.#raw.destroyed || this.request.buffered?.buffers(head) === true;
    if (this.#isMuted) return;
    this.reply.hijack();
    // Head, body and end of a short response arrive in one tick: one write sends them together.
    this.#raw.cork();
    process.nextTick(() => this.#raw.uncork());
    this.#raw.writeHead(head.status, {
      ...commonHeaders(this.reply.request),
      ...rateHeaders(this.request.rate),
      ...(head.headers['content-length'] === undefined ? STREAM_HEADERS : {}),
      ...head.headers,
      ...changeHeaders(head.changes ?? NO_CHANGES),
    });
    this.#body = new ChunkedBody(this.#raw);
    if (this.request.isStream) this.#raw.flushHeaders();
    this.#lastWriteMs = Date.now();
  }

  /** Pauses `flow` while the client does not read. */
  write(chunk: Buffer, flow: Pick<PendingRequest, 'pause' | 'resume'>): void {
    this.#lastWriteMs = Date.now();
    this.#sent?.add(chunk);
    this.#isBetweenEvents = chunk[chunk.length - 1] === LINE_FEED && chunk[chunk.length - 2] === LINE_FEED;
    const { recording } = this.request;
    const sendable = recording === undefined ? chunk : recording.data(chunk);
    if (sendable === undefined || this.#send(sendable) || this.#pausedAtMs !== undefined) return;
    this.#pausedAtMs = this.#lastWriteMs;
    flow.pause();
    this.#raw.once('drain', () => {
      this.#pausedAtMs = undefined;
      flow.resume();
    });
  }

  end(last: Buffer | string | undefined): void {
    if (!this.#isMuted) this.#body?.end(last);
    else this.request.buffered?.end(last);
  }

  /** Reports what the adapter changed in a request that failed before its response began. */
  report(changes: Changes | undefined): void {
    if (changes === undefined || this.#raw.destroyed || this.#hasBegun) return;
    this.reply.headers(changeHeaders(mergeChanges(requestChanges(this.request), changes)));
  }

  /** Sends a failure in the client's dialect. `settled`: what the request cost, if that is known. */
  fail(error: GatewayError, settled?: ResponseEnd): void {
    if (this.#raw.destroyed) return;
    if (!this.#hasBegun || this.#isMuted) {
      if (settled !== undefined) this.reply.headers(costHeaders(settled));
      this.failures.sendError(error, this.reply);
    } else if (this.request.isStream) {
      const event = this.failures.renderErrorEvent(error, this.reply, this.#sent);
      this.#body?.end(`${this.#isBetweenEvents ? '' : '\n\n'}${event}`);
    } else this.#raw.destroy();
  }

  /** For a response whose cost is not known yet. */
  removeCostHeader(): void {
    this.reply.removeHeader('x-cost-usd');
  }

  /** Resets the connection, so that the client cannot mistake a partial response for a complete one. */
  destroy(): void {
    this.#raw.destroy();
  }

  /** Time since the client stopped reading; 0 if it reads. */
  stalledMs(nowMs: number): number {
    return this.#pausedAtMs === undefined ? 0 : nowMs - this.#pausedAtMs;
  }

  /** Sends a heartbeat on a stream that has been silent for `afterMs`, between two events only. */
  sendHeartbeat(nowMs: number, afterMs: number): void {
    if (!this.request.isStream || !this.#hasBegun || !this.#isBetweenEvents) return;
    if (this.#pausedAtMs !== undefined || nowMs - this.#lastWriteMs <= afterMs) return;
    this.#body?.write(heartbeatOf(this.request));
    this.#lastWriteMs = nowMs;
  }

  /** False if the socket's buffer is full. */
  #send(chunk: Buffer): boolean {
    if (!this.#isMuted) return this.#body?.write(chunk) ?? true;
    this.request.buffered?.write(chunk);
    return true;
  }
}
