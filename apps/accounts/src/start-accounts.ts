import 'reflect-metadata';
import cookie from '@fastify/cookie';
import { serveReference } from '@gateway/api-reference';
import type { AccountsConfig } from '@gateway/config';
import { rejectOversizedJson } from '@gateway/intake';
import {
  checkRequests,
  ErrorFilter,
  httpAdapter,
  listen,
  MachineToken,
  type RunningService,
  readJsonBodies,
  requireAccessRule,
} from '@gateway/json-service';
import { HealthModule, type Logger, type Metrics, NestLogger, withTimeout } from '@gateway/observability';
import { isDatabaseUnavailable } from '@gateway/postgres';
import { checkRedis, withReady } from '@gateway/redis';
import { OperatorServer, readProxiedAddresses, UnidentifiedClients } from '@gateway/serving';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { appModule, BACKGROUND_SERVICES, CONTROLLERS } from './app.module.js';
import { requireAuditAction } from './audit/audit-actions.js';
import { serveConsole } from './console/serve-console.js';
import { PUBLIC_ROUTES } from './guards/public-routes.js';
import { mountQueueBoard } from './http/queue-board.js';
import { readCsvBodies } from './http/read-csv-bodies.js';
import { refuseCrossSite } from './http/refuse-cross-site.js';
import type { AccountsResources } from './resources.js';

const QUOTE_PATH = '/account/quote';
/** A quote takes the body of a request. Reading so much takes some 20 ms; a longer prompt is quoted by its `units`. */
const QUOTE_LIMIT_BYTES = 1024 * 1024;
/** A connection to Redis takes milliseconds. The service starts even without Redis. */
const REDIS_READY_TIMEOUT_MS = 500;
const MAX_STOP_MS = 10_000;

export interface AccountsParts {
  readonly config: AccountsConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly resources: AccountsResources;
  readonly isDraining: () => boolean;
}

/** Starts the service in this process. PostgreSQL, Redis and billing may still be down. */
export async function startAccounts({ isDraining, ...parts }: AccountsParts): Promise<RunningService> {
  const { config, logger, metrics, resources } = parts;
  await withTimeout(withReady(resources.redis), REDIS_READY_TIMEOUT_MS, () => undefined);
  const health = HealthModule.with({
    isAlive: () => true,
    isDraining,
    checks: [
      { name: 'postgres', check: () => resources.database.ping() },
      { name: 'redis', check: () => checkRedis(resources.redis) },
    ],
    metrics,
  });
  const options = { bodyParser: false, logger: new NestLogger(logger) };
  const unidentified = new UnidentifiedClients(config.refusalsPerSecond);
  const adapter = httpAdapter(config.trustedProxies, unidentified);
  const app = await NestFactory.create<NestFastifyApplication>(appModule({ ...parts, health }), adapter, options);
  // Before the queue board, whose routes are the operators' too.
  const operators = new OperatorServer(app.getHttpAdapter().getInstance(), { host: config.host, port: config.opsPort });
  const closeQueueBoard = await prepareServer(app, { ...parts, unidentified });
  const service = await listen(app, {
    host: config.host,
    port: config.port,
    background: BACKGROUND_SERVICES,
    maxStopMs: MAX_STOP_MS,
    operators,
  });
  return {
    ...service,
    async close() {
      await service.close();
      await closeQueueBoard();
    },
  };
}

interface ServerParts extends Pick<AccountsParts, 'config' | 'logger' | 'resources'> {
  readonly unidentified: UnidentifiedClients;
}

/** Registers hooks, parsers and filters. Throws for a route without an access rule or an audit action. */
async function prepareServer(
  app: NestFastifyApplication,
  { config, logger, resources, unidentified }: ServerParts,
): Promise<() => Promise<void>> {
  const fastify = app.getHttpAdapter().getInstance();
  await app.register(cookie);
  readProxiedAddresses(fastify);
  readJsonBodies(fastify, rejectOversizedJson);
  readCsvBodies(fastify);
  checkRequests(fastify);
  fastify.addHook('onRequest', async (request) => refuseCrossSite(request));
  // Before the route checks: the board guards its routes with its own hook, and the console is for everybody.
  const closeQueueBoard = await mountQueueBoard(fastify, resources, new MachineToken([config.adminToken]));
  await serveConsole(fastify, config);
  // Public, like the documents themselves.
  serveReference(fastify, 'accounts');
  const requireAccess = requireAccessRule(CONTROLLERS, PUBLIC_ROUTES);
  fastify.addHook('onRoute', (route) => {
    if (route.url === QUOTE_PATH) route.bodyLimit = QUOTE_LIMIT_BYTES;
    for (const verb of [route.method].flat()) {
      requireAuditAction(verb, route.url);
      requireAccess(verb, route.url);
    }
  });
  app.useGlobalFilters(new ErrorFilter(logger, isDatabaseUnavailable, unidentified));
  return closeQueueBoard;
}
