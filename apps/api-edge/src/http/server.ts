import { ENDPOINTS, GatewayError, newRequestId } from '@gateway/contracts';
import {
  knownMethods,
  readProxiedAddresses,
  refuseConnection,
  refuseEncodedBody,
  refuseRepeatedHost,
} from '@gateway/serving';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate } from '../authenticate/authenticate.service.js';
import { routeNotFound, sendError, toGatewayError } from '../errors/send-error.js';
import { zeroCostHeaders } from '../relay/response-headers.js';
import { isPreflight, preflightHeaders } from './cors.js';
import { meantUrl } from './meant-path.js';
import { commonHeaders, errorDialectOf, setCaller } from './request-context.js';
import { stripByteOrderMark } from './strip-byte-order-mark.js';

const LIMIT_BY_PATH = new Map<string, number>(Object.values(ENDPOINTS).map((row) => [row.path, row.bodyLimitBytes]));
/** For routes that run no model. */
const OTHER_LIMIT_BYTES = 64 * 1024;
/** Longer than the idle time of common load balancers: they must be the ones to close an idle connection. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** Maximum time for the body to arrive. */
const REQUEST_TIMEOUT_MS = 60_000;

/** `trustedProxies`: addresses or CIDR blocks whose `x-forwarded-for` is believed. Undefined trusts none. */
export const createHttpAdapter = (trustedProxies: string[] | undefined): FastifyAdapter =>
  new FastifyAdapter({
    bodyLimit: OTHER_LIMIT_BYTES,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: 5_000 },
    genReqId: () => newRequestId(),
    requestIdHeader: false,
    trustProxy: trustedProxies ?? false,
    rewriteUrl: ({ url }: { readonly url?: string | undefined }) => meantUrl(url ?? ''),
    forceCloseConnections: 'idle',
    // Fastify refuses some requests before any hook runs, such as a URL that does not decode.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      reply.headers(commonHeaders(request));
      sendError(toGatewayError(error), errorDialectOf(request), reply);
    },
    clientErrorHandler: refuseConnection,
    logger: false,
  });

/** Parses bodies as raw bytes, sets the common headers, and requires a key under `/v1/`. */
export function registerRequestHooks(fastify: FastifyInstance, authenticate: Authenticate): void {
  readProxiedAddresses(fastify);
  parseBodies(fastify);
  const methods = knownMethods(fastify);
  fastify.addHook('onRoute', (route) => {
    route.bodyLimit = LIMIT_BY_PATH.get(route.url) ?? OTHER_LIMIT_BYTES;
  });
  fastify.addHook('onRequest', async (request, reply) => {
    reply.headers(commonHeaders(request));
    refuseRepeatedHost(request.raw);
    const allowedMethods = request.is404 ? methods.onPathOf(request) : '';
    if (allowedMethods !== '' && isPreflight(request)) {
      return reply.code(204).headers(preflightHeaders(request, allowedMethods)).send();
    }
    const isWrongMethod = allowedMethods !== '';
    // By route, not by URL: every spelling of a URL that leads to a route needs a key.
    const route = isWrongMethod ? request.url : request.routeOptions.url;
    if (route?.startsWith('/v1/') === true) {
      setCaller(request, await authenticate.authenticate(request));
      // The default; a worker's response overwrites it.
      reply.headers({ ...commonHeaders(request), ...zeroCostHeaders(null) });
    }
    if (isWrongMethod) methods.refuseOthers(request, reply);
    // Before the check of the content type: its error would hide that there is no such route.
    if (request.is404) throw routeNotFound(request);
    refuseEncodedBody(request.headers);
  });
}

function parseBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, stripByteOrderMark(body as Buffer)),
  );
  // The endpoint itself streams the form to disk.
  fastify.addContentTypeParser('multipart/form-data', (request, payload, done) => {
    if (request.routeOptions.url === ENDPOINTS['images.edits'].path) done(null, payload);
    else done(new GatewayError('unsupported_media_type', "Unsupported content type: send 'application/json'."));
  });
}
