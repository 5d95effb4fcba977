import {
  type AccountId,
  DEFAULT_CONCURRENCY,
  DEFAULT_REQUESTS_PER_MINUTE,
  type KeyId,
  type KeyRecord,
} from '@gateway/contracts';
import type { Database } from '../database.js';
import { limitOf } from './key-limits.js';

interface Row {
  readonly id: string;
  readonly account_id: string;
  readonly is_test: boolean;
  readonly models: string[];
  readonly endpoints: string[];
  readonly allowed_ips: string[];
  readonly requests_per_minute: number | null;
  readonly concurrency: number | null;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly is_spend_cap_reached: boolean | null;
  readonly suspended_at: Date | null;
  readonly account_requests_per_minute: number | null;
  readonly account_concurrency: number | null;
}

const listOrAll = (list: readonly string[]) => (list.length === 0 ? null : list);

/** What the edge may know of a key, by the hash of the whole key; null: there is no such key. */
export async function findKeyBySha256({ prisma }: Database, sha256: string): Promise<KeyRecord | null> {
  const [row] = await prisma.$queryRaw<Row[]>`
    SELECT api_key.id, account_id, is_test, models, endpoints, allowed_ips, api_key.requests_per_minute,
      api_key.concurrency, expires_at, revoked_at, spent_nano_usd >= spend_cap_nano_usd AS is_spend_cap_reached,
      suspended_at, account.requests_per_minute AS account_requests_per_minute,
      account.concurrency AS account_concurrency
    FROM api_key JOIN account ON account.id = account_id
    WHERE sha256 = ${sha256}`;
  if (row === undefined) return null;
  return {
    keyId: row.id as KeyId,
    accountId: row.account_id as AccountId,
    keySha256: sha256,
    isTest: row.is_test,
    isRevoked: row.revoked_at !== null,
    isAccountSuspended: row.suspended_at !== null,
    isSpendCapReached: row.is_spend_cap_reached === true,
    expiresAtMs: row.expires_at?.getTime() ?? null,
    models: listOrAll(row.models),
    endpoints: listOrAll(row.endpoints),
    requestsPerMinute: limitOf(row.requests_per_minute, row.account_requests_per_minute, DEFAULT_REQUESTS_PER_MINUTE),
    concurrency: limitOf(row.concurrency, row.account_concurrency, DEFAULT_CONCURRENCY),
    allowedIps: listOrAll(row.allowed_ips),
  };
}
