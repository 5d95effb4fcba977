export type { Logger } from '@gateway/observability';

/** Injection token of the logger. */
export const LOGGER = Symbol('Logger');
