/** Far above the measured load: the account's limits are checked and reject nothing. */
const LIMITS = { rpm: 1_000_000, concurrency: 10_000 };
const CREDIT_USD = '100000';

async function call(url, { method = 'POST', token, body }) {
  const response = await fetch(url, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} returned ${response.status}: ${text}`);
  return JSON.parse(text);
}

/** Creates a customer with credit through the account interface: `{ id, apiKey }`. */
export async function openAccount({ accountUrl, adminToken }, email = 'bench@example.com') {
  const { account, token } = await call(`${accountUrl}/account/register`, {
    body: { email, password: 'a-password-for-the-bench' },
  });
  const admin = `${accountUrl}/admin/accounts/${account.id}`;
  await call(admin, { method: 'PATCH', token: adminToken, body: LIMITS });
  await call(`${admin}/credits`, {
    token: adminToken,
    body: { amount_usd: CREDIT_USD, reason: 'bench', reference: `bench-${account.id}` },
  });
  const { key } = await call(`${accountUrl}/account/keys`, { token, body: { name: 'bench' } });
  return { id: account.id, apiKey: key };
}
