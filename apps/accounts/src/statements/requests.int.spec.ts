import type { AccountId } from '@gateway/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleAdmission, settlementForAdmission } from '../../../billing/src/test-support/test-billing.js';
import { AccountInterface, until } from '../test-support/account-interface.js';

let accounts: AccountInterface;
let owner: Awaited<ReturnType<AccountInterface['register']>>;
let key: { readonly id: string; readonly key: string; readonly member_id: string | null };
const ids: string[] = [];

const list = async (query = '', token = owner.token) =>
  accounts.call('GET', `/account/requests${query}`, undefined, token);
const idsOf = async (query: string, token?: string) =>
  (await list(query, token)).body.data.map((line: { request_id: string }) => line.request_id);

beforeAll(async () => {
  accounts = await AccountInterface.open();
  owner = await accounts.register();
  const credit = { amount_usd: '5', reason: 'test', reference: owner.id };
  await accounts.call('POST', `/admin/accounts/${owner.id}/credits`, credit, accounts.adminToken);
  const escrow = { accountId: owner.id, missingNanoUsd: '1000000' };
  await accounts.call('POST', '/internal/escrow', escrow, accounts.internalToken);
  key = (await accounts.call('POST', '/account/keys', { name: 'k' }, owner.token)).body;
  const shared = (await accounts.call('POST', '/account/keys', { name: 's', member_id: null }, owner.token)).body;
  for (const [index, model] of ['gm-2', 'gm-2', 'cl-1', 'gm-2'].entries()) {
    const admission = sampleAdmission(owner.id as AccountId, 9_000n);
    const keyId = [key.id, shared.id][index] ?? admission.keyId;
    await accounts.resources.admissionStore.admit(admission);
    const settlement = settlementForAdmission(admission, BigInt(index * 1_000));
    const details = index === 3 ? { status: 429, idempotencyKey: 'order-3' } : { status: 200 };
    await accounts.resources.admissionStore.settle({
      ...settlement,
      ...details,
      keyId,
      model,
      settledAtMs: 2_000 + (index >> 1),
    });
    ids.push(admission.requestId);
    await until(
      async () =>
        (await accounts.call('GET', `/account/requests/${admission.requestId}`, undefined, owner.token)).status === 200,
    );
  }
});

afterAll(() => accounts.close());

describe('the list of requests', () => {
  it('has every request once over pages, the newest first', async () => {
    const pages: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await list(`?limit=1${cursor}`);
      pages.push(...body.data.map((line: { request_id: string }) => line.request_id));
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(pages).toEqual([...ids.slice(2).sort().reverse(), ...ids.slice(0, 2).sort().reverse()]);
    expect((await list()).body.data[3]).toMatchObject({
      endpoint: 'chat.completions',
      duration_ms: 1_000,
      outcome: 'completed',
    });
  });

  it('has the oldest first if asked, over pages', async () => {
    const { body } = await list('?order=oldest&limit=3');
    const rest = await idsOf(`?order=oldest&cursor=${body.next_cursor}`);
    const found = [...body.data.map((line: { request_id: string }) => line.request_id), ...rest];
    expect(found).toEqual((await idsOf('')).reverse());
  });

  it('is filtered by model, key, cost, time and a part of an id', async () => {
    expect(await idsOf('?model=cl-1')).toEqual([ids[2]]);
    expect(await idsOf(`?key_id=${key.id}`)).toEqual([ids[0]]);
    expect(await idsOf('?min_cost_usd=0.000002&max_cost_usd=0.000002')).toEqual([ids[2]]);
    expect(await idsOf('?from=1970-01-01T00:00:02.001Z')).toHaveLength(2);
    expect(await idsOf('?to=1970-01-01T00:00:02.001Z')).toHaveLength(2);
    expect(await idsOf(`?request_id=${ids[1]?.slice(0, 20)}`)).toEqual([ids[1]]);
    expect(await idsOf(`?request_id=${ids[1]?.slice(9)}`)).toEqual([ids[1]]);
    expect(await idsOf('?outcome=failed')).toEqual([]);
    const member = `?member_id=${key.member_id}`;
    expect(await idsOf(member)).toEqual(key.member_id === null ? [] : [ids[0]]);
    expect(await idsOf('?member_id=mem_none')).toEqual([]);
    expect(await idsOf('?member_id=none')).toContain(ids[1]);
    expect(await idsOf('?status=429')).toEqual([ids[3]]);
    expect(await idsOf('?status=2xx')).toHaveLength(3);
    expect(await idsOf('?idempotency_key=order-3')).toEqual([ids[3]]);
  });

  it('counts what the filter finds, beyond the page', async () => {
    expect((await list('?count=true&limit=1')).body).toMatchObject({ count: 4, is_count_exact: true });
    expect((await list('?count=true&status=2xx&limit=1')).body).toMatchObject({ count: 3 });
    expect((await list('?count=true&key_id=key_other', key.key)).body).toMatchObject({ data: [], count: 0 });
    expect((await list()).body).not.toHaveProperty('count');
  });

  it('leads to receipts whose postings sum to zero and charge the cost', async () => {
    const { body } = await accounts.call('GET', `/account/requests/${ids[3]}`, undefined, owner.token);
    expect(body).toMatchObject({ http_status: 429, idempotency_key: 'order-3', cost_usd: '0.000003' });
    expect(body.postings).toMatchObject([
      { kind: 'settlement', ledger_account: 'escrow', amount_usd: '-0.000003' },
      { kind: 'settlement', ledger_account: 'revenue', amount_usd: '0.000003' },
    ]);
  });

  it('has a CSV form', async () => {
    const csv = await list('?format=csv&model=cl-1');
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.body.split('\r\n')[0]).toContain(',duration_ms,input_token,');
    expect(csv.body.split('\r\n')[1]).toContain(`${ids[2]},completed,200,,chat.completions,cl-1,`);
  });

  it('of a key has its own requests only, and of another account none', async () => {
    expect(await idsOf('', key.key)).toEqual([ids[0]]);
    expect(await idsOf('?key_id=key_other', key.key)).toEqual([]);
    expect(await idsOf('', (await accounts.register()).token)).toEqual([]);
  });

  it.each([
    ['?outcome=held', 'outcome'],
    ['?min_cost_usd=0.2&max_cost_usd=0.1', 'max_cost_usd'],
    ['?min_cost_usd=cheap', 'min_cost_usd'],
    ['?from=yesterday', 'from'],
    ['?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'to'],
    ['?cursor=%21', 'cursor'],
    ['?limit=0', 'limit'],
    ['?status=ok', 'status'],
    ['?count=all', 'count'],
    ['?state=200', 'state'],
    ['?order=cost', 'order'],
  ])('refuses %s by the name of the field', async (query, param) => {
    const { status, body } = await list(query);
    expect([status, body.error.param]).toEqual([400, param]);
  });
});
