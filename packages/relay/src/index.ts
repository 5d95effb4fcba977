export { RelayPool, type RelayPoolOptions } from './client/relay-pool.js';
export { type ClientSocket, type ClientSocketHandlers, ClientSockets } from './client-socket/client-sockets.js';
export type { BodySource, StreamedBody } from './server/body-source.js';
export type { PendingRequest, PendingRequestHandlers } from './server/expected-request.js';
export { RelayServer, type RelayServerOptions } from './server/relay-server.js';
