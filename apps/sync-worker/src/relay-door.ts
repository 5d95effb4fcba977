/** Injection token of the sockets to the edges. */
export const RELAY_POOL = Symbol('RelayPool');
