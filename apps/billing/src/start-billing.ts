import 'reflect-metadata';
import type { BillingConfig } from '@gateway/config';
import { checkRequests, ErrorFilter, httpAdapter, readJsonBodies, requireAccessRule } from '@gateway/json-service';
import { HealthModule, type Logger, type Metrics, NestLogger, withTimeout } from '@gateway/observability';
import { isDatabaseUnavailable } from '@gateway/postgres';
import { checkRedis, withReady } from '@gateway/redis';
import { OpenConnections } from '@gateway/serving';
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

export interface RunningBilling {
  readonly port: number;
  /** Waits for the running rounds, up to `timeoutMs`. Another process finishes what they leave. */
  stopBackground(timeoutMs: number): Promise<void>;
  /** Accepts no new connections and waits for the open ones to end. */
  endConnections(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts the service in this process. PostgreSQL and Redis may still be down. */
export async function startBilling({ isDraining, ...parts }: BillingParts): Promise<RunningBilling> {
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
  const { server } = app.getHttpAdapter().getInstance();
  const connections = new OpenConnections(server);
  await app.listen(config.port, config.host);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : config.port,
    async stopBackground(timeoutMs) {
      const stopped = BACKGROUND_SERVICES.map((service) => app.get<{ stop(): Promise<void> }>(service).stop());
      await withTimeout(Promise.all(stopped), Math.min(MAX_STOP_MS, timeoutMs / 2), () => undefined);
    },
    async endConnections(timeoutMs) {
      await connections.end(timeoutMs);
    },
    async close() {
      await app.close();
    },
  };
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
