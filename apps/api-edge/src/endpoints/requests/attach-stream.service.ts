import { once } from 'node:events';
import { type DurableRequest, GatewayError } from '@gateway/contracts';
import type { LiveResponses } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { renderErrorEvent } from '../../errors/send-error.js';
import { OpenWaits } from '../../follow-tasks/open-waits.service.js';
import { callerOf } from '../../http/request-context.js';
import { KeptRequests } from '../../keep-requests/kept-requests.service.js';
import { beginEventStream } from '../../relay/begin-event-stream.js';
import { LIVE_RESPONSES } from '../../tokens.js';
import { FollowRequest, hasEnded } from './follow-request.service.js';
import { brokenStreamOf, EVENT_STREAM, SendResult } from './send-result.service.js';

/** Between two reads of a stream that is silent. */
const POLL_MS = 50;
/** Between two reads of the row meanwhile: its end is also published. */
const ROW_EVERY_MS = 1_000;

/** The request as it was read last. */
interface Row {
  request: DurableRequest;
  readAtMs: number;
}

interface Attached {
  readonly request: DurableRequest;
  readonly reply: FastifyReply;
  readonly signal: AbortSignal;
}

/**
 * Sends a kept stream from a byte on: first what was missed, then what comes, at last what the store has. Every reader gets the
 * same bytes, from any edge. It adds no comments, so that a client can count.
 */
@Injectable()
export class AttachStream {
  constructor(
    private readonly requests: KeptRequests,
    private readonly follow: FollowRequest,
    private readonly result: SendResult,
    private readonly waits: OpenWaits,
    @Inject(LIVE_RESPONSES) private readonly live: LiveResponses,
  ) {}

  /** `after`: the bytes that the client has. Sends the error of a request that ended before its stream began. */
  async attach(request: DurableRequest, reply: FastifyReply, after: number): Promise<void> {
    await this.waits.run(reply, async (signal) => {
      const attached = { request, reply, signal };
      const { offset, ended } = await this.#sendLive(attached, after);
      if (ended !== undefined) await this.#sendRest({ ...attached, request: ended }, offset);
    });
  }

  /** Undefined `ended`: the signal aborted. */
  async #sendLive(
    { request, reply, signal }: Attached,
    after: number,
  ): Promise<{ offset: number; ended?: DurableRequest }> {
    const row = { request, readAtMs: 0 };
    let offset = after;
    while (!signal.aborted) {
      const bytes = await this.live.read(request.requestId, offset).catch(() => Buffer.alloc(0));
      if (bytes.length > 0) {
        begin(reply);
        if (!reply.raw.write(bytes)) await once(reply.raw, 'drain', { signal }).catch(() => undefined);
        offset += bytes.length;
      } else if (await this.#hasEnded(row, reply, signal)) return { offset, ended: row.request };
    }
    // The client reconnects and resumes.
    if (reply.raw.headersSent) reply.raw.destroy();
    return { offset };
  }

  /** Waits for a moment if the stream goes on. */
  async #hasEnded(row: Row, reply: FastifyReply, signal: AbortSignal): Promise<boolean> {
    if (Date.now() - row.readAtMs >= ROW_EVERY_MS) {
      row.request = await this.follow.read(callerOf(reply.request).key, row.request);
      row.readAtMs = Date.now();
    }
    if (hasEnded(row.request)) return true;
    const pause = AbortSignal.any([signal, AbortSignal.timeout(POLL_MS)]);
    if (await this.follow.nextChange(row.request, pause)) row.readAtMs = 0;
    return false;
  }

  async #sendRest({ request, reply, signal }: Attached, offset: number): Promise<void> {
    const { response, error } = request;
    if (response === null || !EVENT_STREAM.test(response.headers['content-type'] ?? '')) {
      if (!reply.raw.headersSent) return this.result.send(request, reply);
    } else {
      if (offset > response.bytes) throw beyondEnd(response.bytes);
      const body = await this.requests.open(request);
      begin(reply);
      for await (const bytes of fromByte(body, offset)) {
        if (!reply.raw.write(bytes)) await once(reply.raw, 'drain', { signal });
      }
    }
    const failure = error === null ? undefined : GatewayError.fromRecord(error);
    reply.raw.end(failure && renderErrorEvent(failure, brokenStreamOf(request)));
  }
}

function begin(reply: FastifyReply): void {
  if (reply.raw.headersSent) return;
  beginEventStream(reply, reply.getHeaders() as Record<string, string>);
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
