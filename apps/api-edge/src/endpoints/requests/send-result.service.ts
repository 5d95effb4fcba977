import { Readable } from 'node:stream';
import { findModel, modelAt } from '@gateway/catalogue';
import { type DurableRequest, ENDPOINTS, type ErrorDialect, GatewayError, hasGoogleForm } from '@gateway/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { SentSoFar } from '../../errors/response-failed.js';
import { renderErrorEvent, sendError } from '../../errors/send-error.js';
import { OpenReads } from '../../files/open-reads.service.js';
import { warnOfEnd } from '../../http/request-context.js';
import { KeptRequests } from '../../keep-requests/kept-requests.service.js';
import { hasEnded } from './follow-request.service.js';

/** A response up to here is read at once. */
const MAX_READ_AT_ONCE_BYTES = 256 * 1024;

export const EVENT_STREAM = /^text\/event-stream/;

/** Sends the response of a kept request as its own endpoint would have: status, content type, bytes, or its error. */
@Injectable()
export class SendResult {
  constructor(
    private readonly requests: KeptRequests,
    private readonly reads: OpenReads,
  ) {}

  /** Throws 409 while the request runs, 404 if its bytes are gone, and 429 above the account's limit of readers. */
  async send(request: DurableRequest, reply: FastifyReply): Promise<void> {
    if (!hasEnded(request)) throw stillRunning();
    warnAsThen(request, reply);
    const { response, error } = request;
    const failure = error === null ? undefined : GatewayError.fromRecord(error);
    if (response === null) {
      sendError(failure ?? noResponse(), dialectOf(request), reply);
      return;
    }
    const body = await this.#bodyOf(request, response.bytes, reply);
    const isStream = EVENT_STREAM.test(response.headers['content-type'] ?? '');
    // The stream broke off: its client would have seen the same last event.
    const lastEvent = failure !== undefined && isStream ? renderErrorEvent(failure, brokenStreamOf(request)) : '';
    reply
      .code(response.status)
      .headers({ ...response.headers, 'content-length': response.bytes + Buffer.byteLength(lastEvent) })
      .send(lastEvent === '' ? body : followedBy(body, lastEvent));
  }

  async #bodyOf(request: DurableRequest, bytes: number, reply: FastifyReply): Promise<Buffer | Readable> {
    if (bytes <= MAX_READ_AT_ONCE_BYTES) return this.requests.read(request);
    this.reads.begin(reply, request.accountId);
    return this.requests.open(request);
  }
}

/** The response warns of its model's end if that of its own endpoint did. */
export function warnAsThen({ model, createdAtMs }: DurableRequest, reply: FastifyReply): void {
  const then = modelAt(model, createdAtMs);
  if (then !== undefined) warnOfEnd(reply.request, reply, then, createdAtMs);
}

function followedBy(body: Buffer | Readable, last: string): Buffer | Readable {
  const end = Buffer.from(last);
  if (Buffer.isBuffer(body)) return Buffer.concat([body, end]);
  const all = async function* () {
    yield* body;
    yield end;
  };
  // A client that left before it read anything never begins the generator, which would close it.
  return Readable.from(all(), { objectMode: false }).once('close', () => body.destroy());
}

/** Google's API has one form of errors, whatever the family of the model. */
function dialectOf({ model, endpoint }: DurableRequest): ErrorDialect {
  const { dialect } = ENDPOINTS[endpoint];
  return hasGoogleForm(dialect) ? dialect : (findModel(model)?.dialect ?? dialect);
}

/** For the event that ends a stream which broke off. `sent`: what its reader has got, if that is known. */
export const brokenStreamOf = (request: DurableRequest, sent?: SentSoFar) => ({
  dialect: dialectOf(request),
  requestId: request.requestId,
  model: request.model,
  sent,
});

const RETRY_AFTER_MS = 1_000;

const stillRunning = (): GatewayError =>
  new GatewayError('request_in_progress', 'The request is still running. Try again shortly.', {
    retryAfterMs: RETRY_AFTER_MS,
  });

const noResponse = (): GatewayError => new GatewayError('not_found', 'The request has no response.', { param: 'id' });
