import type { McpServerConfig } from '@gateway/config';
import type { Logger, Metrics, Tracing } from '@gateway/observability';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { Authenticate } from './authenticate/authenticate.service.js';
import { CallTool } from './call-tool.service.js';
import { McpController } from './endpoints/mcp/mcp.controller.js';
import { McpServers } from './endpoints/mcp/mcp-servers.service.js';
import { McpErrorFilter } from './errors/mcp-error.filter.js';
import { MessagePace } from './limit-messages/message-pace.service.js';
import { mcpMetrics } from './metrics.js';
import type { McpResources } from './resources.js';
import { RunTool } from './run-tool/run-tool.service.js';
import { RunningCalls } from './run-tool/running-calls.service.js';
import { LOGGER, MCP_CONFIG, MCP_METRICS, TRACING } from './tokens.js';

const STAGES = [Authenticate, McpServers, CallTool, RunTool, RunningCalls, MessagePace, McpErrorFilter];

export interface McpSetup {
  readonly config: McpServerConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly health: DynamicModule;
  readonly resources: McpResources;
}

/** Wires the endpoint, its stages and the resources. */
@Module({})
export class AppModule {
  static with({ config, logger, metrics, tracing, resources, health }: McpSetup): DynamicModule {
    const values: Provider[] = [
      { provide: MCP_CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
      { provide: TRACING, useValue: tracing },
      { provide: MCP_METRICS, useValue: mcpMetrics(metrics) },
      ...resources.providers,
    ];
    return { module: AppModule, imports: [health], controllers: [McpController], providers: [...values, ...STAGES] };
  }
}
