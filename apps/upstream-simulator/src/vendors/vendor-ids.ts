import { randomBytes } from 'node:crypto';

/** Keeps the ids of two runs apart. */
const RUN = randomBytes(6).toString('hex');
let counter = 0;

/** A new id of `length` characters 0-9a-z, unique in this process. */
export const newId = (length: number): string => {
  counter += 1;
  return (RUN + counter.toString(36).padStart(length - RUN.length, '0')).slice(-length);
};

/** Shaped like a UUID, as DashScope's ids are. */
export const newUuid = (): string => {
  counter += 1;
  const tail = counter.toString(16).padStart(12, '0');
  return `${RUN.slice(0, 8)}-${RUN.slice(8, 12)}-9182-a1dc-${tail}`;
};

export const nowSeconds = (): number => Math.floor(Date.now() / 1000);
const BEARER = /^Bearer\s+(.+)$/i;

export const bearerToken = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : BEARER.exec(authorization)?.[1]?.trim();

/** Finds a row by its id. */
export const findById = <Row extends { readonly id: string }>(rows: readonly Row[]) => {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return (id: string): Row | undefined => byId.get(id);
};
