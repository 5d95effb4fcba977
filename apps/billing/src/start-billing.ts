import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import cookie from '@fastify/cookie';
import type { BillingConfig } from '@gateway/config';
import { newRequestId, renderError } from '@gateway/contracts';
import { HealthModule, type Logger, type Metrics, NestLogger } from '@gateway/observability';
import { withReady } from '@gateway/redis';
import {
  errorHeaders,
  knownMethods,
  OpenConnections,
  readProxiedAddresses,
  refuseConnection,
  refuseEncodedBody,
} from '@gateway/serving';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RemoveExpired } from './accounts/remove-expired.service.js';
import { appModule } from './app.module.js';
import { requireAction } from './audit/actions.js';
import type { BillingDoors } from './billing-doors.js';
import { billingGauges } from './billing-gauges.js';
import { DeliverGrants } from './escrow/deliver-grants.service.js';
import { ReturnBlocks } from './escrow/return-blocks.service.js';
import { ForgetKeys } from './forget-keys.service.js';
import { readJsonBodies } from './json-bodies.js';
import { showQueues } from './queue-board.js';
import { FollowEpoch } from './rebuild/follow-epoch.service.js';
import { Reconcile } from './reconcile/reconcile.service.js';
import { SweepExpiredHolds } from './reconcile/sweep-expired-holds.service.js';
import { RefuseFilter } from './refuse/refuse.filter.js';
import { refuseCrossSite } from './refuse-cross-site.js';
import { refuseNulInPath } from './refuse-nul-in-path.js';
import { ConsumeUsage } from './settle/consume-usage.service.js';
import { Tokens } from './tokens.service.js';
import { ResealSecrets } from './webhooks/reseal-secrets.service.js';

const BODY_LIMIT_BYTES = 64 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the idle time of common load balancers, which must be the ones to close an idle connection. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
/** A connection to Redis takes milliseconds; a service that starts before its Redis does not wait for it. */
const WAIT_FOR_REDIS_MS = 500;
/** Longer than the slowest batch may take. */
const LONGEST_STOP_MS = 20_000;

const BACKGROUND = [
  ConsumeUsage,
  SweepExpiredHolds,
  Reconcile,
  DeliverGrants,
  ReturnBlocks,
  ForgetKeys,
  RemoveExpired,
  ResealSecrets,
  FollowEpoch,
];

export interface BillingParts {
  readonly config: BillingConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly doors: BillingDoors;
  readonly isDraining: () => boolean;
}

export interface RunningBilling {
  readonly port: number;
  /** Lets the rounds under way finish, within that time. What they leave is done by the next process. */
  stopBackground(timeoutMs: number): Promise<void>;
  /** Takes no more connections, and lets those that are open end. */
  endConnections(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Waits until it is done, but no longer than this. */
const within = (work: Promise<unknown>, timeoutMs: number): Promise<unknown> => {
  const timeout = new AbortController();
  const over = sleep(timeoutMs, undefined, { signal: timeout.signal }).catch(() => undefined);
  return Promise.race([work, over]).finally(() => timeout.abort());
};

const httpAdapter = (trustedProxies: string[] | undefined) =>
  new FastifyAdapter({
    trustProxy: trustedProxies ?? false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    genReqId: () => newRequestId(),
    requestIdHeader: false,
    forceCloseConnections: 'idle',
    // An address that does not decode is refused before any hook or filter: it is no route of ours.
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) => {
      const error = { code: 'not_found', message: 'There is no such route.' } as const;
      reply
        .header('x-request-id', request.id)
        .headers(errorHeaders(error))
        .status(404)
        .send(renderError('a', error, request.id));
    },
    clientErrorHandler: refuseConnection,
    logger: false,
  });

/** Starts the whole service in this process. The stores need not be there yet. */
export async function startBilling({ isDraining, ...parts }: BillingParts): Promise<RunningBilling> {
  const { config, logger, metrics, doors } = parts;
  await within(withReady(doors.redis), WAIT_FOR_REDIS_MS);
  const health = HealthModule.with({
    isAlive: () => true,
    isDraining,
    checks: [
      { name: 'postgres', check: () => doors.database.ping() },
      { name: 'redis', check: () => doors.redis.exists(doors.keys.epoch) },
      { name: 'epoch', check: async () => app.get(FollowEpoch).isFollowing },
    ],
    metrics,
  });
  billingGauges(metrics, {
    usage: doors.usageLengths,
    store: doors.admissionStore,
    redisMemory: doors.redisMemory,
    reconciledAgeMs: (nowMs) => app.get(Reconcile).ageMs(nowMs),
  });
  const options = { bodyParser: false, logger: new NestLogger(logger) };
  const adapter = httpAdapter(config.trustedProxies);
  const app = await NestFactory.create<NestFastifyApplication>(appModule({ ...parts, health }), adapter, options);
  const fastify = app.getHttpAdapter().getInstance();
  await app.register(cookie);
  readProxiedAddresses(fastify);
  readJsonBodies(fastify);
  const methods = knownMethods(fastify);
  fastify.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    // Balances, keys and tokens are nothing for a cache on the way.
    reply.header('cache-control', 'no-store');
    if (request.is404) methods.refuseOthers(request, reply);
    refuseCrossSite(request);
    refuseNulInPath(request);
    refuseEncodedBody(request.headers);
  });
  const closeQueueBoard = await showQueues(fastify, doors, app.get(Tokens));
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const verb of [method].flat()) requireAction(verb, url);
  });
  app.useGlobalFilters(app.get(RefuseFilter));
  const connections = new OpenConnections(fastify.server);
  await app.listen(config.port, config.host);
  const address = fastify.server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : config.port,
    async stopBackground(timeoutMs) {
      const stopped = BACKGROUND.map((work) => app.get<{ stop(): Promise<void> }>(work).stop());
      await within(Promise.all(stopped), Math.min(LONGEST_STOP_MS, timeoutMs / 2));
    },
    endConnections: (timeoutMs) => connections.end(timeoutMs),
    async close() {
      await app.close();
      await closeQueueBoard();
    },
  };
}
