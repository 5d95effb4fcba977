import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { MODELS } from '@gateway/catalogue';
import { ChannelFailover } from '@gateway/channels';
import { loadConfig, syncWorkerConfig } from '@gateway/config';
import {
  createLogger,
  createMetrics,
  Drain,
  HealthModule,
  NestLogger,
  openTracing,
  PROBE_SERVER,
} from '@gateway/observability';
import { ChannelBoard, ChannelSync, countBeyondHold } from '@gateway/redis';
import { configureExternalMemory, keepCompiledCode } from '@gateway/serving';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { ReplyRoom } from './call-upstream/reply-room.js';
import { ConsumeTickets } from './consume-tickets.service.js';
import { RecoverRequests } from './keep-requests/recover-requests.service.js';
import { workerGauges } from './observability/metrics.js';
import { WorkerResources } from './resources.js';

const SERVICE = 'sync-worker';

configureExternalMemory();
keepCompiledCode();
const config = loadConfig(SERVICE, syncWorkerConfig);
const logger = createLogger({ service: SERVICE, level: config.logLevel });
const metrics = createMetrics(SERVICE);
const tracing = await openTracing({ service: SERVICE, ...config.tracing });
const resources = await WorkerResources.open(config, randomUUID(), { logger, metrics });

const drain: Drain = new Drain({
  graceMs: config.shutdownGraceMs,
  logger,
  steps: [
    { name: 'running tickets', run: (remainingMs) => app.get(ConsumeTickets).drain(remainingMs) },
    { name: 'channels', run: () => channels.stop() },
    { name: 'recovery', run: async () => recovery?.stop() },
    { name: 'resources', run: (remainingMs) => resources.close(remainingMs) },
    { name: 'traces', run: () => tracing.close() },
    { name: 'http', run: () => app.close() },
  ],
});

const health = HealthModule.with({
  isAlive: () => app.get(ConsumeTickets).isAlive,
  isDraining: () => drain.isDraining,
  checks: resources.redis.checks,
  metrics,
});
const app = await NestFactory.create<NestFastifyApplication>(
  AppModule.with({ config, logger, metrics, tracing, resources, health }),
  new FastifyAdapter(PROBE_SERVER),
  { logger: new NestLogger(logger) },
);
const recovery = config.store === undefined ? undefined : app.get(RecoverRequests);
countBeyondHold(metrics, resources.settler, MODELS);
workerGauges(metrics, {
  tickets: app.get(ConsumeTickets),
  relay: resources.relay,
  settler: resources.settler,
  replies: app.get(ReplyRoom),
});
const channels = new ChannelSync({
  service: SERVICE,
  board: new ChannelBoard(resources.redis.queues),
  channels: app.get(ChannelFailover),
  slots: () => app.get(ConsumeTickets).slots,
  logger,
});
await resources.settler.resume();
// Before the first ticket, so that a signal never interrupts one without draining.
drain.listen();
await channels.start();
app.get(ConsumeTickets).start();
recovery?.start();
await app.listen({ port: config.port, host: config.host });
logger.info({ port: config.port, vendors: config.vendors }, 'worker ready');
