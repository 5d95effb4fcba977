import type { Metrics } from '@gateway/observability';

/** What this server counts, by names that dashboards rely on. */
export function mcpMetrics(metrics: Metrics) {
  return {
    toolCalls: metrics.counter('gateway_mcp_tool_calls_total', 'Tool calls by how they ended', ['tool', 'outcome']),
    toolSeconds: metrics.histogram('gateway_mcp_tool_seconds', 'From a tool call to its result', ['tool']),
    running: metrics.gauge('gateway_mcp_running_calls', 'Tool calls in hand', []),
  };
}

export type McpMetrics = ReturnType<typeof mcpMetrics>;

export const MCP_METRICS = Symbol('McpMetrics');
