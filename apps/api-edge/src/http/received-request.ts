import type { FastifyRequest } from 'fastify';
import type { ValidRequest } from '../edge-request.js';
import { callerOf, requestIdOf, traceparentOf } from './request-context.js';

type ReceivedRequest = Pick<ValidRequest, 'requestId' | 'caller' | 'body' | 'includesCostComment' | 'traceparent'>;

/** Reads the fields that all endpoints share. */
export const receivedRequest = (http: FastifyRequest): ReceivedRequest => ({
  requestId: requestIdOf(http),
  caller: callerOf(http),
  body: http.body as Buffer,
  includesCostComment: http.headers['x-include-cost'] === 'true',
  traceparent: traceparentOf(http),
});
