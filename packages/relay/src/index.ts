export type { RequestStream } from './client/claimed-request.js';
export { RelayAbort, type RelayAbortReason, relayAbortReason } from './client/relay-abort.js';
export { type Claim, RelayPool, type RelayPoolOptions } from './client/relay-pool.js';
export type { BodySource, StreamedBody } from './server/body-source.js';
export type { PendingRequest, PendingRequestHandlers } from './server/expected-request.js';
export { RelayServer, type RelayServerOptions } from './server/relay-server.js';
