import 'reflect-metadata';
import { loadConfig, mcpServerConfig } from '@gateway/config';
import { createLogger, createMetrics, Drain, openTracing } from '@gateway/observability';
import { keepCompiledCode } from '@gateway/serving';
import { startMcpServer } from './start-mcp-server.js';

const SERVICE = 'mcp-server';

keepCompiledCode();
const config = loadConfig(SERVICE, mcpServerConfig);
const logger = createLogger({ service: SERVICE, level: config.logLevel });
const metrics = createMetrics(SERVICE);
const tracing = await openTracing({ service: SERVICE, ...config.tracing });

const drain: Drain = new Drain({
  graceMs: config.shutdownGraceMs,
  logger,
  steps: [
    { name: 'running calls', run: (remainingMs) => server.finishCalls(remainingMs) },
    { name: 'http and resources', run: () => server.close() },
    { name: 'traces', run: () => tracing.close() },
  ],
});

const server = await startMcpServer({ config, logger, metrics, tracing, isDraining: () => drain.isDraining });
drain.listen();
logger.info({ port: server.port }, 'ready');
