import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { loadConfig, videoWorkerConfig } from '@gateway/config';
import { createLogger, createMetrics, Drain, HealthModule, NestLogger, openTracing } from '@gateway/observability';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { ConsumeAlarms } from './consume-alarms.service.js';
import { ConsumeTickets } from './consume-tickets.service.js';
import { NotifyStage } from './notify/notify-stage.service.js';
import { ObserveTasks } from './observe-tasks.service.js';
import { SweepTasks } from './sweep-tasks.service.js';
import { WorkerDoors } from './worker-doors.js';
import { workerGauges } from './worker-gauges.js';

const SERVICE = 'video-worker';

const config = loadConfig(SERVICE, videoWorkerConfig);
const logger = createLogger({ service: SERVICE, level: config.logLevel });
const metrics = createMetrics(SERVICE);
const tracing = await openTracing({ service: SERVICE, ...config.tracing });
const doors = await WorkerDoors.open(config, randomUUID(), logger);
const does = (stage: (typeof config.stages)[number]): boolean => config.stages.includes(stage);

const drain: Drain = new Drain({
  graceMs: config.shutdownGraceMs,
  logger,
  steps: [
    { name: 'sweep', run: () => Promise.all([app.get(SweepTasks).stop(), app.get(ObserveTasks).stop()]) },
    {
      name: 'submissions, looks and deliveries',
      run: (remainingMs) =>
        Promise.all([
          app.get(ConsumeTickets).drain(remainingMs),
          app.get(ConsumeAlarms).drain(remainingMs),
          app.get(NotifyStage).stop(),
        ]),
    },
    { name: 'doors', run: (remainingMs) => doors.close(remainingMs) },
    { name: 'traces', run: () => tracing.close() },
    { name: 'http', run: () => app.close() },
  ],
});

const health = HealthModule.with({
  isAlive: () => app.get(ConsumeTickets).isAlive && app.get(ConsumeAlarms).isAlive,
  isDraining: () => drain.isDraining,
  checks: [...doors.redis.checks, { name: 'postgres', check: () => doors.database.ping() }],
  metrics,
});
const app = await NestFactory.create<NestFastifyApplication>(
  AppModule.with({ config, logger, metrics, tracing, doors, health }),
  new FastifyAdapter(),
  { logger: new NestLogger(logger) },
);
const heard = does('poll') ? config.vendors : [];
workerGauges(metrics, {
  settler: doors.settler,
  alarms: [...doors.pollQueues].filter(([vendor]) => heard.includes(vendor)),
});
await doors.settler.resume();
// From the first ticket on it ends in order.
drain.listen();
if (does('submit')) app.get(ConsumeTickets).start();
if (does('poll')) {
  app.get(ConsumeAlarms).start();
  app.get(SweepTasks).start();
}
app.get(ObserveTasks).start();
if (does('notify')) app.get(NotifyStage).start();
await app.listen({ port: config.port, host: config.host });
logger.info({ port: config.port, stages: config.stages, vendors: config.vendors }, 'ready');
