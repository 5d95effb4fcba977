import type { CatalogueModel } from '@gateway/catalogue';
import { ENDPOINTS, type ErrorDialect, type RequestId } from '@gateway/contracts';
import { continueTrace, type SpanHandle } from '@gateway/observability';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyCaller, OpenBody } from '../edge-request.js';
import { corsHeaders } from './cors.js';
import { isGoogleUrl, usesGoogleFormat } from './google-routes.js';
import { retirementHeaders } from './retirement-headers.js';

const callers = new WeakMap<FastifyRequest, KeyCaller>();

/** The authentication hook sets the caller once, before the body is read. */
export const setCaller = (request: FastifyRequest, caller: KeyCaller): void => {
  callers.set(request, caller);
};

/** Throws if no hook authenticated the request: a bug in the route's hooks. */
export function callerOf(request: FastifyRequest): KeyCaller {
  const caller = callers.get(request);
  if (caller === undefined) throw new Error(`${request.url}: expected an authenticated caller`);
  return caller;
}

/** The scheme and the host by which the client reaches this edge. */
export const originOf = ({ protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>): string =>
  `${protocol}://${host}`;

export const requestIdOf = (request: FastifyRequest): RequestId => request.id as RequestId;

const dialectByPath = new Map<string, ErrorDialect>(
  Object.values(ENDPOINTS).map(({ path, dialect }) => [path, dialect]),
);
const dialects = new WeakMap<FastifyRequest, ErrorDialect>();

const retirements = new WeakMap<FastifyRequest, Readonly<Record<string, string>>>();

/**
 * Records the model that serves a request. All later responses warn of its end. Errors have the dialect of its family, if
 * that has one of its own and the client sent the family's body.
 */
export function setModel(
  request: FastifyRequest,
  reply: FastifyReply,
  model: CatalogueModel,
  bodyOf: 'family' | 'endpoint' = 'family',
): void {
  if (model.dialect !== undefined && bodyOf === 'family') dialects.set(request, model.dialect);
  warnOfEnd(request, reply, model, Date.now());
}

/** All later responses warn of the model's end, as those at that time did. Unix milliseconds. */
export function warnOfEnd(request: FastifyRequest, reply: FastifyReply, model: CatalogueModel, atMs: number): void {
  if (model.retirement === undefined) return;
  const headers = retirementHeaders(model, atMs);
  retirements.set(request, headers);
  reply.headers(headers);
}

/** The error dialect: the model family's, else the endpoint's, else the one that the client's headers suggest. */
export const errorDialectOf = (request: FastifyRequest): ErrorDialect =>
  dialects.get(request) ?? dialectByPath.get(request.url.split('?', 1)[0] ?? '') ?? dialectOfClient(request);

function dialectOfClient(request: FastifyRequest): ErrorDialect {
  if (isGoogleUrl(request.url)) return 'google';
  if (request.headers['anthropic-version'] !== undefined || request.url.startsWith('/v1/messages/')) return 'anthropic';
  return usesGoogleFormat(request) ? 'google' : 'a';
}

/** Headers of every response: request id (under each name that clients read), test mark, the model's end and CORS. */
export const commonHeaders = (request: FastifyRequest): Readonly<Record<string, string>> => ({
  'x-request-id': request.id,
  ...(errorDialectOf(request) === 'anthropic' && { 'request-id': request.id }),
  ...(callers.get(request)?.key.isTest === true && { 'x-gateway-test': 'true' }),
  ...retirements.get(request),
  ...corsHeaders(request),
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

/** The `traceparent` of the gateway's span in the caller's trace. Undefined if neither side traces. */
export const traceparentOf = (request: FastifyRequest): string | undefined => {
  const { traceparent } = request.headers;
  const ownTraceparent = spans.get(request)?.traceparent;
  return ownTraceparent ?? (typeof traceparent === 'string' ? continueTrace(traceparent).traceparent : undefined);
};

const bodies = new WeakMap<FastifyRequest, OpenBody>();

export const setOpenBody = (request: FastifyRequest, body: OpenBody): void => {
  bodies.set(request, body);
};

/** The room that the request's body takes. Undefined for a small body. */
export const openBodyOf = (request: FastifyRequest): OpenBody | undefined => bodies.get(request);

/** The authenticated caller, or undefined on a route that needs none. */
export const knownCallerOf = (request: FastifyRequest): KeyCaller | undefined => callers.get(request);
