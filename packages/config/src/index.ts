export { type ApiEdgeConfig, apiEdgeConfig } from './api-edge.config.js';
export { type BillingConfig, billingConfig } from './billing.config.js';
export type { ChannelConfig } from './channels.js';
export { ConfigError, loadConfig } from './load-config.js';
export { type McpServerConfig, mcpServerConfig } from './mcp-server.config.js';
export { type SyncWorkerConfig, syncWorkerConfig } from './sync-worker.config.js';
export { type UpstreamSimulatorConfig, upstreamSimulatorConfig } from './upstream-simulator.config.js';
export { type VendorCheckConfig, vendorCheckConfig } from './vendor-check.config.js';
export { type VideoWorkerConfig, videoWorkerConfig } from './video-worker.config.js';
