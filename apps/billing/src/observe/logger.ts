import { type Logger as PinoLogger, pino } from 'pino';

export type Logger = PinoLogger;

/** Injection token of the logger. */
export const LOGGER = Symbol('Logger');

/** JSON lines; nothing secret is ever given to it, and what could be is taken out all the same. */
export const createLogger = (level: string): Logger =>
  pino({
    level,
    base: { service: 'billing' },
    redact: ['*.authorization', '*.cookie', '*.password', '*.token', '*.key', '*.apiKey'],
  });
