export { estimateInputTokens } from './metering/estimate-input-tokens.js';
export type * from './protocol.js';
export { CHAT_PROTOCOLS } from './registry.js';
