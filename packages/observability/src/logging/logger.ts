import { type DestinationStream, type LogFn, type Logger, pino, stdTimeFunctions } from 'pino';
import { LineBatches } from './line-batches.js';
import { StandardOutput } from './standard-output.js';
import { WarningLimit } from './warning-limit.js';

export type { Logger } from 'pino';

export interface LoggerSettings {
  readonly service: string;
  readonly level: string;
  /** Default: standard output. */
  readonly destination?: DestinationStream;
}

/**
 * Patterns of secrets: fields by the end of their name, API keys, credentials, passwords in URLs. The logger removes them
 * from the written line, so at any depth and inside error texts. pino's redaction by path costs five times as much.
 */
const SECRETS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/("[\w-]*(?:authorization|api-?key|credential|password|token|secret|cookie)":)"(?:[^"\\]|\\.)*"/gi, '$1"[removed]"'],
  [/\b(sk-|AIza)[A-Za-z0-9_-]{8,}/g, '$1[removed]'],
  // Long, because names of channels begin so too.
  [/\b(xai-|pa-)[A-Za-z0-9_-]{32,}/g, '$1[removed]'],
  [/\b(Bearer|Basic|Relay) [A-Za-z0-9._~+/:=-]{8,}/g, '$1 [removed]'],
  [/:\/\/([^\s:/?#@"\\]*):[^\s/?#@"\\]+@/g, '://$1:[removed]@'],
];

/** In every line that one of the patterns changes. Most lines have none of them: one search spares them five. */
const SUSPICION =
  /authorization|api-?key|credential|password|token|secret|cookie|sk-|AIza|xai-|pa-|bearer|basic|relay|:\/\//i;

const removeSecrets = (line: string): string =>
  SUSPICION.test(line)
    ? SECRETS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line)
    : line;

/** Lines are written in batches of what one write takes, at the latest after 500 ms and when the process exits. */
function batchedLines(output: StandardOutput): LineBatches {
  const lines = new LineBatches(output, { batchLength: 16_000, maxWaitMs: 500 });
  process.once('beforeExit', () => lines.flushSync());
  process.once('exit', () => {
    if (lines.isWaiting || output.isWaiting) lines.flushSync();
  });
  return lines;
}

/** Not `process.stdout.fd`, which would open a stream. */
const STDOUT = 1;
const WARN = 40;

/** Leaves out warnings with the same error beyond a number. Errors are never left out: each may be a fault of its own. */
function limitWarnings() {
  const limit = new WarningLimit();
  return function log(this: Logger, args: Parameters<LogFn>, method: LogFn, level: number): void {
    const [fields, message] = args as unknown as [{ readonly err?: unknown } | string, unknown];
    const isLimited = level === WARN && typeof fields !== 'string' && fields.err instanceof Error;
    const leftOut = isLimited ? limit.count(`${String(message)} ${(fields.err as Error).message}`) : 0;
    if (leftOut === 0) method.apply(this, args);
    else if (leftOut !== undefined) method.apply(this, [{ ...(fields as object), leftOut }, String(message)]);
  };
}

/** Writes one JSON line per event, with ISO times. It removes secrets. Never log a prompt. */
export function createLogger({ service, level, destination }: LoggerSettings): Logger {
  const options = {
    level,
    base: { service, pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    hooks: { streamWrite: removeSecrets, logMethod: limitWarnings() },
  };
  if (destination !== undefined) return pino(options, destination);
  const output = new StandardOutput(STDOUT);
  const logger = pino(options, batchedLines(output));
  output.onLost = (lines) => logger.warn({ lines }, 'log lines lost');
  return logger;
}
