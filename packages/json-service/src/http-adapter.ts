import { ERRORS, GatewayError, newRequestId, renderError } from '@gateway/contracts';
import { errorHeaders, refusalOf, refuseConnection, type UnidentifiedClients } from '@gateway/serving';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';

const BODY_LIMIT_BYTES = 64 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
/** Above the idle timeout of common load balancers, so that the load balancer closes idle connections first. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;

const NO_ROUTE = new GatewayError('not_found', 'There is no such route.');

/** Refuses a path that cannot be decoded. Fastify calls this before any hook or filter. */
function refuseUndecodablePath(request: FastifyRequest, reply: FastifyReply, error: GatewayError): void {
  const record = error.toRecord();
  reply
    .header('x-request-id', request.id)
    .headers(errorHeaders(record))
    .status(ERRORS[error.code].status)
    .send(renderError('a', record, request.id));
}

/** A browser sends every cookie of its domain, such as those of a company's sign-on. */
const MAX_HEADER_BYTES = 16 * 1024;

/** `unidentified`: limits requests to unknown paths, by address. */
export const httpAdapter = (trustedProxies: string[] | undefined, unidentified?: UnidentifiedClients): FastifyAdapter =>
  new FastifyAdapter({
    trustProxy: trustedProxies ?? false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: { maxHeaderSize: MAX_HEADER_BYTES },
    genReqId: () => newRequestId(),
    requestIdHeader: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) =>
      void refusalOf(unidentified?.check(request) ?? Promise.resolve(), NO_ROUTE).then((refusal) =>
        refuseUndecodablePath(request, reply, refusal as GatewayError),
      ),
    clientErrorHandler: refuseConnection,
    logger: false,
  });
