export { errorHeaders } from './error-headers.js';
export { type KnownMethods, knownMethods } from './known-methods.js';
export { letBodiesDieYoung } from './let-bodies-die-young.js';
export { OpenConnections, QUIET_MS } from './open-connections.js';
export { readProxiedAddresses } from './proxied-addresses.js';
export { refuseConnection } from './refuse-connection.js';
export { refuseEncodedBody } from './refuse-encoded-body.js';
