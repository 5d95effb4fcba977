export { configureExternalMemory } from './configure-external-memory.js';
export { errorHeaders } from './error-headers.js';
export { isAllowedFrom } from './is-allowed-from.js';
export { type KnownMethods, knownMethods } from './known-methods.js';
export { IDLE_CONNECTION_MS, OpenConnections } from './open-connections.js';
export { readProxiedAddresses } from './proxied-addresses.js';
export { refuseConnection } from './refuse-connection.js';
export { refuseEncodedBody } from './refuse-encoded-body.js';
export { refuseRepeatedHost } from './refuse-repeated-host.js';
