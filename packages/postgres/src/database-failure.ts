/** SQLSTATE classes that say that the data itself is refused: sending it again cannot help. */
const DATA_CLASSES = ['22', '23'];

interface PrismaFailure {
  readonly code?: unknown;
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: { readonly originalCode?: unknown } } };
}

/** The SQLSTATE of a failed statement; undefined if Postgres did not say (it was not reached). */
export function sqlStateOf(error: unknown): string | undefined {
  const code = (error as PrismaFailure | null)?.meta?.driverAdapterError?.cause?.originalCode;
  return typeof code === 'string' ? code : undefined;
}

/** True if the statement would fail again however often it is sent. */
export const isDataRefused = (error: unknown): boolean => {
  const state = sqlStateOf(error);
  return state !== undefined && DATA_CLASSES.includes(state.slice(0, 2));
};

/** True if a row with that unique value exists. */
export const isUniqueViolation = (error: unknown): boolean =>
  (error as PrismaFailure | null)?.code === 'P2002' || sqlStateOf(error) === '23505';
