import 'reflect-metadata';
import { serveReference } from '@gateway/api-reference';
import { MODELS } from '@gateway/catalogue';
import { apiEdgeConfig, loadConfig } from '@gateway/config';
import { createLogger, createMetrics, Drain, HealthModule, NestLogger, openTracing } from '@gateway/observability';
import { countBeyondHold, reportProcess } from '@gateway/redis';
import { configureExternalMemory, keepCompiledCode, OpenConnections, OperatorServer } from '@gateway/serving';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AccountFunds } from './admit/account-funds.service.js';
import { AppModule } from './app.module.js';
import { Authenticate } from './authenticate/authenticate.service.js';
import { KeyLookup } from './authenticate/key-lookup.service.js';
import { KeepContents } from './contents/keep-contents.service.js';
import { ResponsesSockets } from './endpoints/responses-socket/responses-sockets.service.js';
import { EdgeErrorFilter } from './errors/edge-error.filter.js';
import { OpenWaits } from './follow-tasks/open-waits.service.js';
import { TaskChanges } from './follow-tasks/task-changes.service.js';
import { createHttpAdapter, registerRequestHooks } from './http/server.js';
import { edgeGauges } from './observability/gauges.js';
import { traceRequests } from './observability/trace-requests.js';
import { ReceiveBodies } from './receive/receive-bodies.service.js';
import { ReceiveUnidentified } from './receive/receive-unidentified.service.js';
import { RunningResponses } from './relay/running-responses.service.js';
import { openResources } from './resources.js';
import { ResponseWriter } from './response-state/response-writer.service.js';
import { BODY_ROOM, TICKET_QUEUES } from './tokens.js';

const SERVICE = 'api-edge';

configureExternalMemory();
keepCompiledCode();
const config = loadConfig(SERVICE, apiEdgeConfig);
const logger = createLogger({ service: SERVICE, level: config.logLevel });
const metrics = createMetrics(SERVICE);
const tracing = await openTracing({ service: SERVICE, ...config.tracing });
const resources = await openResources(config, { logger, metrics });

const drain: Drain = new Drain({
  graceMs: config.shutdownGraceMs,
  logger,
  steps: [
    { name: 'open waits', run: async () => app.get(OpenWaits).abortAll() },
    { name: 'sockets', run: (remainingMs) => app.get(ResponsesSockets).end(remainingMs) },
    { name: 'connections', run: (remainingMs) => connections.end(remainingMs) },
    // Responses whose client has left, and at the end of the grace time all others.
    { name: 'running responses', run: (remainingMs) => app.get(RunningResponses).drain(remainingMs) },
    { name: 'stored responses', run: (remainingMs) => app.get(ResponseWriter).drain(remainingMs) },
    { name: 'kept contents', run: (remainingMs) => app.get(KeepContents).drain(remainingMs) },
    { name: 'settlements', run: (remainingMs) => resources.settler.drain(remainingMs) },
    { name: 'operators', run: async () => operators.close() },
    { name: 'presence', run: () => presence.stop() },
    { name: 'http', run: () => app.close() },
    { name: 'resources', run: () => resources.close() },
    { name: 'traces', run: () => tracing.close() },
  ],
});

const health = HealthModule.with({
  isAlive: () => true,
  isDraining: () => drain.isDraining,
  checks: resources.redis.checks,
  metrics,
});
const app: NestFastifyApplication = await NestFactory.create<NestFastifyApplication>(
  AppModule.with({ config, logger, metrics, resources, health }),
  createHttpAdapter(config.trustedProxies, (request) => app.get(ReceiveUnidentified).checkRefused(request)),
  { bodyParser: false, logger: new NestLogger(logger) },
);
const connections = new OpenConnections(app.getHttpServer());
app.get(ResponsesSockets).listen(app.getHttpServer());
app.useGlobalFilters(app.get(EdgeErrorFilter));
countBeyondHold(metrics, resources.settler, MODELS);
edgeGauges(metrics, {
  queues: app.get(TICKET_QUEUES),
  running: app.get(RunningResponses),
  relay: resources.relay,
  settler: resources.settler,
  bodies: app.get(BODY_ROOM),
  sockets: app.get(ResponsesSockets),
  waits: app.get(OpenWaits),
});
traceRequests(app.getHttpAdapter().getInstance(), tracing);
registerRequestHooks(app.getHttpAdapter().getInstance(), {
  authenticate: app.get(Authenticate),
  bodies: app.get(ReceiveBodies),
  unidentified: app.get(ReceiveUnidentified),
  funds: app.get(AccountFunds),
});
serveReference(app.getHttpAdapter().getInstance(), 'public');
const operators = new OperatorServer(app.getHttpAdapter().getInstance(), { host: config.host, port: config.opsPort });
resources.followKeyChanges(app.get(KeyLookup));
resources.followTaskChanges(app.get(TaskChanges));
await resources.settler.resume();
await operators.listen();
await app.listen({ port: config.port, host: config.host, backlog: 4_096 });
const presence = reportProcess(SERVICE, resources.redis.queues, logger);
drain.listen();
logger.info({ port: config.port, relayPort: config.relayPort }, 'ready');
