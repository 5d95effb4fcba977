import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';

export type { Logger } from 'pino';

export interface LoggerSettings {
  readonly service: string;
  readonly level: string;
  /** Standard output if absent. */
  readonly destination?: DestinationStream;
}

/**
 * Secrets in the written line, so at any depth and inside an error's text too: fields by the end of their name, keys of
 * ours and of vendors, credentials, passwords in addresses. (The library's own redaction by path costs five times a line.)
 */
const SECRETS: readonly (readonly [shape: RegExp, replacement: string])[] = [
  [/("[\w-]*(?:authorization|api-?key|credential|password|token|secret|cookie)":)"(?:[^"\\]|\\.)*"/gi, '$1"[removed]"'],
  [/\b(sk-|xai-|AIza|pa-)[A-Za-z0-9_-]{8,}/g, '$1[removed]'],
  [/\b(Bearer|Basic|Relay) [A-Za-z0-9._~+/:=-]{8,}/g, '$1 [removed]'],
  [/:\/\/([^\s:/?#@"\\]*):[^\s/?#@"\\]+@/g, '://$1:[removed]@'],
];

const withoutSecrets = (line: string): string =>
  SECRETS.reduce((text, [shape, replacement]) => text.replace(shape, replacement), line);

/** Lines leave together, at the latest after this time; the rest is written when the process exits. */
const BUFFERED = { sync: false, minLength: 4_096, periodicFlush: 500 };

/** One JSON line for each event, with ISO times. Secrets are removed; prompts are never logged. */
export function createLogger({ service, level, destination }: LoggerSettings): Logger {
  const options = {
    level,
    base: { service, pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    hooks: { streamWrite: withoutSecrets },
  };
  return pino(options, destination ?? pino.destination(BUFFERED));
}
