export type { Claimed } from './client/claimed-request.js';
export { RelayAbort, type RelayAbortReason, relayAbortReason } from './client/relay-abort.js';
export { RelayPool, type RelayPoolOptions } from './client/relay-pool.js';
export { RelayProtocolError } from './codec/relay-protocol-error.js';
export { RELAY_PATH } from './relay-path.js';
export { RelayServer, type RelayServerOptions } from './server/relay-server.js';
export type { BodySource, Waiting, WaitingHandlers } from './server/waiting-request.js';
