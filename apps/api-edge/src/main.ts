import 'reflect-metadata';
import { apiEdgeConfig, loadConfig } from '@gateway/config';
import { createLogger, createMetrics, Drain, HealthModule, NestLogger, openTracing } from '@gateway/observability';
import { configureExternalMemory, OpenConnections } from '@gateway/serving';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { Authenticate } from './authenticate/authenticate.service.js';
import { KeyReader } from './authenticate/key-directory.service.js';
import { EdgeDoors } from './edge-doors.js';
import { edgeGauges } from './edge-gauges.js';
import { Listeners } from './follow-tasks/listeners.service.js';
import { TaskChanges } from './follow-tasks/task-changes.service.js';
import { createHttpAdapter, guardRoutes } from './http-server.js';
import { SYNC_QUEUES, VIDEO_QUEUES } from './redis-doors.js';
import { RefuseFilter } from './refuse/refuse.filter.js';
import { RunningAnswers } from './relay/running-answers.service.js';
import { traceRequests } from './trace-requests.js';

const SERVICE = 'api-edge';

configureExternalMemory();
const config = loadConfig(SERVICE, apiEdgeConfig);
const logger = createLogger({ service: SERVICE, level: config.logLevel });
const metrics = createMetrics(SERVICE);
const tracing = await openTracing({ service: SERVICE, ...config.tracing });
const doors = await EdgeDoors.open(config, logger);

const drain: Drain = new Drain({
  graceMs: config.shutdownGraceMs,
  logger,
  steps: [
    { name: 'listeners', run: async () => app.get(Listeners).dismiss() },
    { name: 'connections', run: (remainingMs) => connections.end(remainingMs) },
    // Those that go on without their client, and at the end of the grace time the rest.
    { name: 'running answers', run: (remainingMs) => app.get(RunningAnswers).drain(remainingMs) },
    { name: 'settlements', run: (remainingMs) => doors.settler.drain(remainingMs) },
    { name: 'http', run: () => app.close() },
    { name: 'doors', run: () => doors.close() },
    { name: 'traces', run: () => tracing.close() },
  ],
});

const health = HealthModule.with({
  isAlive: () => true,
  isDraining: () => drain.isDraining,
  checks: doors.redis.checks,
  metrics,
});
const app = await NestFactory.create<NestFastifyApplication>(
  AppModule.with({ config, logger, metrics, doors, health }),
  createHttpAdapter(config.trustedProxies),
  { bodyParser: false, logger: new NestLogger(logger) },
);
const connections = new OpenConnections(app.getHttpServer());
app.useGlobalFilters(app.get(RefuseFilter));
edgeGauges(metrics, {
  queues: { sync: app.get(SYNC_QUEUES), video: app.get(VIDEO_QUEUES) },
  running: app.get(RunningAnswers),
  relay: doors.relay,
  settler: doors.settler,
});
traceRequests(app.getHttpAdapter().getInstance(), tracing);
guardRoutes(app.getHttpAdapter().getInstance(), app.get(Authenticate));
doors.followKeyChanges(app.get(KeyReader));
doors.video.followTasks(app.get(TaskChanges));
await doors.settler.resume();
await app.listen({ port: config.port, host: config.host, backlog: 4_096 });
drain.listen();
logger.info({ port: config.port, relayPort: config.relayPort }, 'ready');
