/** Receipts in each statement. Their times follow each other, as in production. */
const CHUNK = 50_000;
const DAYS = 90;

const RECEIPTS = `
  INSERT INTO settlement (request_id, account_id, key_id, endpoint, model, outcome, hold_nano_usd, cost_nano_usd,
    vendor_cost_nano_usd, price_version, unit_prices, units, is_estimated, abort_contract, error_code, status, attempts,
    schema_version, admitted_at, started_at, first_byte_at, settled_at, recorded_at, stream_entry_id, epoch)
  SELECT 'req_' || to_char(at AT TIME ZONE 'UTC', 'YYYYMM') || '_bench_' || $1::text || '_' || n, $1, (ARRAY['key_a', 'key_b', 'key_c', 'key_d'])[1 + (n * 7 % 11) % 4],
    (ARRAY['chat.completions', 'chat.completions', 'responses', 'embeddings'])[1 + n % 4],
    (ARRAY['gm-3.5-flash-lite', 'cl-sonnet-4-6', 'gp-5.4-mini', 'vg-4'])[1 + (n * 13 % 17) % 4],
    CASE WHEN n % 1000 = 0 THEN 'failed' WHEN n % 50 = 0 THEN 'aborted' ELSE 'completed' END,
    2000000, cost, cost * 9 / 10, 'bench@2026-01-01', '{"input_token": "1", "output_token": "4"}',
    jsonb_build_object('input_token', 100 + n % 900, 'cached_input_token', n % 50, 'output_token', 10 + n % 500),
    false, 'stops', NULL, 200,
    jsonb_build_array(jsonb_build_object('channel', 'openai-1', 'upstreamId', 'up_' || n, 'status', 200,
      'startedAtMs', 1, 'endedAtMs', 2)),
    1, at - interval '2 seconds', at - interval '1900 milliseconds', at - interval '1 second', at, at, 'entry-' || n, 0
  FROM (SELECT n, n::bigint * 7919 % 1000000 AS cost, $4::timestamptz + n * ($5::interval / $6::int) AS at
    FROM generate_series($2::int, $3::int) AS n) AS numbered`;

/** Each receipt's line of the ledger, so that reports can be compared with it. */
const TRANSACTIONS = `
  INSERT INTO ledger_transaction (id, reference, kind, account_id, created_at)
  SELECT ledger_month_floor(at) + nextval('ledger_transaction_id_seq'),
    'settlement:req_' || to_char(at AT TIME ZONE 'UTC', 'YYYYMM') || '_bench_' || $1::text || '_' || n, 'settlement', $1, at
  FROM (SELECT n, $4::timestamptz + n * ($5::interval / $6::int) AS at FROM generate_series($2::int, $3::int) AS n) AS numbered
  WHERE n::bigint * 7919 % 1000000 > 0 RETURNING id, reference`;
const POSTINGS = `
  WITH transactions AS (${TRANSACTIONS})
  INSERT INTO ledger_entry (transaction_id, ledger_account_id, amount_nano_usd)
  SELECT transactions.id, side.id, CASE side.kind WHEN 'revenue' THEN cost_nano_usd ELSE -cost_nano_usd END
  FROM transactions JOIN settlement ON request_id = substr(reference, 12)
  CROSS JOIN (SELECT id, kind FROM ledger_account
    WHERE (account_id = $1 AND kind = 'customer') OR (kind = 'revenue' AND id > 0)) AS side`;

/** Inserts an account's receipts of the last 90 days, evenly in time, with their postings. */
export async function generateReceipts(client, accountId, count, signal) {
  const startsAt = new Date(Date.now() - DAYS * 24 * 60 * 60 * 1_000);
  await client.query('SELECT make_month_partitions($1::timestamptz::date, now()::date)', [startsAt]);
  for (let first = 1; first <= count; first += CHUNK) {
    signal.throwIfAborted();
    const last = Math.min(count, first + CHUNK - 1);
    const values = [accountId, first, last, startsAt, `${DAYS} days`, count];
    await client.query(RECEIPTS, values);
    await client.query(POSTINGS, values);
  }
}

const OTHERS = `INSERT INTO account (id, email) SELECT 'acct_other_' || n, 'other-' || n || '@example.com'
  FROM generate_series(1, $1::int) AS n RETURNING id`;

/** Accounts that share the database with the measured ones. */
export async function openOthers(client, count) {
  const { rows } = await client.query(OTHERS, [count]);
  return rows.map(({ id }) => id);
}
