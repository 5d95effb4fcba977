/** Injection tokens. Each value's type lives with its interface: `Logger`, `Tracing`, `McpServerConfig`, `McpMetrics`, `OpenGateway`. */
export const LOGGER = Symbol('Logger');
export const TRACING = Symbol('Tracing');
export const MCP_CONFIG = Symbol('McpConfig');
export const MCP_METRICS = Symbol('McpMetrics');
export const OPEN_GATEWAY = Symbol('OpenGateway');
