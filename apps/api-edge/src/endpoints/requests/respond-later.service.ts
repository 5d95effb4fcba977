import { type DurableRequest, isGatewayError } from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { ResponseRecording } from '../../edge-request.js';
import { OpenWaits } from '../../follow-tasks/open-waits.service.js';
import { callerOf } from '../../http/request-context.js';
import { AttachStream, type StreamPosition } from './attach-stream.service.js';
import { type ExpectedEnd, FollowRequest, hasEnded, requestRecord } from './follow-request.service.js';
import { SendResult } from './send-result.service.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** The beginning of a stream, for a reader that counts bytes, and for one that counts events. */
export const NO_BYTES: StreamPosition = { bytes: 0 };
export const NO_EVENT: StreamPosition = { sequenceNumber: -1 };

interface TakeOptions {
  readonly waitMs: number;
  /** Present for a client that reads the stream now. Aborts when it leaves. */
  readonly reading: AbortSignal | undefined;
}

interface LaterOptions extends TakeOptions {
  readonly recording: ResponseRecording | undefined;
  /** Present for a client that waits. */
  readonly expected?: ExpectedEnd | undefined;
}

interface QueuedOptions {
  /** The JSON of the queued response. */
  readonly response: string;
  /** As in `LaterOptions`. */
  readonly reading: AbortSignal | undefined;
  readonly recording: ResponseRecording | undefined;
}

/** Responds to an accepted request: with its stream, with its response if that is there in time, else with 202 and its record. */
@Injectable()
export class RespondLater {
  constructor(
    private readonly waits: OpenWaits,
    private readonly follow: FollowRequest,
    private readonly result: SendResult,
    private readonly stream: AttachStream,
  ) {}

  /** For a client that waits: call it before the request is queued. */
  expectEnd(request: Pick<DurableRequest, 'requestId'>): ExpectedEnd {
    return this.follow.expectEnd(request);
  }

  /**
   * `recording` gets the 202 in any case: a repeated idempotency key returns the record, which leads to the result. The request
   * runs and is charged, so its client gets the record also if its response cannot be read now.
   */
  async respond(
    accepted: DurableRequest,
    reply: FastifyReply,
    { waitMs, reading, recording, expected }: LaterOptions,
  ): Promise<void> {
    await record(recording, 202, JSON.stringify(requestRecord(accepted)));
    try {
      if (reading !== undefined) {
        reply.header('location', requestRecord(accepted).status_url);
        return await this.#read(accepted, reply, reading, NO_BYTES);
      }
      const request = waitMs === 0 ? accepted : await this.#wait(accepted, reply, waitMs, expected);
      if (!hasEnded(request)) return sendRecord(request, reply);
      reply.headers({ location: requestRecord(request).status_url, 'x-cost-usd': costOf(request) });
      await this.result.send(request, reply);
    } catch (error) {
      if (!isGatewayError(error) || reply.raw.headersSent) throw error;
      sendRecord(accepted, reply);
    }
  }

  /**
   * To a client that repeats the idempotency key of a kept request: its stream from the beginning, or its response if that is
   * there in time. `position`: what a reader counts. The head says what this repetition costs, which is nothing.
   */
  async respondAgain(
    request: DurableRequest,
    reply: FastifyReply,
    { waitMs, reading, position }: TakeOptions & { readonly position: StreamPosition },
  ): Promise<void> {
    reply.header('location', requestRecord(request).status_url);
    if (reading !== undefined) return this.#attach(request, reply, reading, position);
    const last = await this.#wait(request, reply, waitMs, undefined);
    return hasEnded(last) ? this.result.send(last, reply) : sendRecord(last, reply);
  }

  /** A response in the background begins as its queued object, or as its events. A repeated idempotency key returns the object. */
  async respondQueued(
    accepted: DurableRequest,
    reply: FastifyReply,
    { response, reading, recording }: QueuedOptions,
  ): Promise<void> {
    await record(recording, 200, response);
    if (reading !== undefined) return this.#read(accepted, reply, reading, NO_EVENT);
    reply.code(200).header('content-type', JSON_TYPE).send(response);
  }

  /** The stream of the request that created it is charged later: its head says nothing of the cost, as that of any other. */
  #read(request: DurableRequest, reply: FastifyReply, signal: AbortSignal, position: StreamPosition): Promise<void> {
    reply.removeHeader('x-cost-usd');
    return this.#attach(request, reply, signal, position);
  }

  #attach(request: DurableRequest, reply: FastifyReply, signal: AbortSignal, position: StreamPosition): Promise<void> {
    return this.stream.send({ request, key: callerOf(reply.request).key, reply, signal }, position);
  }

  /** Above the limit of waits it does not wait. */
  #wait(
    accepted: DurableRequest,
    reply: FastifyReply,
    waitMs: number,
    expected: ExpectedEnd | undefined,
  ): Promise<DurableRequest> {
    const { key } = callerOf(reply.request);
    return this.waits.runOrNow(reply, (signal) =>
      this.follow.untilEnded(key, accepted, AbortSignal.any([signal, AbortSignal.timeout(waitMs)]), expected),
    );
  }
}

function sendRecord(request: DurableRequest, reply: FastifyReply): void {
  const body = requestRecord(request);
  reply.code(202).headers({ location: body.status_url, 'x-held-usd': body.cost.held_usd }).send(body);
}

const costOf = ({ settlement }: DurableRequest): string => formatUsd(BigInt(settlement?.costNanoUsd ?? '0'));

async function record(recording: ResponseRecording | undefined, status: number, json: string): Promise<void> {
  if (recording === undefined) return;
  const body = Buffer.from(json);
  recording.head({ status, headers: { 'content-type': JSON_TYPE, 'content-length': String(body.length) } });
  recording.data(body);
  await recording.end(undefined);
}
