import type { CappedPeriod } from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import type { ApiKeyRecord } from '@gateway/postgres';
import type { z } from 'zod';
import { capViews } from '../http/caps.js';
import type { keyRecord } from './keys.description.js';

const orAll = (list: readonly string[]) => (list.length === 0 ? null : list);

/** A key as its owner sees it: never the key itself. Null: no restriction. */
export const keyView = (
  key: ApiKeyRecord,
  capped: ReadonlyMap<string, readonly CappedPeriod[]>,
): z.output<typeof keyRecord> => ({
  id: key.id,
  member_id: key.memberId,
  name: key.name,
  prefix: key.prefix,
  test: key.isTest,
  models: orAll(key.models),
  endpoints: orAll(key.endpoints),
  rpm: key.requestsPerMinute,
  concurrency: key.concurrency,
  spend_cap_usd: key.spendCapNanoUsd === null ? null : formatUsd(key.spendCapNanoUsd),
  spent_usd: formatUsd(key.spentNanoUsd),
  reserved_usd: formatUsd(key.reservedNanoUsd),
  parent_id: key.parentId,
  caps: capViews(capped.get(key.id)),
  expires_at: key.expiresAt?.toISOString() ?? null,
  allowed_ips: orAll(key.allowedIps),
  scopes: key.scopes,
  keep_contents: key.keepContents,
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
  created_at: key.createdAt.toISOString(),
});
