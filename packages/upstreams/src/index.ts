export { joinEmbeddings } from './embedding-list/join-embeddings.js';
export { estimateInputTokens } from './metering/estimate-input-tokens.js';
export type * from './protocol.js';
export { CHAT_PROTOCOLS, EMBEDDING_PROTOCOLS } from './registry.js';
