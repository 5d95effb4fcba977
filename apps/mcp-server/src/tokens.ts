export type { Logger, Tracing } from '@gateway/observability';

/** Injection token of the logger. */
export const LOGGER = Symbol('Logger');

/** Injection token of the spans. */
export const TRACING = Symbol('Tracing');
