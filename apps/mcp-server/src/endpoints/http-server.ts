import type { Readable } from 'node:stream';
import type { McpServerConfig } from '@gateway/config';
import { newRequestId, type RequestId } from '@gateway/contracts';
import { isLongJson, ownBytes } from '@gateway/intake';
import { continueTrace } from '@gateway/observability';
import {
  countBytes,
  holdBack,
  isRefusal,
  MAX_HEADER_BYTES,
  readProxiedAddresses,
  refusalOf,
  refuseConnection,
  refuseEncodedBody,
  refuseRepeatedHost,
  UnidentifiedClients,
} from '@gateway/serving';
import type { ThreadPool } from '@gateway/threads';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate } from '../authenticate/authenticate.service.js';
import { checkOrigin, originHeaders } from '../check-origin/check-origin.js';
import { sendError, toGatewayError } from '../errors/send-error.js';
import type { Caller } from '../gateway.js';
import type { MessagePace } from '../limit-messages/message-pace.service.js';
import type { MessageRoom, OpenMessage } from '../limit-messages/message-room.js';
import { setMcpRequest } from './mcp-request-store.js';
import { parseMessage } from './parse-message.js';

const MCP_PATH = '/mcp';

/** Longer than a load balancer's idle time, so that the load balancer closes idle connections first. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** Limits slow uploads. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Preflights of one address. */
const PREFLIGHTS_PER_SECOND = 100;

/** `refused`: counts requests without a valid key, or to an unknown path. */
export const createHttpAdapter = (
  { trustedProxies, bodyLimitBytes }: McpServerConfig,
  refused: UnidentifiedClients,
): FastifyAdapter =>
  new FastifyAdapter({
    bodyLimit: bodyLimitBytes,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: 5_000, maxHeaderSize: MAX_HEADER_BYTES },
    genReqId: () => newRequestId(),
    requestIdHeader: false,
    // Users type the URL into their clients by hand.
    routerOptions: { ignoreTrailingSlash: true },
    trustProxy: trustedProxies ?? false,
    forceCloseConnections: 'idle',
    // Errors before any hook, such as a URL that cannot be decoded.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
      void refusalOf(refused.check(request), error).then((refusal) => sendError(toGatewayError(refusal), reply)),
    clientErrorHandler: refuseConnection,
    logger: false,
  });

export interface GuardStages {
  readonly authenticate: Authenticate;
  readonly pace: MessagePace;
  readonly room: MessageRoom;
  readonly config: McpServerConfig;
  readonly threads: ThreadPool;
  readonly refused: UnidentifiedClients;
}

/** Authenticates every request to `/mcp` before its body is read: key format, origin, gateway, pace, room. */
export function guardRoutes(
  fastify: FastifyInstance,
  { authenticate, pace, room, config, threads, refused }: GuardStages,
): void {
  const preflights = new UnidentifiedClients(PREFLIGHTS_PER_SECOND);
  readProxiedAddresses(fastify);
  readBodies(fastify, threads);
  const takeRoom = messageRoomOf(fastify, room, config);
  const identify = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { authorization, host, origin } = request.headers;
    // Browsers send preflights without a key. Their response holds no account data.
    const isPreflight = request.method === 'OPTIONS';
    const apiKey = isPreflight ? undefined : authenticate.readKey(authorization);
    checkOrigin({ host, origin }, config);
    reply.headers(originHeaders(origin));
    if (apiKey === undefined) return preflights.check(request);
    const traceparent = firstOf(request.headers.traceparent);
    const caller = await authenticate.authenticate(apiKey, request.ip, continueTrace(traceparent).traceparent);
    try {
      refuseEncodedBody(request.headers);
      pace.take(caller);
      takeRoom(request, reply, caller);
    } catch (refusal) {
      await holdBack(request, refusal);
    }
    setMcpRequest(request, { requestId: request.id as RequestId, caller, traceparent });
  };
  fastify.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    refuseRepeatedHost(request.raw);
    if (request.is404) return refused.check(request);
    // Compares the route, not the URL: no spelling of the URL may avoid authentication.
    if (request.routeOptions.url !== MCP_PATH) return;
    await identify(request, reply).catch(async (error: unknown) => {
      // A preflight that was refused has waited already.
      if (isRefusal(error) && error.code !== 'rate_limit_exceeded') await refused.check(request);
      throw error;
    });
  });
}

/** Takes room for a message until its response has ended: by its declared length, else as it arrives. */
function messageRoomOf(
  fastify: FastifyInstance,
  room: MessageRoom,
  { bodyLimitBytes }: McpServerConfig,
): (request: FastifyRequest, reply: FastifyReply, caller: Caller) => void {
  const arriving = new WeakMap<FastifyRequest, OpenMessage>();
  fastify.addHook('preParsing', async (request, _reply, payload) => {
    const message = arriving.get(request);
    return message === undefined ? payload : countBytes(payload as Readable, (bytes) => message.grow(bytes));
  });
  return (request, { raw }, { accountId, keySha256, maySpend }) => {
    const message = room.open(accountId ?? keySha256, maySpend);
    // It may have left while its key was checked: 'close' never comes.
    if (raw.destroyed) message.close();
    else raw.once('close', () => message.close());
    const { 'content-length': length } = request.headers;
    if (length === undefined) arriving.set(request, message);
    // A longer one is refused unread.
    else if (Number(length) <= bodyLimitBytes) message.grow(Number(length));
  };
}

/** Accepts only JSON bodies. A long one is parsed in a thread, so that it delays no other request. */
function readBodies(fastify: FastifyInstance, threads: ThreadPool): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => {
      // Some clients send `content-type: application/json` with an empty DELETE.
      if (body.length === 0) return undefined;
      if (!isLongJson(body)) return parseMessage(body);
      const bytes = ownBytes(body);
      return threads.run('parseMessage', bytes, [bytes.buffer]);
    },
  );
}

const firstOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : header?.[0];
