import { once } from 'node:events';
import { type DurableRequest, GatewayError, type KeyRecord } from '@gateway/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { renderErrorEvent } from '../../errors/send-error.js';
import { OpenWaits } from '../../follow-tasks/open-waits.service.js';
import { beginHeartbeat } from '../../http/begin-heartbeat.js';
import { callerOf } from '../../http/request-context.js';
import { KeptRequests } from '../../keep-requests/kept-requests.service.js';
import { beginEventStream, sendHeadOfStream } from '../../relay/begin-event-stream.js';
import { EDGE_CONFIG, type EdgeConfig } from '../../tokens.js';
import { EventFilter } from './event-filter.js';
import { FollowRequest, hasEnded } from './follow-request.service.js';
import { brokenStreamOf, EVENT_STREAM, SendResult, warnAsThen } from './send-result.service.js';
import { SharedReads } from './shared-reads.service.js';

/** Between two reads of the row of a stream that is silent: its end is also published. */
const ROW_EVERY_MS = 1_000;

/** What the reader has: so many bytes, or the events up to a number. -1: no event. */
export type StreamPosition = { readonly bytes: number } | { readonly sequenceNumber: number };

/** The request as it was read last. */
interface Row {
  request: DurableRequest;
  readAtMs: number;
}

/** A reader that has everything. */
interface Silent {
  readonly offset: number;
  readonly silentSinceMs: number;
}

export interface Reader {
  readonly request: DurableRequest;
  readonly key: KeyRecord;
  readonly reply: FastifyReply;
  /** Aborts when the client leaves or this process stops. */
  readonly signal: AbortSignal;
}

interface Attached extends Reader {
  /** Present for a reader of events. */
  readonly filter: EventFilter | undefined;
}

/**
 * Sends a kept stream from a position on: first what was missed, then what comes, at last what the store has. Every reader
 * gets the same bytes, from any edge. A reader that counts bytes gets no comments.
 */
@Injectable()
export class AttachStream {
  constructor(
    private readonly requests: KeptRequests,
    private readonly follow: FollowRequest,
    private readonly result: SendResult,
    private readonly waits: OpenWaits,
    private readonly reads: SharedReads,
    @Inject(EDGE_CONFIG) private readonly config: Pick<EdgeConfig, 'responseLimits'>,
  ) {}

  /** Throws 429 above the key's limit of waits. `key`: if not the caller's, one that sees the request. */
  async attach(
    request: DurableRequest,
    reply: FastifyReply,
    position: StreamPosition,
    key: KeyRecord = callerOf(reply.request).key,
  ): Promise<void> {
    if (sendHeadOfStream(reply)) return;
    await this.waits.run(reply, (signal) => this.send({ request, key, reply, signal }, position));
  }

  /** For a client that waits already. Sends the error of a request that ended before its stream began. */
  async send(reader: Reader, position: StreamPosition): Promise<void> {
    warnAsThen(reader.request, reader.reply);
    const isByEvents = 'sequenceNumber' in position;
    const attached = { ...reader, filter: isByEvents ? new EventFilter(position.sequenceNumber) : undefined };
    const heartbeat = isByEvents ? this.#beginEvents(reader.reply) : undefined;
    try {
      const { offset, ended } = await this.#sendLive(attached, isByEvents ? 0 : position.bytes);
      if (ended !== undefined) await this.#sendRest({ ...attached, request: ended }, offset);
    } catch (error) {
      breakOff(reader.reply);
      throw error;
    } finally {
      clearInterval(heartbeat);
    }
  }

  /** At once: the reader knows the response already, and every failure from here on is an event. */
  #beginEvents(reply: FastifyReply): NodeJS.Timeout {
    begin(reply);
    reply.raw.flushHeaders();
    return beginHeartbeat(reply.raw, this.config.responseLimits.heartbeatMs);
  }

  /** Undefined `ended`: the signal aborted. */
  async #sendLive(attached: Attached, after: number): Promise<{ offset: number; ended?: DurableRequest }> {
    const { request, reply, signal } = attached;
    const row = { request, readAtMs: 0 };
    let offset = after;
    let silentSinceMs = performance.now();
    let bytes = await this.reads.read(request.requestId, offset);
    while (!signal.aborted) {
      if (bytes.length > 0) {
        await this.#write(attached, bytes).catch(() => undefined);
        offset += bytes.length;
        silentSinceMs = performance.now();
        bytes = await this.reads.read(request.requestId, offset);
      } else if (await this.#hasEnded(row, attached)) return { offset, ended: row.request };
      else bytes = await this.#nextBytes(row, attached, { offset, silentSinceMs });
    }
    breakOff(reply);
    return { offset };
  }

  async #hasEnded(row: Row, { key }: Attached): Promise<boolean> {
    if (Date.now() - row.readAtMs >= ROW_EVERY_MS) {
      row.request = await this.follow.read(key, row.request);
      row.readAtMs = Date.now();
    }
    return hasEnded(row.request);
  }

  /** None: the row is due to be read, or the signal aborted. */
  async #nextBytes(row: Row, { signal }: Attached, { offset, silentSinceMs }: Silent): Promise<Buffer> {
    const over = new AbortController();
    const rowIsDue = AbortSignal.timeout(Math.max(0, row.readAtMs + ROW_EVERY_MS - Date.now()));
    const pause = AbortSignal.any([signal, rowIsDue, over.signal]);
    const changed = this.follow.nextChange(row.request, pause).then((isChanged) => {
      if (isChanged) row.readAtMs = 0;
      over.abort();
    });
    const bytes = await this.reads.next(row.request.requestId, offset, { sinceMs: silentSinceMs, signal: pause });
    over.abort();
    await changed;
    return bytes;
  }

  async #sendRest(attached: Attached, offset: number): Promise<void> {
    const { request, reply, filter } = attached;
    const { response, error } = request;
    if (response === null || !EVENT_STREAM.test(response.headers['content-type'] ?? '')) {
      if (!reply.raw.headersSent) return this.result.send(request, reply);
    } else {
      if (offset > response.bytes) throw beyondEnd(response.bytes);
      const body = await this.requests.open(request);
      for await (const bytes of fromByte(body, offset)) await this.#write(attached, bytes);
      begin(reply);
    }
    const failure = error === null ? undefined : GatewayError.fromRecord(error);
    reply.raw.end(failure && renderErrorEvent(failure, brokenStreamOf(request, filter?.seen)));
  }

  /** Resolves once the client reads on. Rejects if the signal aborts first, as it does for a client that does not. */
  async #write({ reply, signal, filter }: Attached, bytes: Buffer): Promise<void> {
    begin(reply);
    const sent = filter === undefined ? bytes : filter.pass(bytes);
    if (sent.length === 0 || reply.raw.write(sent)) return;
    const slow = setTimeout(() => reply.raw.destroy(), this.config.responseLimits.slowClientTimeoutMs);
    await once(reply.raw, 'drain', { signal }).finally(() => clearTimeout(slow));
  }
}

function begin(reply: FastifyReply): void {
  if (reply.raw.headersSent) return;
  beginEventStream(reply, reply.getHeaders() as Record<string, string>);
}

/** A stream that has begun has no place for an error. Its client reconnects and resumes. */
function breakOff(reply: FastifyReply): void {
  if (reply.raw.headersSent) reply.raw.destroy();
}

async function* fromByte(body: AsyncIterable<Buffer>, offset: number): AsyncGenerator<Buffer> {
  let left = offset;
  for await (const bytes of body) {
    if (bytes.length > left) yield bytes.subarray(left);
    left = Math.max(0, left - bytes.length);
  }
}

const beyondEnd = (bytes: number): GatewayError =>
  new GatewayError('invalid_request', `'after': expected at most ${bytes}, the length of the stream.`, {
    param: 'after',
  });
