import type { McpServerConfig } from '@gateway/config';

export type McpConfig = McpServerConfig;

export const MCP_CONFIG = Symbol('McpConfig');
