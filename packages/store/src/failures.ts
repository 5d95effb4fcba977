/** There is no object of this key. */
export class ObjectMissing extends Error {
  constructor(key: string, options?: ErrorOptions) {
    super(`store: there is no object ${key}`, options);
    this.name = 'ObjectMissing';
  }
}

/** The disk, the bucket or its quota has no room. */
export class StoreFull extends Error {
  constructor(options?: ErrorOptions) {
    super('store: there is no room left', options);
    this.name = 'StoreFull';
  }
}

/** A sweep has removed the row of an object while its bytes were written. */
export class AnnouncementGone extends Error {
  constructor(key: string) {
    super(`store: the row of ${key} was removed while it was written`);
    this.name = 'AnnouncementGone';
  }
}

/** An object has more or fewer bytes than its owner knows. */
export class ObjectDamaged extends Error {
  constructor(key: string, options?: ErrorOptions) {
    super(`store: the object ${key} has another length`, options);
    this.name = 'ObjectDamaged';
  }
}

export const isObjectMissing = (error: unknown): boolean => error instanceof ObjectMissing;
export const isStoreFull = (error: unknown): boolean => error instanceof StoreFull;

/** Codes of the file system, and names of S3 and of servers that speak it. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage']);
const MISSING = new Set(['ENOENT', 'NoSuchKey', 'NotFound']);
const INSUFFICIENT_STORAGE = 507;

interface DriverError {
  readonly code?: unknown;
  readonly name?: unknown;
  readonly cause?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const isDriverError = (error: unknown): error is DriverError => typeof error === 'object' && error !== null;

/** Drivers wrap the error of their library, so the causes are searched too. */
function causesOf(error: unknown): readonly DriverError[] {
  const causes: DriverError[] = [];
  for (let cause = error; isDriverError(cause); cause = cause.cause) causes.push(cause);
  return causes;
}

const isNamed = (names: ReadonlySet<string>, { code, name }: DriverError): boolean =>
  (typeof code === 'string' && names.has(code)) || (typeof name === 'string' && names.has(name));

export function saysFull(error: unknown): boolean {
  return causesOf(error).some(
    (cause) => isNamed(FULL, cause) || cause.$metadata?.httpStatusCode === INSUFFICIENT_STORAGE,
  );
}

export const saysDamaged = (error: unknown): boolean => causesOf(error).some((cause) => cause instanceof ObjectDamaged);

export const saysMissing = (error: unknown): boolean => causesOf(error).some((cause) => isNamed(MISSING, cause));
