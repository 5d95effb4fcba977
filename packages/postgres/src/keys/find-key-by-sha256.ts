import type { AccountId, CappedPeriod, KeyId, KeyRecord, KeyScope, ParentLimit, SpendCap } from '@gateway/contracts';
import type { Database } from '../database.js';
import { type OverrideRow, readOverride } from '../prices/price-overrides.js';

interface Row {
  readonly id: string;
  readonly account_id: string;
  readonly is_test: boolean;
  readonly models: string[];
  readonly endpoints: string[];
  readonly allowed_ips: string[];
  readonly scopes: KeyScope[] | null;
  readonly keep_contents: boolean;
  readonly requests_per_minute: number | null;
  readonly concurrency: number | null;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly has_left: boolean;
  readonly is_closed: boolean;
  readonly spend_cap_nano_usd: bigint | null;
  readonly spending_key_id: string;
  readonly spent_nano_usd: bigint;
  readonly spending_version: bigint;
  readonly suspended_at: Date | null;
  readonly account_requests_per_minute: number | null;
  readonly account_concurrency: number | null;
  readonly price_overrides: OverrideRow[] | null;
  readonly capped_periods: CappedPeriod[] | null;
  readonly parent_limits: ParentLimit[] | null;
}

const listOrAll = (list: readonly string[]) => (list.length === 0 ? null : list);

const spendCapOf = (row: Row): SpendCap | null =>
  row.spend_cap_nano_usd === null
    ? null
    : {
        capNanoUsd: row.spend_cap_nano_usd.toString(),
        spendingKeyId: row.spending_key_id as KeyId,
        spentNanoUsd: row.spent_nano_usd.toString(),
        version: row.spending_version.toString(),
      };

/** The record of a key for the edge, by the SHA-256 of the whole key. Null: there is no such key. */
export async function findKeyBySha256({ prisma }: Database, sha256: string): Promise<KeyRecord | null> {
  const [row] = await prisma.$queryRaw<Row[]>`
    SELECT api_key.id, api_key.account_id, api_key.is_test, api_key.models, api_key.endpoints, api_key.allowed_ips, api_key.scopes, api_key.keep_contents,
      api_key.requests_per_minute, api_key.concurrency, least(api_key.expires_at, api_key.grace_ends_at) AS expires_at,
      api_key.revoked_at, member.removed_at IS NOT NULL AS has_left, account.closed_at IS NOT NULL AS is_closed, api_key.spend_cap_nano_usd, counted.id AS spending_key_id, counted.spent_nano_usd,
      counted.spending_version, suspended_at, account.requests_per_minute AS account_requests_per_minute,
      account.concurrency AS account_concurrency, (
        SELECT jsonb_agg(jsonb_build_object('id', id::text, 'model', model,
          'fromMs', (extract(epoch FROM "from") * 1000)::bigint, 'perMillion', per_million,
          'longPromptPerMillion', long_prompt_per_million) ORDER BY id)
        FROM price_override WHERE price_override.account_id = api_key.account_id) AS price_overrides,
      CASE WHEN api_key.caps <> '[]' OR account.caps <> '[]' OR member.caps <> '[]' THEN
        cap_periods(counted.id, hard_caps(api_key.caps), time_zone)
          || cap_periods(account.id, hard_caps(account.caps), time_zone)
          || cap_periods(member.id, hard_caps(coalesce(member.caps, '[]')), time_zone) END AS capped_periods,
      CASE WHEN api_key.parent_id IS NOT NULL THEN (
        WITH RECURSIVE above AS (
          SELECT api_key.parent_id AS line_id
          UNION ALL
          SELECT line.parent_id FROM above JOIN api_key AS line ON line.id = above.line_id WHERE line.parent_id IS NOT NULL
        )
        SELECT jsonb_agg(jsonb_build_object('keyId', newest.id, 'concurrency', newest.concurrency))
        FROM above CROSS JOIN LATERAL (
          SELECT chained.id, chained.concurrency FROM api_key AS chained
            WHERE chained.id = above.line_id OR chained.spending_key_id = above.line_id AND chained.parent_id IS NULL
            ORDER BY chained.revoked_at IS NULL DESC, chained.created_at DESC, chained.id DESC LIMIT 1) AS newest
        WHERE newest.concurrency IS NOT NULL) END AS parent_limits
    FROM api_key JOIN account ON account.id = api_key.account_id
      LEFT JOIN member ON member.id = api_key.member_id
      JOIN api_key AS counted ON counted.id = coalesce(api_key.spending_key_id, api_key.id)
    WHERE api_key.sha256 = ${sha256}`;
  if (row === undefined) return null;
  return {
    keyId: row.id as KeyId,
    accountId: row.account_id as AccountId,
    keySha256: sha256,
    isTest: row.is_test,
    // Also a key that was made while its member was removed, or its organisation deleted.
    isRevoked: row.revoked_at !== null || row.has_left || row.is_closed,
    isAccountSuspended: row.suspended_at !== null,
    spendCap: spendCapOf(row),
    ...(row.capped_periods !== null && row.capped_periods.length > 0 && { cappedPeriods: row.capped_periods }),
    expiresAtMs: row.expires_at?.getTime() ?? null,
    models: listOrAll(row.models),
    endpoints: listOrAll(row.endpoints),
    keyLimits: { requestsPerMinute: row.requests_per_minute, concurrency: row.concurrency },
    accountLimits: { requestsPerMinute: row.account_requests_per_minute, concurrency: row.account_concurrency },
    ...(row.parent_limits !== null && { parentLimits: row.parent_limits }),
    allowedIps: listOrAll(row.allowed_ips),
    scopes: row.scopes ?? [],
    ...(row.keep_contents && { keepsContents: true }),
    ...(row.price_overrides !== null && { priceOverrides: row.price_overrides.map(readOverride) }),
  };
}
