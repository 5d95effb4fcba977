import { setTimeout as sleep } from 'node:timers/promises';
import { HealthModule, type Logger, type Metrics, NestLogger, type Tracing } from '@gateway/observability';
import { IDLE_CONNECTION_MS, OpenConnections } from '@gateway/serving';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { Authenticate } from './authenticate/authenticate.service.js';
import { McpController } from './endpoints/mcp/mcp.controller.js';
import { createHttpAdapter, guardRoutes } from './http-server.js';
import type { McpConfig } from './mcp-config.js';
import { McpDoors } from './mcp-doors.js';
import { RefuseFilter } from './refuse/refuse.filter.js';
import { RunningCalls } from './run-tool/running-calls.service.js';

export interface McpParts {
  readonly config: McpConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly isDraining: () => boolean;
}

export interface RunningMcpServer {
  readonly port: number;
  /** Takes no new connections, waits for the calls in hand, no longer than this, and ends what is left. */
  finishCalls(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

const CLOSE_IDLE_EVERY_MS = 50;
/** Longer than a connection may be quiet. */
const LAST_REQUESTS_MS = IDLE_CONNECTION_MS + 1_000;

/** Starts the whole service in this process. The gateway need not be there yet. */
export async function startMcpServer({ isDraining, ...parts }: McpParts): Promise<RunningMcpServer> {
  const { config, logger, metrics } = parts;
  const doors = new McpDoors(config);
  const checks = [{ name: 'api-edge', check: () => doors.ping() }];
  const health = HealthModule.with({ isAlive: () => true, isDraining, checks, metrics });
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.with({ ...parts, doors, health }),
    createHttpAdapter(config),
    { bodyParser: false, logger: new NestLogger(logger) },
  );
  app.useGlobalFilters(app.get(RefuseFilter));
  const fastify = app.getHttpAdapter().getInstance();
  guardRoutes(fastify, app.get(Authenticate), config);
  const connections = new OpenConnections(fastify.server);
  await app.listen({ port: config.port, host: config.host });
  const address = fastify.server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : config.port,
    async finishCalls(timeoutMs) {
      const untilMs = Date.now() + timeoutMs;
      const calls = app.get(RunningCalls);
      const ended = connections.end(timeoutMs);
      await calls.drain(timeoutMs);
      // A connection that its client keeps may bring one more request before it is closed for being quiet.
      await Promise.race([ended, sleep(LAST_REQUESTS_MS, undefined, { ref: false })]);
      await calls.drain(Math.max(0, untilMs - Date.now()));
      await app.get(McpController).endSubscriptions();
      await ended;
    },
    async close() {
      // A connection whose last answer is still going out becomes idle later, and its client may keep it for long.
      const closing = setInterval(() => fastify.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
      await app.close();
      clearInterval(closing);
      await doors.close();
    },
  };
}
