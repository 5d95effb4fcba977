import 'reflect-metadata';
import { batchWorkerConfig, loadConfig } from '@gateway/config';
import { createLogger, createMetrics, Drain, HealthModule, NestLogger, PROBE_SERVER } from '@gateway/observability';
import { configureExternalMemory, keepCompiledCode } from '@gateway/serving';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { FetchResults } from './keep-files/fetch-results.service.js';
import { openFileResources } from './keep-files/file-resources.js';
import { SweepObjects } from './keep-files/sweep-objects.service.js';
import { batchGauges } from './metrics.js';
import { WorkerResources } from './resources.js';
import { RunBatches } from './run-batches.service.js';

const SERVICE = 'batch-worker';

configureExternalMemory();
keepCompiledCode();
const config = loadConfig(SERVICE, batchWorkerConfig);
const logger = createLogger({ service: SERVICE, level: config.logLevel });
const metrics = createMetrics(SERVICE);
const resources = await WorkerResources.open(config, { logger, metrics });
const keeping = await openFileResources(config, { logger, metrics });

const drain: Drain = new Drain({
  graceMs: config.shutdownGraceMs,
  logger,
  steps: [
    { name: 'batches', run: (remainingMs) => app.get(RunBatches).drain(remainingMs) },
    { name: 'results', run: () => app.get(FetchResults).stop() },
    { name: 'sweep', run: () => app.get(SweepObjects).stop() },
    { name: 'files', run: () => keeping.close() },
    { name: 'resources', run: () => resources.close() },
    { name: 'http', run: () => app.close() },
  ],
});

const health = HealthModule.with({
  isAlive: () => true,
  isDraining: () => drain.isDraining,
  checks: [{ name: 'postgres', check: () => resources.batches.ping() }],
  metrics,
});
const app = await NestFactory.create<NestFastifyApplication>(
  AppModule.with({ config, logger, metrics, resources, keeping, health }),
  new FastifyAdapter(PROBE_SERVER),
  { logger: new NestLogger(logger) },
);
batchGauges(metrics, resources.batches);
app.get(FetchResults).start();
app.get(SweepObjects).start();
drain.listen();
app.get(RunBatches).start();
await app.listen({ port: config.port, host: config.host });
logger.info({ port: config.port }, 'ready');
