import { NOTHING, type Sql, sql } from '../sql.js';

/** What a key may use; null: everything. */
export interface KeyLimits {
  readonly models: readonly string[] | null;
  readonly endpoints: readonly string[] | null;
}

/**
 * Of an account's rows with a `key_id`, those whose key may use nothing beyond these limits. A key and what replaces it have the
 * same ones.
 */
export const ofKeysWith = (accountId: string, { models, endpoints }: KeyLimits): Sql =>
  sql`key_id IN (SELECT id FROM api_key WHERE account_id = ${accountId}
    ${models === null ? NOTHING : sql`AND models <> '{}' AND models <@ ${[...models]}::text[]`}
    ${endpoints === null ? NOTHING : sql`AND endpoints <> '{}' AND endpoints <@ ${[...endpoints]}::text[]`})`;
