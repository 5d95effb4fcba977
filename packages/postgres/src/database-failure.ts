import { types } from 'node:util';
import { DatabaseError } from 'pg';

/** SQLSTATE classes of refused data: a retry fails again. */
const DATA_CLASSES = ['22', '23'];

/**
 * SQLSTATE classes after which a retry may succeed: no connection, read-only, role or password refused, no such database,
 * rolled back (such as a deadlock), no resources, not in the right state (such as a lock that is taken, or a database that
 * accepts no connections), intervention, a failed disk.
 */
const UNAVAILABLE_CLASSES = ['08', '25', '28', '3D', '40', '53', '55', '57', '58'];

/** Errors of the driver itself, which Prisma passes on: PostgreSQL did not respond, or closed the connection. */
const DRIVER_ERROR =
  /^(Query read timeout|timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;

/** The driver waited in vain: PostgreSQL is silent, or each connection is taken. */
const SILENCE =
  /^(Query read timeout|timeout exceeded when trying to connect|Connection terminated due to connection timeout)/;

/** PostgreSQL did not reply to the statement before this one. */
export class StatementNotSent extends Error {
  constructor(cause: unknown) {
    super('PostgreSQL is silent, and the statement was not sent', { cause });
  }
}

interface PrismaFailure {
  readonly code?: unknown;
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: { readonly originalCode?: unknown } } };
}

/** The SQLSTATE of a failed statement; undefined: PostgreSQL was not reached. */
function sqlStateOf(error: unknown): string | undefined {
  const code =
    error instanceof DatabaseError
      ? error.code
      : (error as PrismaFailure | null)?.meta?.driverAdapterError?.cause?.originalCode;
  return typeof code === 'string' ? code : undefined;
}

/** True if a retry of the statement would fail again, because PostgreSQL refuses its data. */
export const isInvalidDataError = (error: unknown): boolean => {
  const state = sqlStateOf(error);
  return state !== undefined && DATA_CLASSES.includes(state.slice(0, 2));
};

/** True if PostgreSQL was not reached, did not respond or cannot serve now: a retry may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  const state = sqlStateOf(error);
  if (state !== undefined) return UNAVAILABLE_CLASSES.includes(state.slice(0, 2));
  if (error.name.startsWith('PrismaClient')) return error.name !== 'PrismaClientValidationError';
  // A name with several addresses, none of which could be reached.
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  return 'syscall' in error || error instanceof StatementNotSent || DRIVER_ERROR.test(error.message);
}

/** True if PostgreSQL did not respond in time. */
export const isSilence = (error: unknown): boolean => types.isNativeError(error) && SILENCE.test(error.message);

/** Errors of the driver after which PostgreSQL may have run the statement, or may still run it. */
const LOST_REPLY = /^(Query read timeout|Connection terminated(?! due to connection timeout))/;

/** True if it is unknown whether PostgreSQL has run the statement: it was sent, and no reply came. */
export function isReplyLost(error: unknown): boolean {
  if (!types.isNativeError(error) || sqlStateOf(error) !== undefined) return false;
  return LOST_REPLY.test(error.message) || ('syscall' in error && error.syscall !== 'connect');
}

/** True if a row with the same unique value exists. */
export const isUniqueViolation = (error: unknown): boolean =>
  (error as PrismaFailure | null)?.code === 'P2002' || sqlStateOf(error) === '23505';
