import type { Database } from '../database.js';

/** How the requests of a model ended, over all accounts. */
export interface ModelOutcomes {
  readonly model: string;
  readonly requests: number;
  /** Those that failed, were interrupted, or ended without an answer. */
  readonly failed: number;
}

const FAILED = ['failed', 'interrupted', 'expired'];

/** Reads the sums since a time, by their index. */
export async function modelOutcomes({ prisma }: Database, since: Date): Promise<readonly ModelOutcomes[]> {
  const rows = await prisma.$queryRaw<{ model: string; requests: bigint; failed: bigint | null }[]>`
    SELECT model, sum(requests)::bigint AS requests,
      (sum(requests) FILTER (WHERE outcome = ANY (${FAILED}::text[])))::bigint AS failed
    FROM usage_rollup WHERE starts_at >= ${since} GROUP BY model`;
  return rows.map(({ model, requests, failed }) => ({
    model,
    requests: Number(requests),
    failed: Number(failed ?? 0n),
  }));
}

/** How fast the latest requests of one account were, by model. Milliseconds. */
export interface ModelLatency {
  readonly model: string;
  readonly requests: number;
  readonly failed: number;
  /** From admission to the first byte of the answer. Null: none of them has answered. */
  readonly firstByteMs: { readonly median: number; readonly slowTenth: number } | null;
}

interface LatencyRow {
  readonly model: string;
  readonly requests: bigint;
  readonly failed: bigint;
  readonly median: number | null;
  readonly slow_tenth: number | null;
}

/** Reads the latest receipts of an account, at most `limit`, by the index of the account by time. */
export async function modelLatencies(
  { prisma }: Database,
  accountId: string,
  { since, limit }: { readonly since: Date; readonly limit: number },
): Promise<readonly ModelLatency[]> {
  const rows = await prisma.$queryRaw<LatencyRow[]>`
    SELECT model, count(*) AS requests, count(*) FILTER (WHERE outcome = ANY (${FAILED}::text[])) AS failed,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY first_byte_ms)::float8 AS median,
      percentile_cont(0.9) WITHIN GROUP (ORDER BY first_byte_ms)::float8 AS slow_tenth
    FROM (
      SELECT model, outcome, extract(epoch FROM first_byte_at - admitted_at) * 1000 AS first_byte_ms
      FROM settlement WHERE account_id = ${accountId} AND settled_at >= ${since}
      ORDER BY settled_at DESC, request_id DESC LIMIT ${limit}::int) AS latest
    GROUP BY model`;
  return rows.map(({ model, requests, failed, median, slow_tenth: slowTenth }) => ({
    model,
    requests: Number(requests),
    failed: Number(failed),
    firstByteMs: median === null || slowTenth === null ? null : { median, slowTenth },
  }));
}
