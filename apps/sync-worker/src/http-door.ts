/** Injection token of the pools that reach upstreams. */
export const HTTP_POOLS = Symbol('HttpPools');
