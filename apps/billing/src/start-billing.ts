import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import cookie from '@fastify/cookie';
import type { BillingConfig } from '@gateway/config';
import { newRequestId } from '@gateway/contracts';
import { withReady } from '@gateway/redis';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { RemoveExpired } from './accounts/remove-expired.service.js';
import { appModule } from './app.module.js';
import type { BillingDoors } from './billing-doors.js';
import { DeliverGrants } from './escrow/deliver-grants.service.js';
import { Drain } from './health/drain.js';
import { readJsonBodies } from './json-bodies.js';
import { ForgetKeys } from './keys/forget-keys.service.js';
import { billingMetrics } from './observe/billing-metrics.js';
import type { Logger } from './observe/logger.js';
import { FollowEpoch } from './rebuild/follow-epoch.service.js';
import { Reconcile } from './reconcile/reconcile.service.js';
import { SweepExpiredHolds } from './reconcile/sweep-expired-holds.service.js';
import { RefuseFilter } from './refuse/refuse.filter.js';
import { ConsumeUsage } from './settle/consume-usage.service.js';

const BODY_LIMIT_BYTES = 64 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the idle time of common load balancers, which must be the ones to close an idle connection. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
/** A connection to Redis takes milliseconds; a service that starts before its Redis does not wait for it. */
const WAIT_FOR_REDIS_MS = 500;
/** Longer than the slowest batch may take. */
const LONGEST_STOP_MS = 20_000;

/** Waits until it is done, but no longer than this. */
const within = (work: Promise<unknown>, timeoutMs: number): Promise<unknown> => {
  const timeout = new AbortController();
  const over = sleep(timeoutMs, undefined, { signal: timeout.signal }).catch(() => undefined);
  return Promise.race([work, over]).finally(() => timeout.abort());
};

/** What runs behind, in the order in which it is stopped. */
const BACKGROUND = [ConsumeUsage, SweepExpiredHolds, Reconcile, DeliverGrants, ForgetKeys, RemoveExpired, FollowEpoch];

export interface RunningBilling {
  readonly url: string;
  readonly app: NestFastifyApplication;
  /** Finishes the batch and the requests under way, then lets go of the stores. */
  stop(): Promise<void>;
}

/** Starts the whole service in this process. The stores need not be there yet. */
export async function startBilling(
  config: BillingConfig,
  logger: Logger,
  doors: BillingDoors,
): Promise<RunningBilling> {
  await within(withReady(doors.redis), WAIT_FOR_REDIS_MS);
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    genReqId: () => newRequestId(),
    requestIdHeader: false,
    forceCloseConnections: 'idle',
    logger: false,
  });
  const module = appModule({ config, logger, metrics: billingMetrics(), doors });
  const options = { bodyParser: false, logger: ['error', 'warn'] as ('error' | 'warn')[] };
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, options);
  const fastify = adapter.getInstance();
  await app.register(cookie);
  readJsonBodies(fastify);
  fastify.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.useGlobalFilters(app.get(RefuseFilter));
  await app.listen(config.port, config.host);
  const address = fastify.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.port;
  logger.info({ port }, 'billing is listening');
  return {
    url: `http://127.0.0.1:${port}`,
    app,
    async stop() {
      app.get(Drain).begin();
      const stopped = BACKGROUND.map((work) => app.get<{ stop(): Promise<void> }>(work).stop());
      // Work that waits for a store which is away would wait for ever; what it has not done is done by the next process.
      await within(Promise.all(stopped), Math.min(LONGEST_STOP_MS, config.shutdownGraceMs / 2));
      await app.close();
      await doors.close();
    },
  };
}
