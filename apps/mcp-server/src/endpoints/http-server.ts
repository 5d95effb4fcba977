import { GatewayError, newRequestId, type RequestId } from '@gateway/contracts';
import { rejectDeepJson, rejectOversizedJson } from '@gateway/intake';
import { continueTrace } from '@gateway/observability';
import { readProxiedAddresses } from '@gateway/serving';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate } from './authenticate/authenticate.service.js';
import { checkOrigin, originHeaders } from './check-origin/check-origin.js';
import { setExchange } from './exchange-of.js';
import type { McpConfig } from './mcp-config.js';
import { refuse, toGatewayError } from './refuse/refuse.js';

const MCP_PATH = '/mcp';

/** Longer than the idle time of common load balancers, which must be the ones to close an idle connection. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** A body that drips in for longer than this is not coming. */
const REQUEST_TIMEOUT_MS = 60_000;

export const createHttpAdapter = ({ trustedProxies, bodyLimitBytes }: McpConfig): FastifyAdapter =>
  new FastifyAdapter({
    bodyLimit: bodyLimitBytes,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: 5_000 },
    genReqId: () => newRequestId(),
    requestIdHeader: false,
    // People write addresses by hand into the settings of clients.
    routerOptions: { ignoreTrailingSlash: true },
    trustProxy: trustedProxies ?? false,
    forceCloseConnections: 'idle',
    // What Fastify refuses before any hook, such as an address that does not decode.
    frameworkErrors: (error: Error, _request: FastifyRequest, reply: FastifyReply) =>
      refuse(toGatewayError(error), reply),
    logger: false,
  });

/** Nobody past this without a key, whose body is not read before: shape, then origin, then the gateway's word. */
export function guardRoutes(fastify: FastifyInstance, authenticate: Authenticate, config: McpConfig): void {
  readProxiedAddresses(fastify);
  readBodies(fastify);
  fastify.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    // By route and not by address: whatever spelling of an address leads to it, it asks for a key.
    if (request.routeOptions.url !== MCP_PATH) return;
    const { authorization, host, origin } = request.headers;
    // A browser asks without a key whether a page may call; what it is told says nothing of anybody.
    const isPreflight = request.method === 'OPTIONS';
    const apiKey = isPreflight ? undefined : authenticate.readKey(authorization);
    checkOrigin({ host, origin }, config);
    reply.headers(originHeaders(origin));
    if (apiKey === undefined) return;
    const traceparent = firstOf(request.headers.traceparent);
    const caller = await authenticate.authenticate(apiKey, request.ip, continueTrace(traceparent).traceparent);
    setExchange(request, { requestId: request.id as RequestId, caller, traceparent });
  });
}

/** JSON and nothing else; a key is asked for before any of it is read. */
function readBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      // A client that ends a session may say that nothing is JSON.
      done(null, body.length === 0 ? undefined : parse(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

/** Whatever JSON it is: a message, or several. Throws for what is none, or would keep the process from everybody else. */
function parse(body: Buffer): unknown {
  rejectOversizedJson(body);
  const value = jsonOf(body);
  rejectDeepJson(value);
  return value;
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new GatewayError('invalid_json', 'Parse error: the request body is not valid JSON.');
  }
}

const firstOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : header?.[0];
