import type { AccountId } from '@gateway/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleAdmission, settlementForAdmission } from '../../../billing/src/test-support/test-billing.js';
import { AccountInterface, until } from '../test-support/account-interface.js';

const DAY_MS = Date.parse('2026-10-10T12:00:00Z');
const PLAIN =
  'day,model,cost_usd,upstream_id\n2026-10-10,voyage-4,0.000005,up_1\n2026-10-10,voyage-4,0.000007,up_2\n2026-10-10,voyage-4,0.000001,up_9\n';

let accounts: AccountInterface;

async function upload(csv: string, query = 'vendor=voyage', type = 'text/csv') {
  const response = await fetch(`${accounts.address}/admin/vendor-bills?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accounts.adminToken}`, 'content-type': type },
    body: csv,
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any response body
  return { status: response.status, body: (await response.json()) as any };
}

const ask = (path: string) => accounts.call('GET', `/admin/vendor-bills${path}`, undefined, accounts.adminToken);

/** A receipt of 6,000 nano-dollars at the vendor. */
async function aReceipt(accountId: string, upstreamId: string) {
  const admission = sampleAdmission(accountId as AccountId, 9_000n);
  await accounts.resources.admissionStore.admit(admission);
  const attempts = [{ channel: 'voyage-1', upstreamId, status: 200, startedAtMs: 1, endedAtMs: 2 }];
  const settlement = settlementForAdmission(admission, 6_000n);
  const more = { model: 'vg-4', vendorCostNanoUsd: '6000', attempts, settledAtMs: DAY_MS };
  await accounts.resources.admissionStore.settle({ ...settlement, ...more });
  const path = `/admin/accounts/${accountId}/requests/${admission.requestId}`;
  await until(async () => (await accounts.call('GET', path, undefined, accounts.adminToken)).status === 200);
  return admission.requestId;
}

let matched: readonly string[];

beforeAll(async () => {
  accounts = await AccountInterface.open();
  const owner = await accounts.register();
  const credit = { amount_usd: '5', reason: 'test', reference: owner.id };
  await accounts.call('POST', `/admin/accounts/${owner.id}/credits`, credit, accounts.adminToken);
  const escrow = { accountId: owner.id, missingNanoUsd: '1000000' };
  await accounts.call('POST', '/internal/escrow', escrow, accounts.internalToken);
  matched = [await aReceipt(owner.id, 'up_1'), await aReceipt(owner.id, 'up_2')];
});

afterAll(() => accounts.close());

describe("a vendor's bill", () => {
  it('is compared with the receipts by day and model, and by the ids of the vendor', async () => {
    const created = await upload(PLAIN, 'vendor=voyage&name=october');
    expect(created).toMatchObject({
      status: 201,
      body: { form: 'plain', rows: 3, first_day: '2026-10-10', billed_usd: '0.000013', created_by: 'administrator' },
    });
    const { body } = await ask(`/${created.body.id}`);
    expect(body).toMatchObject({ recorded_usd: '0.000012', difference_usd: '0.000001', unexplained_usd: '0.000001' });
    expect(body.lines).toMatchObject([{ model: 'vg-4', billed_requests: 3, recorded_requests: 2 }]);
    const itemsOf = async (state: string) => (await ask(`/${created.body.id}/items?state=${state}`)).body.data;
    expect(await itemsOf('unmatched')).toMatchObject([{ upstream_id: 'up_9', request_id: null }]);
    expect(await itemsOf('different')).toMatchObject([
      { upstream_id: 'up_1', request_id: matched[0], billed_usd: '0.000005', recorded_usd: '0.000006' },
      { upstream_id: 'up_2', request_id: matched[1], billed_usd: '0.000007' },
    ]);
    expect(await itemsOf('equal')).toEqual([]);
  });

  it('is one bill, however often the file is sent', async () => {
    const [first, second] = await Promise.all([upload(`${PLAIN}\n`), upload(`${PLAIN}\n`)]);
    expect([first.status, second.status].sort()).toEqual([200, 201]);
    expect(first.body.id).toBe(second.body.id);
    expect((await upload(PLAIN)).status).toBe(200);
    expect((await ask('?limit=1')).body.data).toHaveLength(1);
    const { next_cursor: cursor } = (await ask('?limit=1')).body;
    expect((await ask(`?cursor=${cursor}`)).body.data).toMatchObject([{ name: 'october' }]);
  });

  it('may have more rows than are read at once', async () => {
    const rows = Array.from({ length: 2_500 }, (_, index) => `2026-10-11,voyage-4,0.000000001,many_${index}`);
    const created = await upload(`day,model,cost_usd,upstream_id\n${rows.join('\n')}`);
    expect(created.body).toMatchObject({ rows: 2_500, billed_usd: '0.0000025' });
    const page = await ask(`/${created.body.id}/items?limit=200`);
    expect(page.body.data).toHaveLength(200);
    expect(page.body.next_cursor).not.toBeNull();
  });

  it.each([
    ['', 'must have a row'],
    ['a,b\n1,2\n', 'must be a usage or cost export'],
    ['usage_date_utc,model,cost_usd\n2026-10-10,x,1\n', 'is an export of anthropic, but vendor is voyage'],
    ['day,model,cost_usd\n2026-10-10,x,1\nsoon,x,1\n', "line 3: expected a day such as 2026-11-21, got 'soon'"],
    ['day,model,cost_usd\n2026-10-10,"x,1\n', 'must be CSV'],
  ])('is refused as %j, and nothing of it stays', async (csv, message) => {
    const { body: before } = await ask('');
    const refused = await upload(csv);
    expect([refused.status, refused.body.error.param]).toEqual([400, 'body']);
    expect(refused.body.error.message).toContain(message);
    expect((await ask('')).body).toEqual(before);
  });

  it('is refused without a vendor, and as JSON', async () => {
    expect((await upload(PLAIN, '')).body.error.param).toBe('vendor');
    expect((await upload('{}', 'vendor=voyage', 'application/json')).status).toBe(415);
    expect((await ask('/bill_aaaaaaaaaaaaaaaaaaaaaaaaaa')).status).toBe(404);
  });
});
