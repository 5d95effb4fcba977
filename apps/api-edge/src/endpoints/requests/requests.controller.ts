import { Describe } from '@gateway/api-description';
import { type DurableRequestRecord, GatewayError } from '@gateway/contracts';
import { Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OpenWaits } from '../../follow-tasks/open-waits.service.js';
import { callerOf } from '../../http/request-context.js';
import { LeftResponses } from '../../idempotency/left-responses.service.js';
import { replay } from '../../idempotency/replay.js';
import { KeptRequests } from '../../keep-requests/kept-requests.service.js';
import { beginEventStream, sendHeadOfStream } from '../../relay/begin-event-stream.js';
import { zeroCostHeaders } from '../../relay/response-headers.js';
import { REQUESTS } from '../descriptions/requests.js';
import { AttachStream } from './attach-stream.service.js';
import { FollowRequest, hasEnded, requestRecord } from './follow-request.service.js';
import { SendResult } from './send-result.service.js';

/** Reads, follows and cancels requests whose result is kept. Runs nothing: no lease, no rate limit. */
@Controller('v1/requests')
export class RequestsController {
  constructor(
    private readonly requests: KeptRequests,
    private readonly follow: FollowRequest,
    private readonly result: SendResult,
    private readonly left: LeftResponses,
    private readonly waits: OpenWaits,
    private readonly stream: AttachStream,
  ) {}

  @Describe(REQUESTS.get)
  @Get(':id')
  async get(@Req() http: FastifyRequest, @Param('id') id: string): Promise<DurableRequestRecord> {
    return requestRecord(await this.requests.find(callerOf(http).key, id));
  }

  /** Also deletes the files that it made. Its receipt stays. */
  @Describe(REQUESTS.remove)
  @Delete(':id')
  async delete(@Req() http: FastifyRequest, @Param('id') id: string) {
    await this.requests.delete(callerOf(http).key, id);
    return { id, object: 'request', deleted: true };
  }

  /** The very response. Also that of a request whose client left before it was complete, or that had an idempotency key. */
  @Describe(REQUESTS.result)
  @Get(':id/result')
  async getResult(@Req() http: FastifyRequest, @Res() reply: FastifyReply, @Param('id') id: string): Promise<void> {
    const { key } = callerOf(http);
    const request = await this.requests.findAny(key, id);
    if (request !== undefined) return this.result.send(request, reply);
    const found = await this.left.read(key, id);
    await replay(found, reply.headers(zeroCostHeaders(found.balanceNanoUsd)));
  }

  /** The stream from a byte on: `after`, or `Last-Event-ID`, is the number of bytes that the client has. */
  @Describe(REQUESTS.stream)
  @Get(':id/stream')
  async getStream(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
    @Query('after') after?: string,
  ): Promise<void> {
    const request = await this.requests.find(callerOf(http).key, id);
    await this.stream.attach(request, reply, { bytes: bytesIn(after ?? http.headers['last-event-id']) });
  }

  /** Returns the request with the outcome. A response that the vendor has begun and bills may still complete. */
  @Describe(REQUESTS.cancel)
  @Post(':id/cancel')
  @HttpCode(200)
  async cancel(@Req() http: FastifyRequest, @Res() reply: FastifyReply, @Param('id') id: string): Promise<void> {
    const { key } = callerOf(http);
    const request = await this.waits.runOrNow(reply, async (signal) => {
      const asked = await this.requests.requestCancel(key, id);
      return this.follow.untilCancelled(key, asked, signal);
    });
    reply.code(200).send(requestRecord(request));
  }

  /** Its states as server-sent events, until it has ended. 204 after the last one: only this status stops an `EventSource`. */
  @Describe(REQUESTS.events)
  @Get(':id/events')
  async events(@Req() http: FastifyRequest, @Res() reply: FastifyReply, @Param('id') id: string): Promise<void> {
    const { key } = callerOf(http);
    const request = await this.requests.find(key, id);
    const seenVersion = Number(http.headers['last-event-id']) || 0;
    if (hasEnded(request) && seenVersion >= request.version) {
      reply.code(204).send();
      return;
    }
    if (sendHeadOfStream(reply)) return;
    await this.waits.run(reply, async (signal) => {
      beginEventStream(reply);
      reply.raw.flushHeaders();
      // Its client reconnects and resumes.
      await this.follow
        .writeEvents(key, request, { response: reply.raw, signal, seenVersion })
        .catch((error: unknown) => {
          if (!signal.aborted) throw error;
        })
        .finally(() => reply.raw.end());
    });
  }
}

function bytesIn(after: string | string[] | undefined): number {
  if (after === undefined || after === '') return 0;
  if (typeof after === 'string' && /^\d{1,12}$/.test(after)) return Number(after);
  throw new GatewayError('invalid_request', "'after': expected the number of bytes that you have.", { param: 'after' });
}
