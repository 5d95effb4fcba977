/** Injection token of the edge's side of the relay. */
export const RELAY_SERVER = Symbol('RelayServer');
