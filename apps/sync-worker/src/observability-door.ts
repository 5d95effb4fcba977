/** Injection tokens of logs and traces. */
export const LOGGER = Symbol('Logger');
export const TRACING = Symbol('Tracing');
