import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';

export type { Logger } from 'pino';

export interface LoggerSettings {
  readonly service: string;
  readonly level: string;
  /** Standard output if absent. */
  readonly destination?: DestinationStream;
}

const SECRET_FIELDS = ['authorization', 'x-api-key', 'apiKey', 'credential', 'password', 'token', 'secret', 'cookie'];
/** A key of ours, or of a vendor, wherever it stands in a line. */
const KEY_SHAPE = /\b(sk-|xai-|AIza|pa-)[A-Za-z0-9_-]{8,}/g;

/** Lines leave together, at the latest after this time; the rest is written when the process exits. */
const BUFFERED = { sync: false, minLength: 4_096, periodicFlush: 500 };

/** One JSON line for each event, with ISO times. Secrets are removed by field and by shape; prompts are never logged. */
export function createLogger({ service, level, destination }: LoggerSettings): Logger {
  const paths = SECRET_FIELDS.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]);
  const options = {
    level,
    base: { service, pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    redact: { paths, censor: '[removed]' },
    hooks: { streamWrite: (line: string) => line.replace(KEY_SHAPE, '$1[removed]') },
  };
  return pino(options, destination ?? pino.destination(BUFFERED));
}
