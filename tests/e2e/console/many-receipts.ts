import { openDatabase } from '@gateway/postgres';

interface Receipts {
  readonly accountId: string;
  readonly keyId: string;
  readonly count: number;
}

/** One of so many receipts has the model `gm-2.5-pro`. */
export const RARE = 1_000;

const ignore = (): void => undefined;

/**
 * Writes receipts as billing would, one for each second until now. They have no ledger entries: no test of the same system
 * may compare its ledger.
 */
export async function writeReceipts(databaseUrl: string, { accountId, keyId, count }: Receipts): Promise<void> {
  const database = openDatabase({ databaseUrl, poolSize: 1, applicationName: 'receipts', onError: ignore });
  const at = `(now() - n * interval '1 second')`;
  try {
    await database.prisma.$executeRawUnsafe(`
      INSERT INTO settlement (request_id, account_id, key_id, endpoint, model, outcome, hold_nano_usd, cost_nano_usd,
        price_version, unit_prices, units, is_estimated, attempts, schema_version, admitted_at, settled_at, stream_entry_id,
        epoch, status)
      SELECT 'req_' || to_char(${at} AT TIME ZONE 'UTC', 'YYYYMM') || '${keyId.slice(-4)}' || lpad(n::text, 18, '0'), '${accountId}',
        '${keyId}', 'chat.completions', CASE WHEN n % ${RARE} = 0 THEN 'gm-2.5-pro' ELSE 'gm-2.5-flash' END, 'completed',
        2000, 1000, 'p', '{}', '{"input_token": 9}', false, '[]', 1, ${at} - interval '1 second', ${at}, n || '-0', 1, 200
      FROM generate_series(1, ${count}) AS n`);
    await database.prisma.$executeRawUnsafe('ANALYZE settlement');
  } finally {
    await database.close();
  }
}
