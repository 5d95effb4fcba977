export type RequestSearch = Readonly<Record<string, string | undefined>>;

const FILTERS = [
  'outcome',
  'key_id',
  'member_id',
  'model',
  'endpoint',
  'status',
  'request_id',
  'idempotency_key',
  'min_cost_usd',
  'max_cost_usd',
  'from',
  'to',
];

const HOUR_MS = 60 * 60 * 1_000;

/** `since` of the address, in milliseconds. */
const SINCE_MS: ReadonlyMap<string | undefined, number> = new Map([
  ['hour', HOUR_MS],
  ['day', 24 * HOUR_MS],
  ['week', 7 * 24 * HOUR_MS],
  ['month', 30 * 24 * HOUR_MS],
]);

/** The part of the address that filters. Other names are no filters, and the list would refuse them. */
export const filterOf = (search: RequestSearch): RequestSearch =>
  Object.fromEntries([...FILTERS, 'since'].map((name) => [name, search[name]]));

/** The filter as the list takes it: `since` is a time before `now`, unless `from` says it exactly. */
export function queryOf({ since, from, ...filter }: RequestSearch, now: Date): RequestSearch {
  const ms = SINCE_MS.get(since);
  if (from !== undefined || ms === undefined) return { ...filter, from };
  return { ...filter, from: new Date(now.getTime() - ms).toISOString() };
}
