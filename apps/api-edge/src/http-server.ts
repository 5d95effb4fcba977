import { ENDPOINTS, GatewayError, newRequestId } from '@gateway/contracts';
import { knownMethods, readProxiedAddresses, refuseConnection, refuseEncodedBody } from '@gateway/serving';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate } from './authenticate/authenticate.service.js';
import { isPreflight, preflightHeaders } from './open-to-pages.js';
import { noSuchRoute, refuse, toGatewayError } from './refuse/refuse.js';
import { nothingCharged } from './relay/answer-headers.js';
import { dialectOf, setCaller, standingHeaders } from './request-context.js';
import { withoutByteOrderMark } from './without-byte-order-mark.js';

const LIMIT_BY_PATH = new Map<string, number>(Object.values(ENDPOINTS).map((row) => [row.path, row.bodyLimitBytes]));
/** Of what is no endpoint, or takes no body at all. */
const OTHER_LIMIT_BYTES = 64 * 1024;
/** Longer than the idle time of common load balancers, which must be the ones to close an idle connection. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** A body that drips in for longer than this is not coming. */
const REQUEST_TIMEOUT_MS = 60_000;

/** `trustedProxies`: addresses or CIDR blocks whose `x-forwarded-for` is believed, nobody else's. */
export const createHttpAdapter = (trustedProxies: string[] | undefined): FastifyAdapter =>
  new FastifyAdapter({
    bodyLimit: OTHER_LIMIT_BYTES,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: 5_000 },
    genReqId: () => newRequestId(),
    requestIdHeader: false,
    trustProxy: trustedProxies ?? false,
    forceCloseConnections: 'idle',
    // What Fastify refuses before any hook, such as an address that does not decode.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      reply.headers(standingHeaders(request));
      refuse(toGatewayError(error), dialectOf(request), reply);
    },
    clientErrorHandler: refuseConnection,
    logger: false,
  });

/** Public routes: bodies as raw bytes, a request id on every answer, nobody past this without a key. */
export function guardRoutes(fastify: FastifyInstance, authenticate: Authenticate): void {
  readProxiedAddresses(fastify);
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, withoutByteOrderMark(body as Buffer)),
  );
  // A form is left unread: its endpoint takes it to disk as it arrives.
  fastify.addContentTypeParser('multipart/form-data', (request, payload, done) => {
    if (request.routeOptions.url === ENDPOINTS['images.edits'].path) done(null, payload);
    else done(new GatewayError('unsupported_media_type', "Unsupported content type: send 'application/json'."));
  });
  const methods = knownMethods(fastify);
  fastify.addHook('onRoute', (route) => {
    route.bodyLimit = LIMIT_BY_PATH.get(route.url) ?? OTHER_LIMIT_BYTES;
  });
  fastify.addHook('onRequest', async (request, reply) => {
    reply.headers(standingHeaders(request));
    const allow = request.is404 ? methods.onPathOf(request) : '';
    if (allow !== '' && isPreflight(request)) {
      return reply.code(204).headers(preflightHeaders(request, allow)).send();
    }
    const isMisasked = allow !== '';
    // By route and not by address: whatever spelling of an address leads to a route, it asks for a key.
    const route = isMisasked ? request.url : request.routeOptions.url;
    if (route?.startsWith('/v1/') === true) {
      setCaller(request, await authenticate.authenticate(request));
      // Until a worker says otherwise: a stream and a whole answer write headers of their own.
      reply.headers({ ...standingHeaders(request), ...nothingCharged(null) });
    }
    if (isMisasked) methods.refuseOthers(request, reply);
    // Before its content type is looked at, which would be blamed instead.
    if (request.is404) throw noSuchRoute(request);
    refuseEncodedBody(request.headers);
  });
}
