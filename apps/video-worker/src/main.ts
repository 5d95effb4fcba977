import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { ChannelFailover } from '@gateway/channels';
import { loadConfig, videoWorkerConfig } from '@gateway/config';
import {
  createLogger,
  createMetrics,
  Drain,
  HealthModule,
  NestLogger,
  openTracing,
  PROBE_SERVER,
} from '@gateway/observability';
import { ChannelBoard, ChannelSync } from '@gateway/redis';
import { keepCompiledCode } from '@gateway/serving';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { workerGauges } from './metrics.js';
import { ObserveTasks } from './polling/observe-tasks.service.js';
import { PollConsumer } from './polling/poll-consumer.service.js';
import { SweepLoop } from './recovery/sweep-loop.service.js';
import { WorkerResources } from './resources.js';
import { SubmissionConsumer } from './submission/submission-consumer.service.js';
import { SUBMISSION_ROOM } from './tokens.js';
import { WebhookStage } from './webhooks/webhook-stage.service.js';

const SERVICE = 'video-worker';

keepCompiledCode();
const config = loadConfig(SERVICE, videoWorkerConfig);
const logger = createLogger({ service: SERVICE, level: config.logLevel });
const metrics = createMetrics(SERVICE);
const tracing = await openTracing({ service: SERVICE, ...config.tracing });
const resources = await WorkerResources.open(config, randomUUID(), { logger, metrics });
const hasStage = (stage: (typeof config.stages)[number]): boolean => config.stages.includes(stage);

const drain: Drain = new Drain({
  graceMs: config.shutdownGraceMs,
  logger,
  steps: [
    { name: 'sweep', run: () => Promise.all([app.get(SweepLoop).stop(), app.get(ObserveTasks).stop()]) },
    {
      name: 'submissions, polls and deliveries',
      run: (remainingMs) =>
        Promise.all([
          app.get(SubmissionConsumer).drain(remainingMs),
          app.get(PollConsumer).drain(remainingMs),
          app.get(WebhookStage).stop(),
        ]),
    },
    { name: 'channels', run: () => channels.stop() },
    { name: 'resources', run: (remainingMs) => resources.close(remainingMs) },
    { name: 'traces', run: () => tracing.close() },
    { name: 'http', run: () => app.close() },
  ],
});

const health = HealthModule.with({
  isAlive: () => app.get(SubmissionConsumer).isAlive && app.get(PollConsumer).isAlive,
  isDraining: () => drain.isDraining,
  checks: [...resources.redis.checks, { name: 'postgres', check: () => resources.database.ping() }],
  metrics,
});
const app = await NestFactory.create<NestFastifyApplication>(
  AppModule.with({ config, logger, metrics, tracing, resources, health }),
  new FastifyAdapter(PROBE_SERVER),
  { logger: new NestLogger(logger) },
);
const polledVendors = hasStage('poll') ? config.vendors : [];
workerGauges(metrics, {
  settler: resources.settler,
  room: app.get(SUBMISSION_ROOM),
  pollQueues: [...resources.pollQueues].filter(([vendor]) => polledVendors.includes(vendor)),
});
const channels = new ChannelSync({
  service: SERVICE,
  board: new ChannelBoard(resources.redis.queues),
  channels: app.get(ChannelFailover),
  logger,
});
await resources.settler.resume();
// Before the first ticket, so that SIGTERM drains it.
drain.listen();
await channels.start();
if (hasStage('submit')) app.get(SubmissionConsumer).start();
if (hasStage('poll')) {
  app.get(PollConsumer).start();
  app.get(SweepLoop).start();
}
app.get(ObserveTasks).start();
if (hasStage('notify')) app.get(WebhookStage).start();
await app.listen({ port: config.port, host: config.host });
logger.info({ port: config.port, stages: config.stages, vendors: config.vendors }, 'ready');
