import type { Metrics } from '@gateway/observability';

/** Registers this server's metrics. Dashboards and alerts rely on the names. */
export function mcpMetrics(metrics: Metrics) {
  return {
    toolCalls: metrics.counter('gateway_mcp_tool_calls_total', 'Tool calls by outcome', ['tool', 'outcome']),
    toolSeconds: metrics.histogram('gateway_mcp_tool_seconds', 'Duration of a tool call, in seconds', ['tool']),
    running: metrics.gauge('gateway_mcp_running_calls', 'Tool calls in progress', []),
  };
}

export type McpMetrics = ReturnType<typeof mcpMetrics>;
