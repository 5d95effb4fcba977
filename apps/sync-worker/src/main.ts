import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { loadConfig, syncWorkerConfig } from '@gateway/config';
import { createLogger, createMetrics, Drain, HealthModule, NestLogger, openTracing } from '@gateway/observability';
import { configureExternalMemory } from '@gateway/serving';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { ConsumeTickets } from './consume-tickets.service.js';
import { WorkerDoors } from './worker-doors.js';
import { workerGauges } from './worker-gauges.js';

const SERVICE = 'sync-worker';

configureExternalMemory();
const config = loadConfig(SERVICE, syncWorkerConfig);
const logger = createLogger({ service: SERVICE, level: config.logLevel });
const metrics = createMetrics(SERVICE);
const tracing = await openTracing({ service: SERVICE, ...config.tracing });
const doors = await WorkerDoors.open(config, randomUUID(), logger);

const drain: Drain = new Drain({
  graceMs: config.shutdownGraceMs,
  logger,
  steps: [
    { name: 'running tickets', run: (remainingMs) => app.get(ConsumeTickets).drain(remainingMs) },
    { name: 'doors', run: (remainingMs) => doors.close(remainingMs) },
    { name: 'traces', run: () => tracing.close() },
    { name: 'http', run: () => app.close() },
  ],
});

const health = HealthModule.with({
  isAlive: () => app.get(ConsumeTickets).isAlive,
  isDraining: () => drain.isDraining,
  checks: doors.redis.checks,
  metrics,
});
const app = await NestFactory.create<NestFastifyApplication>(
  AppModule.with({ config, logger, metrics, tracing, doors, health }),
  new FastifyAdapter(),
  { logger: new NestLogger(logger) },
);
workerGauges(metrics, { tickets: app.get(ConsumeTickets), relay: doors.relay, settler: doors.settler });
await doors.settler.resume();
// From the first ticket on it ends in order.
drain.listen();
app.get(ConsumeTickets).start();
await app.listen({ port: config.port, host: config.host });
logger.info({ port: config.port, vendors: config.vendors }, 'ready');
