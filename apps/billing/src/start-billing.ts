import 'reflect-metadata';
import type { BillingConfig } from '@gateway/config';
import {
  checkRequests,
  ErrorFilter,
  httpAdapter,
  listen,
  type RunningService,
  readJsonBodies,
  requireAccessRule,
} from '@gateway/json-service';
import { HealthModule, type Logger, type Metrics, NestLogger, withTimeout } from '@gateway/observability';
import { isDatabaseUnavailable } from '@gateway/postgres';
import { checkRedis, withReady } from '@gateway/redis';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { appModule, BACKGROUND_SERVICES, CONTROLLERS } from './app.module.js';
import { FollowEpoch } from './epoch/follow-epoch.service.js';
import { billingGauges } from './observability/billing-gauges.js';
import { Reconcile } from './reconciliation/reconcile.service.js';
import type { BillingResources } from './resources.js';

/** A connection to Redis takes milliseconds. The service starts even without Redis. */
const REDIS_READY_TIMEOUT_MS = 500;
/** Above the duration of the slowest settlement batch. */
const MAX_STOP_MS = 20_000;

export interface BillingParts {
  readonly config: BillingConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly resources: BillingResources;
  readonly isDraining: () => boolean;
}

/** Starts the service in this process. PostgreSQL and Redis may still be down. */
export async function startBilling({ isDraining, ...parts }: BillingParts): Promise<RunningService> {
  const { config, logger, metrics, resources } = parts;
  await withTimeout(withReady(resources.redis), REDIS_READY_TIMEOUT_MS, () => undefined);
  const health = HealthModule.with({
    isAlive: () => true,
    isDraining,
    checks: [
      { name: 'postgres', check: () => resources.database.ping() },
      { name: 'redis', check: () => checkRedis(resources.redis) },
      { name: 'epoch', check: async () => app.get(FollowEpoch).isFollowing },
    ],
    metrics,
  });
  billingGauges(metrics, {
    store: resources.admissionStore,
    redisMemory: resources.redisMemory,
    reconciliationAgeMs: (nowMs) => app.get(Reconcile).ageMs(nowMs),
  });
  const options = { bodyParser: false, logger: new NestLogger(logger) };
  const adapter = httpAdapter(undefined);
  const app = await NestFactory.create<NestFastifyApplication>(appModule({ ...parts, health }), adapter, options);
  prepareServer(app, logger);
  return listen(app, {
    host: config.host,
    port: config.port,
    background: BACKGROUND_SERVICES,
    maxStopMs: MAX_STOP_MS,
  });
}

/** Probes and Prometheus. */
const PUBLIC_ROUTES: ReadonlySet<string> = new Set(['GET /healthz', 'GET /readyz', 'GET /metrics']);

/** Registers hooks, parsers and filters. Throws for a route without an access rule. */
function prepareServer(app: NestFastifyApplication, logger: Logger): void {
  const fastify = app.getHttpAdapter().getInstance();
  readJsonBodies(fastify);
  checkRequests(fastify);
  const requireAccess = requireAccessRule(CONTROLLERS, PUBLIC_ROUTES);
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const verb of [method].flat()) requireAccess(verb, url);
  });
  app.useGlobalFilters(new ErrorFilter(logger, isDatabaseUnavailable));
}
