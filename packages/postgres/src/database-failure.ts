/** SQLSTATE classes that say that the data itself is refused: sending it again cannot help. */
const DATA_CLASSES = ['22', '23'];

/**
 * SQLSTATE classes of what may go well at the next try: no connection, read-only, rolled back for another transaction's sake (a
 * deadlock), no resources, intervention.
 */
const AWAY_CLASSES = ['08', '25', '40', '53', '57'];

/** What the driver says by itself, which Prisma hands on as it is: a Postgres that is silent, or gone in the midst. */
const DRIVER_GAVE_UP = /^(Query read timeout|timeout exceeded when trying to connect|Connection terminated)/;

interface PrismaFailure {
  readonly code?: unknown;
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: { readonly originalCode?: unknown } } };
}

/** The SQLSTATE of a failed statement; undefined if Postgres did not say (it was not reached). */
function sqlStateOf(error: unknown): string | undefined {
  const code = (error as PrismaFailure | null)?.meta?.driverAdapterError?.cause?.originalCode;
  return typeof code === 'string' ? code : undefined;
}

/** True if the statement would fail again however often it is sent. */
export const isInvalidDataError = (error: unknown): boolean => {
  const state = sqlStateOf(error);
  return state !== undefined && DATA_CLASSES.includes(state.slice(0, 2));
};

/** True if Postgres was not reached, is silent or cannot serve now, such as while it starts: the same may succeed in a moment. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (!error.name.startsWith('PrismaClient')) return 'syscall' in error || DRIVER_GAVE_UP.test(error.message);
  const state = sqlStateOf(error);
  return state === undefined ? error.name !== 'PrismaClientValidationError' : AWAY_CLASSES.includes(state.slice(0, 2));
}

/** True if a row with that unique value exists. */
export const isUniqueViolation = (error: unknown): boolean =>
  (error as PrismaFailure | null)?.code === 'P2002' || sqlStateOf(error) === '23505';
