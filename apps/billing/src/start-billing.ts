import 'reflect-metadata';
import cookie from '@fastify/cookie';
import type { BillingConfig } from '@gateway/config';
import { HealthModule, type Logger, type Metrics, NestLogger, withTimeout } from '@gateway/observability';
import { checkRedis, withReady } from '@gateway/redis';
import { OpenConnections, OperatorServer, readProxiedAddresses } from '@gateway/serving';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { requireAuditAction } from './account-interface/audit/audit-actions.js';
import { appModule, BACKGROUND_SERVICES, CONTROLLERS } from './app.module.js';
import { requireAccessRule } from './guards/access-table.js';
import { MachineTokens } from './guards/machine-tokens.service.js';
import { checkRequests } from './http/check-requests.js';
import { ErrorFilter } from './http/error.filter.js';
import { httpAdapter } from './http/http-adapter.js';
import { readJsonBodies } from './http/json-bodies.js';
import { mountQueueBoard } from './http/queue-board.js';
import { FollowEpoch } from './ledger/epoch/follow-epoch.service.js';
import { Reconcile } from './ledger/reconciliation/reconcile.service.js';
import { billingGauges } from './observability/billing-gauges.js';
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
    usage: resources.usageLengths,
    store: resources.admissionStore,
    redisMemory: resources.redisMemory,
    reconciliationAgeMs: (nowMs) => app.get(Reconcile).ageMs(nowMs),
  });
  const options = { bodyParser: false, logger: new NestLogger(logger) };
  const adapter = httpAdapter(config.trustedProxies);
  const app = await NestFactory.create<NestFastifyApplication>(appModule({ ...parts, health }), adapter, options);
  // Before the queue board, whose routes are the operators' too.
  const operators = new OperatorServer(app.getHttpAdapter().getInstance(), { host: config.host, port: config.opsPort });
  const closeQueueBoard = await prepareServer(app, resources);
  const { server } = app.getHttpAdapter().getInstance();
  const connections = new OpenConnections(server);
  await app.listen(config.port, config.host);
  await operators.listen();
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : config.port,
    async stopBackground(timeoutMs) {
      const stopped = BACKGROUND_SERVICES.map((service) => app.get<{ stop(): Promise<void> }>(service).stop());
      await withTimeout(Promise.all(stopped), Math.min(MAX_STOP_MS, timeoutMs / 2), () => undefined);
    },
    async endConnections(timeoutMs) {
      await Promise.all([connections.end(timeoutMs), operators.end(timeoutMs)]);
    },
    async close() {
      operators.close();
      await app.close();
      await closeQueueBoard();
    },
  };
}

/** Registers hooks, parsers and filters. Throws for a route without an access rule or an audit action. */
async function prepareServer(app: NestFastifyApplication, resources: BillingResources): Promise<() => Promise<void>> {
  const fastify = app.getHttpAdapter().getInstance();
  await app.register(cookie);
  readProxiedAddresses(fastify);
  readJsonBodies(fastify);
  checkRequests(fastify);
  // Before the route checks: the board guards its routes with its own hook.
  const closeQueueBoard = await mountQueueBoard(fastify, resources, app.get(MachineTokens));
  const requireAccess = requireAccessRule(CONTROLLERS);
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const verb of [method].flat()) {
      requireAuditAction(verb, url);
      requireAccess(verb, url);
    }
  });
  app.useGlobalFilters(app.get(ErrorFilter));
  return closeQueueBoard;
}
