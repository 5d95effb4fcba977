import type { FastifyRequest } from 'fastify';
import type { ValidRequest } from './edge-request.js';
import { callerOf, requestIdOf, traceparentOf } from './request-context.js';

type Received = Pick<ValidRequest, 'requestId' | 'caller' | 'body' | 'wantsCostComment' | 'traceparent'>;

/** What every request brings along, whatever it asks for. */
export const receivedRequest = (http: FastifyRequest): Received => ({
  requestId: requestIdOf(http),
  caller: callerOf(http),
  body: http.body as Buffer,
  wantsCostComment: http.headers['x-include-cost'] === 'true',
  traceparent: traceparentOf(http),
});
