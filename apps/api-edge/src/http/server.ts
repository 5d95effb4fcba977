import {
  ENDPOINTS,
  FILE_FORM_LIMIT_BYTES,
  GatewayError,
  isGatewayError,
  newRequestId,
  VIDEOS_PATH,
} from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import {
  holdBack,
  isRefusal,
  knownMethods,
  MAX_HEADER_BYTES,
  readProxiedAddresses,
  refusalOf,
  refuseConnection,
  refuseEncodedBody,
  refuseRepeatedHost,
} from '@gateway/serving';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccountFunds } from '../admit/account-funds.service.js';
import type { Authenticate } from '../authenticate/authenticate.service.js';
import { routeNotFound, sendError, toGatewayError } from '../errors/send-error.js';
import type { ReceiveBodies } from '../receive/receive-bodies.service.js';
import type { ReceiveUnidentified } from '../receive/receive-unidentified.service.js';
import { zeroCostHeaders } from '../relay/response-headers.js';
import { ArrivingBodies } from './arriving-bodies.js';
import { isPreflight, preflightHeaders } from './cors.js';
import { takesForm } from './form-paths.js';
import { CALL_LIMIT_BYTES, CALL_PATHS, refuseKeyInUrl, refuseModelWithoutMethod } from './google-routes.js';
import { meantUrl } from './meant-path.js';
import { commonHeaders, errorDialectOf, knownCallerOf, setCaller } from './request-context.js';
import { isSocketRequest } from './socket-request.js';
import { stripByteOrderMark } from './strip-byte-order-mark.js';

const LIMIT_BY_PATH = new Map<string, number>([
  ...Object.values(ENDPOINTS).map((row) => [row.path, row.bodyLimitBytes] as const),
  ...CALL_PATHS.map((path) => [path, CALL_LIMIT_BYTES] as const),
  ['/v1/files', FILE_FORM_LIMIT_BYTES],
  ['/v1/messages/batches', ENDPOINTS.messages.bodyLimitBytes],
  [VIDEOS_PATH, ENDPOINTS['videos.generations'].bodyLimitBytes],
]);
/** Items of a conversation have texts and images. */
const ITEMS_LIMIT_BYTES = 16 * 1024 * 1024;
const LIMIT_OF_ITEMS = new Map([
  ['/v1/conversations', ITEMS_LIMIT_BYTES],
  ['/v1/conversations/:id/items', ITEMS_LIMIT_BYTES],
]);
/** For routes that run no model. */
const OTHER_LIMIT_BYTES = 64 * 1024;
/** Longer than the idle time of common load balancers: they must be the ones to close an idle connection. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const HEADERS_TIMEOUT_MS = 10_000;
const BALANCE_HEADER = 'x-balance-usd';

/**
 * `trustedProxies`: addresses or CIDR blocks whose `x-forwarded-for` is believed. Undefined trusts none. `checkUnidentified`
 * rejects with 429 if the address of a request has sent too many without a sender.
 */
export function createHttpAdapter(
  trustedProxies: string[] | undefined,
  checkUnidentified: (request: FastifyRequest) => Promise<void>,
): FastifyAdapter {
  const adapter = new FastifyAdapter({
    bodyLimit: OTHER_LIMIT_BYTES,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      connectionsCheckingInterval: 5_000,
      shouldUpgradeCallback: isSocketRequest,
    },
    genReqId: () => newRequestId(),
    requestIdHeader: false,
    // Fastify has no route for a longer id than 100 characters. Those of vendors' interactions are longer.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    trustProxy: trustedProxies ?? false,
    rewriteUrl: ({ url }: { readonly url?: string | undefined }) => meantUrl(url ?? ''),
    forceCloseConnections: 'idle',
    // Fastify refuses some requests before any hook runs, such as a URL that does not decode.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      reply.headers(commonHeaders(request));
      void refusalOf(checkUnidentified(request), error).then((refusal) =>
        sendError(toGatewayError(refusal), errorDialectOf(request), reply),
      );
    },
    clientErrorHandler: refuseConnection,
    logger: false,
  });
  new ArrivingBodies().watch(adapter.getHttpServer());
  return adapter;
}

/** What the hooks of a request ask. */
export interface RequestStages {
  readonly authenticate: Authenticate;
  readonly bodies: ReceiveBodies;
  readonly unidentified: ReceiveUnidentified;
  readonly funds: AccountFunds;
}

/** True of the routes of the public API. */
export const needsKey = (route: string | undefined): boolean => /^\/v1(?:beta)?\//.test(route ?? '');

/** Parses bodies as raw bytes, sets the common headers, and requires a key under `/v1/` and `/v1beta/`. */
export function registerRequestHooks(fastify: FastifyInstance, stages: RequestStages): void {
  const { bodies, unidentified, funds } = stages;
  readProxiedAddresses(fastify);
  parseBodies(fastify);
  const methods = knownMethods(fastify);
  fastify.addHook('onRoute', (route) => {
    route.bodyLimit = LIMIT_BY_PATH.get(route.url) ?? LIMIT_OF_ITEMS.get(route.url) ?? OTHER_LIMIT_BYTES;
  });
  fastify.addHook('onRequest', async (request, reply) => {
    reply.headers(commonHeaders(request));
    refuseRepeatedHost(request.raw);
    const allowedMethods = request.is404 ? methods.onPathOf(request) : '';
    if (request.is404 && isPreflight(request)) {
      await unidentified.checkServed(request);
      return reply.code(204).headers(preflightHeaders(request, allowedMethods)).send();
    }
    const isWrongMethod = allowedMethods !== '';
    // By route, not by URL: every spelling of a URL that leads to a route needs a key.
    const route = isWrongMethod ? request.url : request.routeOptions.url;
    await checkSender(request, reply, { route, ...stages });
    if (isServed(request)) return;
    await identify(request, reply, stages);
    await showBalance(request, reply, funds);
    if (isWrongMethod) methods.refuseOthers(request, reply);
    // Before the check of the content type: its error would hide that there is no such route.
    if (request.is404) throw routeNotFound(request);
    refuseEncodedBody(request.headers);
  });
  fastify.addHook('preParsing', (request, reply, payload, done) => {
    if (knownCallerOf(request) === undefined) return done(null, payload);
    try {
      const opened = bodies.open(request, reply, payload);
      if (opened instanceof Promise) opened.then((body) => done(null, body), done);
      else done(null, opened);
    } catch (error) {
      done(error as Error);
    }
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (!needsBalance(reply)) return done(null, payload);
    void showBalance(request, reply, funds).then(() => done(null, payload));
  });
}

/** An error that goes out while its body arrives passes no hook, so its balance is read before it is thrown. */
async function showBalance(request: FastifyRequest, reply: FastifyReply, funds: AccountFunds): Promise<void> {
  const caller = knownCallerOf(request);
  if (caller === undefined) return;
  const balance = await funds.balance(caller.key.accountId);
  if (balance !== null) reply.header(BALANCE_HEADER, formatUsd(balance));
}

/** The rest is refused here, at the latest for its content encoding. */
const isServed = ({ is404, headers }: FastifyRequest): boolean => !is404 && headers['content-encoding'] === undefined;

/** Most responses carry the balance that admission or settlement has read. Floods of 429 must not read it each time. */
const needsBalance = (reply: FastifyReply): boolean =>
  reply.statusCode < 500 && reply.statusCode !== 429 && !reply.hasHeader(BALANCE_HEADER);

const isKeyed = (request: FastifyRequest, route: string | undefined): boolean =>
  needsKey(route) && !isSignedRequest(request);

async function checkSender(
  request: FastifyRequest,
  reply: FastifyReply,
  { route, ...stages }: CallerStages & { readonly route: string | undefined },
): Promise<void> {
  if (isKeyed(request, route)) await admitCaller(request, reply, stages);
  else if (isOpen(request)) await stages.unidentified.checkServed(request);
}

/** Pages for everybody. Probes must never be refused: a proxy without trust gives all clients the address of a node. */
const isOpen = (request: FastifyRequest): boolean =>
  !request.is404 && !isSignedRequest(request) && !PROBES.has(request.routeOptions.url);

const PROBES: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz']);

type CallerStages = Pick<RequestStages, 'authenticate' | 'bodies' | 'unidentified'>;

async function admitCaller(
  request: FastifyRequest,
  reply: FastifyReply,
  { authenticate, bodies, unidentified }: CallerStages,
): Promise<void> {
  try {
    refuseKeyInUrl(request);
    setCaller(request, await authenticate.authenticate(request));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // A guesser of keys who goes on.
    if (error.code === 'rate_limit_exceeded') return holdBack(request, error);
    await unidentified.checkRefused(request);
    throw error;
  }
  // The default; a worker's response overwrites it.
  reply.headers({ ...commonHeaders(request), ...zeroCostHeaders(null) });
  const refused = bodies.checkPace(request);
  if (refused !== undefined) await refused;
  const turn = bodies.takeTurn(request);
  if (turn !== undefined) await turn;
  refuseModelWithoutMethod(request, reply);
}

/** The signature of an address stands for a key; its route checks it. */
const isSignedRequest = ({ method, routeOptions, query }: FastifyRequest): boolean =>
  routeOptions.url === '/v1/files/:id/content' &&
  (method === 'GET' || method === 'HEAD') &&
  (query as Readonly<Record<string, unknown>>).signature !== undefined;

/** A path that does not exist needs no key. With one, its response has the headers of every other response. */
async function identify(
  request: FastifyRequest,
  reply: FastifyReply,
  { authenticate, bodies, unidentified }: CallerStages,
): Promise<void> {
  if (knownCallerOf(request) !== undefined) return;
  try {
    setCaller(request, await authenticate.authenticate(request));
  } catch (error) {
    // Without a valid key the response is the same 404, without those headers.
    if (!isGatewayError(error)) throw error;
    if (isRefusal(error)) await unidentified.checkRefused(request);
    return;
  }
  reply.headers({ ...commonHeaders(request), ...zeroCostHeaders(null) });
  await bodies.checkPace(request);
}

function parseBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, stripByteOrderMark(body as Buffer)),
  );
  // The endpoint itself streams the form to disk.
  fastify.addContentTypeParser('multipart/form-data', (request, payload, done) => {
    if (takesForm(request.routeOptions.url)) done(null, payload);
    else done(new GatewayError('unsupported_media_type', "Unsupported content type: send 'application/json'."));
  });
}
