import { ENDPOINTS, type ErrorDialect, type RequestId } from '@gateway/contracts';
import { continueTrace, type SpanHandle } from '@gateway/observability';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../edge-request.js';
import { allowCors } from './cors.js';

const callers = new WeakMap<FastifyRequest, Caller>();

/** The authentication hook sets the caller once, before the body is read. */
export const setCaller = (request: FastifyRequest, caller: Caller): void => {
  callers.set(request, caller);
};

/** Throws if the route was reached without authentication, which is a bug of ours. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (caller === undefined) throw new Error(`${request.url} was reached without authentication`);
  return caller;
}

export const requestIdOf = (request: FastifyRequest): RequestId => request.id as RequestId;

const dialectByPath = new Map<string, ErrorDialect>(
  Object.values(ENDPOINTS).map(({ path, dialect }) => [path, dialect]),
);
const dialects = new WeakMap<FastifyRequest, ErrorDialect>();

/** Overrides the endpoint's error dialect with the one of the model's family, if it has one. */
export const setDialect = (request: FastifyRequest, dialect: ErrorDialect | undefined): void => {
  if (dialect !== undefined) dialects.set(request, dialect);
};

/** The error dialect: the model family's, else the endpoint's, else the one that the client's headers suggest. */
export const dialectOf = (request: FastifyRequest): ErrorDialect =>
  dialects.get(request) ??
  dialectByPath.get(request.url.split('?', 1)[0] ?? '') ??
  (request.headers['anthropic-version'] === undefined ? 'a' : 'anthropic');

/** Headers of every response: the request id under each name that clients read, the test mark of the key, and CORS. */
export const commonHeaders = (request: FastifyRequest): Readonly<Record<string, string>> => ({
  'x-request-id': request.id,
  ...(dialectOf(request) === 'anthropic' && { 'request-id': request.id }),
  ...(callers.get(request)?.key.isTest === true && { 'x-gateway-test': 'true' }),
  ...allowCors(request),
});

const spans = new WeakMap<FastifyRequest, SpanHandle>();

export const setSpan = (request: FastifyRequest, span: SpanHandle): void => {
  spans.set(request, span);
};

/** Undefined if tracing is off. */
export const spanOf = (request: FastifyRequest): SpanHandle | undefined => spans.get(request);

const models = new WeakMap<FastifyRequest, string>();

export const setRequestedModel = (request: FastifyRequest, modelId: string): void => {
  models.set(request, modelId);
};

/** The public id of the request's model; undefined before it is resolved. */
export const requestedModelOf = (request: FastifyRequest): string | undefined => models.get(request);

/** The gateway's hop of the caller's trace. Undefined if neither the caller nor the gateway traces. */
export const traceparentOf = (request: FastifyRequest): string | undefined => {
  const { traceparent } = request.headers;
  const own = spans.get(request)?.traceparent;
  return own ?? (typeof traceparent === 'string' ? continueTrace(traceparent).traceparent : undefined);
};
