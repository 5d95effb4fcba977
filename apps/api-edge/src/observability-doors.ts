/** Injection tokens of logs and metrics. */
export const LOGGER = Symbol('Logger');
