import { newRequestId, renderError } from '@gateway/contracts';
import { errorHeaders, refuseConnection } from '@gateway/serving';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';

const BODY_LIMIT_BYTES = 64 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
/** Above the idle timeout of common load balancers, so that the load balancer closes idle connections first. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;

/** Refuses a path that cannot be decoded. Fastify calls this before any hook or filter. */
function refuseUndecodablePath(_error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const error = { code: 'not_found', message: 'There is no such route.' } as const;
  reply
    .header('x-request-id', request.id)
    .headers(errorHeaders(error))
    .status(404)
    .send(renderError('a', error, request.id));
}

/** A browser sends every cookie of its domain, such as those of a company's sign-on. */
const MAX_HEADER_BYTES = 16 * 1024;

export const httpAdapter = (trustedProxies: string[] | undefined): FastifyAdapter =>
  new FastifyAdapter({
    trustProxy: trustedProxies ?? false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: { maxHeaderSize: MAX_HEADER_BYTES },
    genReqId: () => newRequestId(),
    requestIdHeader: false,
    forceCloseConnections: 'idle',
    frameworkErrors: refuseUndecodablePath,
    clientErrorHandler: refuseConnection,
    logger: false,
  });
