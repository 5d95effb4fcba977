/** Injection token of the logger. */
export const LOGGER = Symbol('Logger');
