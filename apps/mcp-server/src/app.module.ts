import type { Logger, Metrics, Tracing } from '@gateway/observability';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { Authenticate } from './authenticate/authenticate.service.js';
import { CallTool } from './call-tool.service.js';
import { McpController } from './endpoints/mcp/mcp.controller.js';
import { McpServers } from './endpoints/mcp/mcp-servers.service.js';
import { MCP_CONFIG, type McpConfig } from './mcp-config.js';
import type { McpDoors } from './mcp-doors.js';
import { MCP_METRICS, mcpMetrics } from './mcp-metrics.js';
import { LOGGER, TRACING } from './observability-door.js';
import { RefuseFilter } from './refuse/refuse.filter.js';
import { RunTool } from './run-tool/run-tool.service.js';
import { RunningCalls } from './run-tool/running-calls.service.js';

const STAGES = [Authenticate, McpServers, CallTool, RunTool, RunningCalls, RefuseFilter];

export interface McpSetup {
  readonly config: McpConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly health: DynamicModule;
  readonly doors: McpDoors;
}

/** The tool server: one endpoint, its stages, and the doors that it was given. */
@Module({})
export class AppModule {
  static with({ config, logger, metrics, tracing, doors, health }: McpSetup): DynamicModule {
    const given: Provider[] = [
      { provide: MCP_CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
      { provide: TRACING, useValue: tracing },
      { provide: MCP_METRICS, useValue: mcpMetrics(metrics) },
      ...doors.providers,
    ];
    return { module: AppModule, imports: [health], controllers: [McpController], providers: [...given, ...STAGES] };
  }
}
