import type { McpServerConfig } from '@gateway/config';
import {
  HealthModule,
  type Logger,
  type Metrics,
  memoryLimitBytes,
  NestLogger,
  type Tracing,
  withTimeout,
} from '@gateway/observability';
import { IDLE_CONNECTION_MS, OpenConnections, OperatorServer, UnidentifiedClients } from '@gateway/serving';
import { reportFaults, ThreadPool } from '@gateway/threads';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { Authenticate } from './authenticate/authenticate.service.js';
import { createHttpAdapter, guardRoutes } from './endpoints/http-server.js';
import { McpController } from './endpoints/mcp/mcp.controller.js';
import { McpErrorFilter } from './errors/mcp-error.filter.js';
import { MessagePace } from './limit-messages/message-pace.service.js';
import { MessageRoom } from './limit-messages/message-room.js';
import { McpResources } from './resources.js';
import { RunningCalls } from './run-tool/running-calls.service.js';

export interface McpParts {
  readonly config: McpServerConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly isDraining: () => boolean;
}

export interface RunningMcpServer {
  readonly port: number;
  /** Refuses new connections, waits at most `timeoutMs` for running calls, then aborts them. */
  finishCalls(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

const CLOSE_IDLE_EVERY_MS = 50;
/** Longer than an idle connection stays open. */
const LAST_REQUESTS_MS = IDLE_CONNECTION_MS + 1_000;

/** A message is there as bytes, and parsed in a thread and here. */
const SHARE_FOR_MESSAGES = 0.3;

/** Starts the service in this process. The gateway may start later. */
export async function startMcpServer({ isDraining, ...parts }: McpParts): Promise<RunningMcpServer> {
  const { config, logger, metrics } = parts;
  const resources = new McpResources(config);
  const checks = [{ name: 'api-edge', check: () => resources.ping() }];
  const health = HealthModule.with({ isAlive: () => true, isDraining, checks, metrics });
  const refused = new UnidentifiedClients(config.refusalsPerSecond);
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.with({ ...parts, resources, health }),
    createHttpAdapter(config, refused),
    { bodyParser: false, logger: new NestLogger(logger) },
  );
  app.useGlobalFilters(app.get(McpErrorFilter));
  const fastify = app.getHttpAdapter().getInstance();
  const threads = new ThreadPool({
    file: new URL('./endpoints/parse-thread.js', import.meta.url),
    maxThreads: 1,
    onFault: reportFaults(metrics, logger),
  });
  const room = new MessageRoom(Math.floor(memoryLimitBytes() * SHARE_FOR_MESSAGES));
  const authenticate = app.get(Authenticate);
  guardRoutes(fastify, { authenticate, pace: app.get(MessagePace), room, config, threads, refused });
  const operators = new OperatorServer(fastify, { host: config.host, port: config.opsPort });
  const connections = new OpenConnections(fastify.server);
  await operators.listen();
  await app.listen({ port: config.port, host: config.host });
  const address = fastify.server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : config.port,
    async finishCalls(timeoutMs) {
      const untilMs = Date.now() + timeoutMs;
      const calls = app.get(RunningCalls);
      const closed = connections.end(timeoutMs);
      await calls.drain(timeoutMs);
      // A kept-alive connection may carry one more request before its idle time closes it.
      await withTimeout(closed, LAST_REQUESTS_MS, () => undefined);
      await calls.drain(Math.max(0, untilMs - Date.now()));
      await app.get(McpController).endSubscriptions();
      await closed;
    },
    async close() {
      // A connection that still sends its last response becomes idle later: check repeatedly.
      operators.close();
      const closing = setInterval(() => fastify.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
      await app.close();
      clearInterval(closing);
      await resources.close();
      await threads.close();
    },
  };
}
