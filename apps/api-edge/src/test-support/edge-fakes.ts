import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { findModel } from '@gateway/catalogue';
import { type KeyRecord, NO_USAGE, type RequestId, type Usage } from '@gateway/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdmittedRequest, ValidRequest } from '../edge-request.js';
import { setCaller } from '../http/request-context.js';
import { keyOf } from './task-reader-in-memory.js';

export const REQUEST_ID = 'req_abcdefghijklmnopqrstuvwxyz' as RequestId;

/** A client's socket, as far as a response needs one. */
class FakeSocket extends EventEmitter {
  destroyed = false;
  writableFinished = false;
  chunkedEncoding = false;
  statusCode = 200;
  head: unknown;
  text = '';
  /** False makes every write report a full buffer. */
  hasRoom = true;

  cork(): void {}
  uncork(): void {}
  flushHeaders(): void {}
  setHeader(): void {}

  writeHead(status: number, headers: object): void {
    this.statusCode = status;
    this.head = { status, headers };
  }

  write(chunk: Buffer | string): boolean {
    if (this.destroyed) throw new Error('written to a client that has left');
    this.text += chunk.toString();
    return this.hasRoom;
  }

  end(last?: Buffer | string): void {
    this.text += last?.toString() ?? '';
    this.writableFinished = true;
  }

  destroy(): void {
    this.destroyed = true;
  }

  /** The client closes its connection. */
  leave(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

/** A Fastify reply that records its status, headers and body. */
export class FakeReply {
  readonly socket = new FakeSocket();
  readonly raw = this.socket as unknown as ServerResponse;
  readonly sentHeaders: Record<string, unknown> = {};
  readonly request: FastifyRequest;
  status = 200;
  body: unknown;

  constructor(requestHeaders: Record<string, string> = {}, key: KeyRecord = keyOf(), url = '/v1/chat/completions') {
    const raw = { complete: true };
    this.request = { id: REQUEST_ID, url, headers: requestHeaders, raw } as unknown as FastifyRequest;
    setCaller(this.request, { key });
  }

  hijack(): void {}

  code(status: number): this {
    this.status = status;
    this.socket.statusCode = status;
    return this;
  }

  header(name: string, value: unknown): this {
    this.sentHeaders[name] = value;
    return this;
  }

  headers(values: Record<string, unknown>): this {
    Object.assign(this.sentHeaders, values);
    return this;
  }

  hasHeader(name: string): boolean {
    return Object.hasOwn(this.sentHeaders, name);
  }

  removeHeader(name: string): this {
    delete this.sentHeaders[name];
    return this;
  }

  send(body: unknown): this {
    this.body = body;
    return this;
  }

  getHeaders(): Record<string, unknown> {
    return this.sentHeaders;
  }

  get asReply(): FastifyReply {
    return this as unknown as FastifyReply;
  }
}

function modelOf(id: string): AdmittedRequest['model'] {
  const model = findModel(id);
  if (model === undefined) throw new Error(`no model ${id}`);
  return model;
}

/** A chat request of `cl-sonnet-4-6`. */
export const validRequest = (fields: Partial<ValidRequest> = {}): ValidRequest => ({
  requestId: REQUEST_ID,
  caller: { key: keyOf() },
  endpoint: 'chat.completions',
  model: modelOf('cl-sonnet-4-6'),
  worstCase: NO_USAGE,
  body: Buffer.from('{}'),
  isStream: false,
  abortContract: 'stops',
  includesCostComment: false,
  traceparent: undefined,
  ...fields,
});

/** The same once admitted. Its price is 1 USD for a million input tokens and 2 USD for a million output tokens. */
export const admittedRequest = (fields: Partial<AdmittedRequest> = {}): AdmittedRequest => ({
  ...validRequest(),
  price: { version: 'v', perMillion: { input_token: '1', output_token: '2' } } as AdmittedRequest['price'],
  holdNanoUsd: 5n,
  rate: { limit: 0, remaining: 0, resetMs: 0 },
  admittedAtMs: 1,
  deadlineMs: 2,
  ...fields,
});

/** The submission of a video task, which outlives its client. */
export const admittedVideo = (fields: Partial<AdmittedRequest> = {}): AdmittedRequest =>
  admittedRequest({
    endpoint: 'videos.generations',
    model: modelOf('wn2.7-t2v'),
    outlivesClient: true,
    changes: { filled: { 'parameters.duration': '5' }, dropped: [] },
    ...fields,
  });

export const usage = (units: Usage['units'], isEstimated = false): Usage => ({
  units,
  inputTokensTotal: units.input_token ?? 0,
  isEstimated,
});
