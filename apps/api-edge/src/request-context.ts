import { ENDPOINTS, type ErrorDialect, type RequestId } from '@gateway/contracts';
import { continueTrace, type SpanHandle } from '@gateway/observability';
import type { FastifyRequest } from 'fastify';
import type { Caller } from './edge-request.js';
import { pageHeaders } from './open-to-pages.js';

const callers = new WeakMap<FastifyRequest, Caller>();

/** Set once by the hook that authenticates, before the body is read. */
export const setCaller = (request: FastifyRequest, caller: Caller): void => {
  callers.set(request, caller);
};

/** Throws if a route was reached without authentication: a mistake of ours, never an answer. */
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

/** The model is known: its family may spell errors in its own way. */
export const setDialect = (request: FastifyRequest, dialect: ErrorDialect | undefined): void => {
  if (dialect !== undefined) dialects.set(request, dialect);
};

/** How errors of this request are spelled: as the model's family does, else as the endpoint does, else as its client reads. */
export const dialectOf = (request: FastifyRequest): ErrorDialect =>
  dialects.get(request) ??
  dialectByPath.get(request.url.split('?', 1)[0] ?? '') ??
  (request.headers['anthropic-version'] === undefined ? 'a' : 'anthropic');

/**
 * On every answer: the id of the request under each name by which its client may look for it, that a test key asked, and
 * that a page may read it.
 */
export const standingHeaders = (request: FastifyRequest): Readonly<Record<string, string>> => ({
  'x-request-id': request.id,
  ...(dialectOf(request) === 'anthropic' && { 'request-id': request.id }),
  ...(callers.get(request)?.key.isTest === true && { 'x-gateway-test': 'true' }),
  ...pageHeaders(request),
});

const spans = new WeakMap<FastifyRequest, SpanHandle>();

export const setSpan = (request: FastifyRequest, span: SpanHandle): void => {
  spans.set(request, span);
};

/** Undefined if traces are off. */
export const spanOf = (request: FastifyRequest): SpanHandle | undefined => spans.get(request);

const models = new WeakMap<FastifyRequest, string>();

export const setAskedModel = (request: FastifyRequest, modelId: string): void => {
  models.set(request, modelId);
};

/** The public id of the model that a request is run by, once that is known. */
export const askedModelOf = (request: FastifyRequest): string | undefined => models.get(request);

/** Our hop of the caller's trace; a caller that does not trace starts none, unless traces are on here. */
export const traceparentOf = (request: FastifyRequest): string | undefined => {
  const { traceparent } = request.headers;
  const own = spans.get(request)?.traceparent;
  return own ?? (typeof traceparent === 'string' ? continueTrace(traceparent).traceparent : undefined);
};
