/** Injection tokens of what `packages/redis` gives. */
export const SETTLER = Symbol('Settler');
