/** Inserts accounts with credit in bulk, before the measurement. */
const CREATE = `INSERT INTO account (id, email) SELECT 'acct_bench_' || n, 'bench-' || n || '@example.com' FROM generate_series(1, $1::int) AS n`;
const CREDIT = `SELECT post_credit('bench-' || id, id, 'top_up', 1000000000000, 'bench') FROM account WHERE id LIKE 'acct_bench_%'`;

const CALLS_AT_ONCE = 50;

/** Creates the accounts and has billing move the first block of each to Redis. Returns their ids. */
export async function openManyAccounts({ client, stack, count }) {
  await client.query(CREATE, [count]);
  await client.query(CREDIT);
  const ids = Array.from({ length: count }, (_, at) => `acct_bench_${at + 1}`);
  const left = [...ids];
  const turns = Array.from({ length: CALLS_AT_ONCE }, async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) await grantBlock(stack, id);
  });
  await Promise.all(turns);
  return ids;
}

async function grantBlock({ billingUrl, secrets }, accountId) {
  const response = await fetch(`${billingUrl}/internal/escrow`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secrets.internalToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ accountId, missingNanoUsd: '1' }),
  });
  const { granted } = await response.json();
  if (!granted) throw new Error(`no block for ${accountId}: ${response.status}`);
}
