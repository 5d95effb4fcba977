import { type AccountId, type AdmissionRequest, hashApiKey, type KeyId, newKeyId } from '@gateway/contracts';
import { changeKey, createChildKey, findKeyBySha256, listHashesBelow, type NewChildKey } from '@gateway/postgres';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleAdmission, settlementForAdmission } from '../../../billing/src/test-support/test-billing.js';
import { AccountInterface, until } from '../test-support/account-interface.js';

let accounts: AccountInterface;
let owner: Awaited<ReturnType<AccountInterface['register']>>;

interface MadeKey {
  readonly id: string;
  readonly key: string;
  readonly parent_id: string | null;
}

const call = (method: string, path: string, body?: unknown, token = owner.token) =>
  accounts.call(method, path, body, token);
const makeKey = async (settings: object = {}): Promise<MadeKey> =>
  (await call('POST', '/account/keys', { name: 'parent', spend_cap_usd: '1', ...settings })).body;
const askChild = (parentId: string, settings: object = {}, token?: string) =>
  call('POST', `/account/keys/${parentId}/children`, { name: 'agent', budget_usd: '0.05', ...settings }, token);
const makeChild = async (parentId: string, settings?: object, token?: string): Promise<MadeKey> => {
  const { status, body } = await askChild(parentId, settings, token);
  expect([status, body.error]).toEqual([201, undefined]);
  return body;
};
const tree = async (id: string, token?: string) =>
  (await call('GET', `/account/keys/${id}/tree`, undefined, token)).body;
const shown = async (id: string) =>
  (await call('GET', '/account/keys')).body.data.find((key: { id: string }) => key.id === id);

const sampleChild = (): NewChildKey => ({
  id: newKeyId(),
  sha256: newKeyId(),
  prefix: 'sk-a…b',
  name: 'agent',
  models: [],
  endpoints: [],
  allowedIps: [],
  scopes: [],
  requestsPerMinute: null,
  concurrency: null,
  budgetNanoUsd: 1n,
  expiresAt: new Date(Date.now() + 3_600_000),
  isMadeByKey: false,
});

/** A settlement of now: no key has receipts from before it was made. */
const endOf = (admission: AdmissionRequest, costNanoUsd: bigint) => ({
  ...settlementForAdmission(admission, costNanoUsd),
  settledAtMs: Date.now(),
});

/** Admits a request of a key, as the edge does, with what its record says. */
async function admit(key: string, holdNanoUsd: bigint) {
  const record = await findKeyBySha256(accounts.resources.database, hashApiKey(key));
  if (record?.spendCap == null) throw new Error('the key has no spend cap');
  const admission = {
    ...sampleAdmission(owner.id as AccountId, holdNanoUsd),
    keyId: record.keyId as KeyId,
    spendCap: record.spendCap,
  };
  const { outcome } = await accounts.resources.admissionStore.admit(admission);
  return { admission, outcome };
}

async function spend(key: string, costNanoUsd: bigint): Promise<void> {
  const { admission, outcome } = await admit(key, costNanoUsd);
  expect(outcome).toBe('admitted');
  await accounts.resources.admissionStore.settle(endOf(admission, costNanoUsd));
  const path = `/account/requests/${admission.requestId}`;
  await until(async () => (await call('GET', path)).status === 200);
}

/** The sweep waits until no edge has an old record of the key. */
const endedLongAgo = (id: string) =>
  accounts.test.changeWithoutTriggers(`UPDATE api_key SET revoked_at = revoked_at - interval '1 minute',
    expires_at = expires_at - interval '40 days' WHERE id = '${id}' OR parent_id = '${id}'`);

beforeAll(async () => {
  accounts = await AccountInterface.open();
  owner = await accounts.register();
  const credit = { amount_usd: '50', reason: 'test', reference: owner.id };
  await accounts.call('POST', `/admin/accounts/${owner.id}/credits`, credit, accounts.adminToken);
  const escrow = { accountId: owner.id, missingNanoUsd: '20000000000' };
  await accounts.call('POST', '/internal/escrow', escrow, accounts.internalToken);
});

afterAll(() => accounts.close());

describe('a child key', () => {
  it('has a budget that its parent may not spend, and at most the rights of its parent', async () => {
    const parent = await makeKey({ models: ['gm-2.5-flash', 'gm-2.5-pro'], concurrency: 3 });
    const child = await makeChild(parent.id, { models: ['gm-2.5-pro'], budget_usd: '0.4', minutes: 5 });
    expect(child).toMatchObject({
      parent_id: parent.id,
      models: ['gm-2.5-pro'],
      concurrency: 3,
      spend_cap_usd: '0.40',
      key: expect.stringMatching(/^sk-/),
    });
    expect(await shown(parent.id)).toMatchObject({ spent_usd: '0.00', reserved_usd: '0.40' });
    expect((await admit(parent.key, 600_000_001n)).outcome).toBe('spend_cap');
    expect((await admit(parent.key, 600_000_000n)).outcome).toBe('admitted');
    expect((await admit(child.key, 400_000_001n)).outcome).toBe('spend_cap');
    expect((await admit(child.key, 400_000_000n)).outcome).toBe('admitted');
  });

  it('is made by its parent with the scope, and by no other key', async () => {
    const parent = await makeKey({ scopes: ['keys:children'] });
    const child = await makeChild(parent.id, { can_make_children: true, budget_usd: '0.5' }, parent.key);
    const grandchild = await makeChild(child.id, { budget_usd: '0.2' }, child.key);
    expect((await askChild(grandchild.id, {}, grandchild.key)).status).toBe(403);
    expect((await askChild(parent.id, {}, child.key)).status).toBe(404);
    expect((await askChild(parent.id, {}, (await accounts.register()).token)).status).toBe(404);
    expect((await tree(parent.id, parent.key)).children[0]).toMatchObject({
      id: child.id,
      reserved_usd: '0.20',
      children: [{ id: grandchild.id, state: 'active' }],
    });
    expect((await call('GET', `/account/keys/${parent.id}/tree`, undefined, child.key)).status).toBe(404);
    expect(await tree('self', parent.key)).toEqual(await tree(parent.id, parent.key));
    expect((await makeChild('self', { budget_usd: '0.1' }, child.key)).parent_id).toBe(child.id);
    expect((await askChild('self')).status).toBe(404);
    const other = `/account/keys/${child.id}/children`;
    expect((await call('DELETE', `${other}/${parent.id}`, undefined, child.key)).status).toBe(404);
    expect((await call('DELETE', `${other}/${grandchild.id}`, undefined, child.key)).status).toBe(200);
  });

  it.each([
    [{ models: ['gm-2.5-pro'] }, 400, 'models'],
    [{ endpoints: ['messages'] }, 400, 'endpoints'],
    [{ concurrency: 4 }, 400, 'concurrency'],
    [{ minutes: 0 }, 400, 'minutes'],
    [{ budget_usd: '0' }, 400, 'budget_usd'],
    [{ budget_usd: '1.000000001' }, 402, 'budget_usd'],
    [{ spend_cap_usd: '1' }, 400, 'spend_cap_usd'],
  ])('is refused with %j', async (settings, status, param) => {
    const parent = await makeKey({ models: ['gm-2.5-flash'], endpoints: ['chat.completions'], concurrency: 3 });
    const refused = await askChild(parent.id, settings);
    expect([refused.status, refused.body.error.param]).toEqual([status, param]);
    expect(await shown(parent.id)).toMatchObject({ reserved_usd: '0.00' });
  });

  it('is refused for a parent with caps by period, and below the fourth level', async () => {
    const caps = [{ period: 'day', measure: 'requests', limit: 5 }];
    expect((await askChild((await makeKey({ caps })).id)).body.error.message).toMatch(/caps by period/);
    let { id } = await makeKey();
    for (let depth = 1; depth <= 4; depth += 1) ({ id } = await makeChild(id, { budget_usd: `0.${9 - depth}` }));
    expect((await askChild(id)).body.error.message).toMatch(/level 4/);
  });

  it('keeps what it was made with, and lets its parent have no caps by period meanwhile', async () => {
    const parent = await makeKey();
    const child = await makeChild(parent.id);
    const change = (id: string, body: object) => call('PATCH', `/account/keys/${id}`, body);
    expect((await change(child.id, { spend_cap_usd: '9' })).body.error.param).toBe('spend_cap_usd');
    expect((await change(child.id, { name: 'renamed' })).body).toMatchObject({ name: 'renamed' });
    expect((await call('POST', `/account/keys/${child.id}/rotate`, {})).status).toBe(400);
    const caps = [{ period: 'day', measure: 'requests', limit: 5 }];
    expect((await change(parent.id, { caps })).body.error.param).toBe('caps');
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    await change(parent.id, { expires_at });
    expect(await shown(child.id)).toMatchObject({ expires_at });
  });

  it('loses what its parent loses, and ends if nothing is left to it', async () => {
    const parent = await makeKey({ scopes: ['keys:children'] });
    const child = await makeChild(parent.id, { can_make_children: true, budget_usd: '0.5', concurrency: 9 });
    const models = ['gm-2.5-flash', 'gm-2.5-pro'];
    const grandchild = await makeChild(child.id, { models, budget_usd: '0.2' }, child.key);
    const narrow = { models: ['gm-2.5-pro'], endpoints: ['chat.completions'], rpm: 7, concurrency: 2 };
    await call('PATCH', `/account/keys/${parent.id}`, { ...narrow, allowed_ips: ['10.0.0.1'] });
    for (const { id } of [child, grandchild]) {
      expect(await shown(id)).toMatchObject({ ...narrow, allowed_ips: ['10.0.0.1'] });
    }
    await call('PATCH', `/account/keys/${parent.id}`, { models: null, concurrency: null });
    expect(await shown(grandchild.id)).toMatchObject(narrow);
    await call('PATCH', `/account/keys/${parent.id}`, { models: ['cl-sonnet-4-6'], allowed_ips: null });
    expect((await tree(parent.id)).children[0]).toMatchObject({
      state: 'revoked',
      children: [{ state: 'revoked' }],
    });
  });

  it('makes no keys any more once its parent may make none', async () => {
    const parent = await makeKey({ scopes: ['keys:children', 'account:read'] });
    const child = await makeChild(parent.id, { can_make_children: true, budget_usd: '0.5' }, parent.key);
    const grandchild = await makeChild(child.id, { can_make_children: true, budget_usd: '0.2' }, child.key);
    await call('PATCH', `/account/keys/${parent.id}`, { name: 'renamed' });
    expect((await askChild('self', { budget_usd: '0.01' }, grandchild.key)).status).toBe(201);
    await call('PATCH', `/account/keys/${parent.id}`, { scopes: ['account:read'] });
    for (const { key } of [parent, child, grandchild]) expect((await askChild('self', {}, key)).status).toBe(403);
    // A person still decides otherwise.
    const chosen = await makeChild(parent.id, { can_make_children: true, budget_usd: '0.1' });
    expect((await askChild('self', { budget_usd: '0.01' }, chosen.key)).status).toBe(201);
  });

  it('is not made by a key that loses the right meanwhile', async () => {
    const parent = await makeKey();
    const late = { ...sampleChild(), isMadeByKey: true };
    const parentKey = { accountId: owner.id, parentId: parent.id };
    const made = (child: NewChildKey) =>
      createChildKey(accounts.resources.database, parentKey, child, { maxDepth: 4, maxChildren: 100 });
    expect(await made(late)).toEqual({ outcome: 'not_found' });
    expect(await made({ ...late, isMadeByKey: false })).toMatchObject({ outcome: 'created' });
  });

  it('runs within the concurrency of every key above it, as the newest key of each chain says', async () => {
    const limitsOf = async ({ key }: MadeKey) =>
      (await findKeyBySha256(accounts.resources.database, hashApiKey(key)))?.parentLimits;
    const parent = await makeKey({ concurrency: 4 });
    const child = await makeChild(parent.id, { can_make_children: true, budget_usd: '0.5', concurrency: 2 });
    const grandchild = await makeChild(child.id, { budget_usd: '0.2' }, child.key);
    expect(await limitsOf(parent)).toBeUndefined();
    expect(await limitsOf(child)).toEqual([{ keyId: parent.id, concurrency: 4 }]);
    expect(await limitsOf(grandchild)).toEqual([
      { keyId: child.id, concurrency: 2 },
      { keyId: parent.id, concurrency: 4 },
    ]);
    const rotated = (await call('POST', `/account/keys/${parent.id}/rotate`, {})).body;
    await call('PATCH', `/account/keys/${rotated.id}`, { concurrency: 3 });
    expect(await limitsOf(child)).toEqual([{ keyId: rotated.id, concurrency: 3 }]);
    await call('PATCH', `/account/keys/${rotated.id}`, { concurrency: null });
    expect(await limitsOf(child)).toBeUndefined();
    expect(await limitsOf(grandchild)).toEqual([{ keyId: child.id, concurrency: 2 }]);
  });

  it('is read again by the edges when the concurrency of its parent changes, or another key replaces it', async () => {
    const parent = await makeKey({ concurrency: 4 });
    const child = await makeChild(parent.id, { concurrency: 2 });
    const sha256 = hashApiKey(child.key);
    const hashes = () => listHashesBelow(accounts.resources.database, owner.id, parent.id);
    expect(await hashes()).toEqual([sha256]);
    const changed = await changeKey(accounts.resources.database, { accountId: owner.id }, parent.id, {
      concurrency: 3,
    });
    expect(changed?.hashes).toEqual([hashApiKey(parent.key), sha256]);
    await call('POST', `/account/keys/${parent.id}/rotate`, {});
    expect(await hashes()).toEqual([sha256]);
    expect(await listHashesBelow(accounts.resources.database, 'acct_another', parent.id)).toEqual([]);
  });

  it('belongs to whom its parent belongs, and ends with that member', async () => {
    const { tokens } = await accounts.organisation();
    const key = (await call('POST', '/account/keys', { name: 'k', spend_cap_usd: '1' }, tokens.owner)).body;
    const child = (await askChild(key.id, {}, tokens.owner)).body;
    const { data } = (await call('GET', '/account/members', undefined, tokens.owner)).body;
    const { id } = data.find(({ role }: { role: string }) => role === 'developer');
    await call('PATCH', `/account/keys/${key.id}`, { member_id: id }, tokens.owner);
    expect((await call('GET', '/account/balance', undefined, child.key)).status).toBe(200);
    await call('DELETE', `/account/members/${id}`, undefined, tokens.owner);
    expect((await call('GET', '/account/balance', undefined, child.key)).status).toBe(401);
  });

  it('never has a parent with caps by period, in any order of the two', async () => {
    const caps = [{ period: 'day', measure: 'requests', limit: 5 }];
    for (let round = 0; round < 5; round += 1) {
      const parent = await makeKey();
      const change = call('PATCH', `/account/keys/${parent.id}`, { caps });
      const answers = await Promise.all([change, askChild(parent.id)]);
      const isCapped = (await shown(parent.id)).caps.length > 0;
      expect(answers.map(({ status }) => status)).toEqual(isCapped ? [200, 400] : [400, 201]);
    }
  });

  it('never exceeds its parent, made forty at a time beside the parent’s own requests', async () => {
    const parent = await makeKey();
    const [asked, admitted] = await Promise.all([
      Promise.all(Array.from({ length: 40 }, () => askChild(parent.id))),
      Promise.all(Array.from({ length: 40 }, () => admit(parent.key, 50_000_000n))),
    ]);
    const children = asked.filter(({ status }) => status === 201).length;
    const requests = admitted.filter(({ outcome }) => outcome === 'admitted').length;
    // Who comes first is open: all of the budget may go to either side.
    expect([201, 402]).toEqual(expect.arrayContaining(asked.map(({ status }) => status)));
    expect(children + requests).toBeGreaterThan(0);
    expect(children + requests).toBeLessThanOrEqual(20);
    const { spentNanoUsd, heldNanoUsd } = await accounts.resources.admissionStore.readSpending(
      owner.id,
      parent.id as KeyId,
    );
    expect([spentNanoUsd, heldNanoUsd]).toEqual([BigInt(children) * 50_000_000n, BigInt(requests) * 50_000_000n]);
    const { children: listed } = await tree(parent.id);
    expect(listed.filter(({ state }: { state: string }) => state === 'active')).toHaveLength(children);
  });

  it('returns what it left over when it has ended, and shows which agent spent what', async () => {
    const parent = await makeKey();
    const child = await makeChild(parent.id, { budget_usd: '0.5' });
    const grandchild = await makeChild(child.id, { budget_usd: '0.2' });
    await spend(parent.key, 1_000n);
    await spend(child.key, 20_000n);
    await spend(grandchild.key, 300_000n);
    const running = await admit(grandchild.key, 5_000n);
    await call('DELETE', `/account/keys/${parent.id}/children/${child.id}`);
    await endedLongAgo(child.id);
    await endedLongAgo(grandchild.id);
    expect((await call('GET', '/account/balance', undefined, grandchild.key)).status).toBe(401);
    // A request of the grandchild still runs: neither of them is closed.
    await accounts.resources.admissionStore.settle(endOf(running.admission, 4_000n));
    const closed = async () => (await tree(parent.id)).children[0].closed_at !== null;
    await until(closed);
    expect(await shown(parent.id)).toMatchObject({ spent_usd: '0.000325', reserved_usd: '0.00' });
    expect(await tree(parent.id)).toMatchObject({
      spent_usd: '0.000001',
      tree_spent_usd: '0.000325',
      tree_requests: 4,
      children: [{ state: 'revoked', spent_usd: '0.00002', children: [{ spent_usd: '0.000304', tree_requests: 2 }] }],
    });
    const { body } = await call('GET', '/account/events?type=key.child.ended');
    // Children of other tests may end between them.
    const ended = body.data
      .map(({ data }: { data: { key_id: string } }) => data)
      .filter(({ key_id }: { key_id: string }) => [grandchild.id, child.id].includes(key_id));
    expect(ended).toMatchObject([
      { key_id: grandchild.id, parent_id: child.id, spent_usd: '0.000304', returned_usd: '0.199696' },
      { key_id: child.id, parent_id: parent.id, spent_usd: '0.000324', returned_usd: '0.499676' },
    ]);
    expect((await admit(parent.key, 999_675_000n)).outcome).toBe('admitted');
  });

  describe('that has ended', () => {
    /** Children as many agents leave them behind, which have ended and returned their budgets. */
    const leaveEnded = (parentId: string, count: number) =>
      accounts.test.changeWithoutTriggers(`
        INSERT INTO api_key (id, account_id, sha256, prefix, name, spend_cap_nano_usd, spending_key_id, parent_id, depth,
            created_at, expires_at, closed_at)
          SELECT '${parentId}_' || n, account_id, '${parentId}' || n, 'p', 'agent ' || n, 5, id, id, 1,
            created_at + n * interval '1 second', now(), now()
          FROM api_key, generate_series(1, ${count}) AS n WHERE id = '${parentId}'`);

    it('is shown in the tree only, takes no room, and cannot be changed any more', async () => {
      const person = await accounts.register();
      const parent = (await call('POST', '/account/keys', { name: 'parent' }, person.token)).body;
      await leaveEnded(parent.id, 1_000);
      const ended = `/account/keys/${parent.id}_1`;
      const { data } = (await call('GET', '/account/keys', undefined, person.token)).body;
      expect(data.map(({ id }: MadeKey) => id)).toEqual([parent.id]);
      expect((await call('POST', '/account/keys', { name: 'another' }, person.token)).status).toBe(201);
      expect((await call('PATCH', ended, { name: 'renamed' }, person.token)).status).toBe(404);
      expect((await call('DELETE', ended, undefined, person.token)).status).toBe(404);
      expect((await askChild(`${parent.id}_1`, {}, person.token)).status).toBe(404);
      expect(await tree(`${parent.id}_1`, person.token)).toMatchObject({ name: 'agent 1', state: 'expired' });
    });

    it('keeps its state when its parent is revoked, whose tree stays', async () => {
      const parent = await makeKey({ scopes: ['keys:children'] });
      await leaveEnded(parent.id, 1);
      const open = await makeChild(parent.id);
      await call('DELETE', `/account/keys/${parent.id}`);
      const shownTree = await tree(parent.id);
      expect(shownTree).toMatchObject({ id: parent.id, state: 'revoked', keys_below: 2 });
      expect(
        Object.fromEntries(shownTree.children.map(({ id, state }: { id: string; state: string }) => [id, state])),
      ).toEqual({
        [`${parent.id}_1`]: 'expired',
        [open.id]: 'revoked',
      });
      expect((await call('GET', `/account/keys/${parent.id}/tree`, undefined, parent.key)).status).toBe(401);
      const { token } = await accounts.register();
      expect((await call('GET', `/account/keys/${parent.id}/tree`, undefined, token)).status).toBe(404);
    });

    it('is on one page of the tree, whose sums count all; open keys are on the first page', async () => {
      const parent = await makeKey();
      const open = await makeChild(parent.id, { budget_usd: '0.5' });
      const below = await makeChild(open.id, { budget_usd: '0.2' });
      await spend(parent.key, 1_000n);
      await spend(below.key, 30_000n);
      await leaveEnded(parent.id, 5);
      await leaveEnded(open.id, 3);
      const pages: { children: { id: string; children: { id: string }[] }[]; next_cursor: string | null }[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const query: string = cursor === '' ? 'limit=3' : `limit=3&cursor=${cursor}`;
        const page = (await call('GET', `/account/keys/${parent.id}/tree?${query}`)).body;
        expect(page).toMatchObject({
          tree_spent_usd: '0.000031',
          spent_usd: '0.000001',
          tree_requests: 2,
          keys_below: 10,
        });
        pages.push(page);
        cursor = page.next_cursor;
      }
      const ids = pages.map(({ children }) =>
        children.flatMap((child) => [child.id, ...child.children.map(({ id }) => id)]),
      );
      expect(ids[0]).toEqual(expect.arrayContaining([open.id, below.id]));
      // A page names the keys above its own.
      const ended = ids.flat().filter((id) => id.includes('_', 'key_'.length));
      const all = [...[1, 2, 3, 4, 5].map((n) => `${parent.id}_${n}`), ...[1, 2, 3].map((n) => `${open.id}_${n}`)];
      expect(ended.sort()).toEqual(all.sort());
      expect(pages[0]?.children.find(({ id }) => id === open.id)).toMatchObject({
        keys_below: 4,
        spent_usd: '0.00',
        tree_spent_usd: '0.00003',
      });
      for (const query of ['limit=0', 'cursor=x', 'state=open']) {
        const refused = await call('GET', `/account/keys/${parent.id}/tree?${query}`);
        expect([refused.status, refused.body.error.param]).toEqual([400, query.split('=')[0]]);
      }
    });

    it('leaves room, but open ones take room of the account', async () => {
      const person = await accounts.register();
      const parent = (await call('POST', '/account/keys', { name: 'parent' }, person.token)).body;
      await accounts.test.changeWithoutTriggers(`
        INSERT INTO api_key (id, account_id, sha256, prefix, name)
          SELECT id || n, account_id, id || n, 'p', 'a key' FROM api_key, generate_series(1, 998) AS n WHERE id = '${parent.id}'`);
      expect((await askChild(parent.id, {}, person.token)).status).toBe(201);
      const refused = await askChild(parent.id, {}, person.token);
      expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringMatching(/at most 1000 keys/)]);
    });
  });

  it('that expires while its request runs is closed after it, at what it cost', async () => {
    const parent = await makeKey();
    const child = await makeChild(parent.id, { budget_usd: '0.5' });
    const { admission } = await admit(child.key, 9_000n);
    await accounts.test.changeWithoutTriggers(
      `UPDATE api_key SET expires_at = now() - interval '1 minute' WHERE id = '${child.id}'`,
    );
    expect((await call('GET', '/account/balance', undefined, child.key)).status).toBe(401);
    expect(await shown(parent.id)).toMatchObject({ reserved_usd: '0.50' });
    await accounts.resources.admissionStore.settle(settlementForAdmission(admission, 7_001n));
    await until(async () => (await tree(parent.id)).children[0].closed_at !== null);
    expect(await shown(parent.id)).toMatchObject({ spent_usd: '0.000007001', reserved_usd: '0.00' });
  });

  it('ends with its parent, unless the parent was replaced', async () => {
    const parent = await makeKey();
    const child = await makeChild(parent.id);
    const { body: replaced } = await call('POST', `/account/keys/${parent.id}/rotate`, { grace_seconds: 60 });
    await call('DELETE', `/account/keys/${parent.id}`);
    expect((await call('GET', '/account/balance', undefined, child.key)).status).toBe(200);
    expect(await shown(replaced.id)).toMatchObject({ reserved_usd: '0.05' });
    await call('DELETE', `/account/keys/${replaced.id}`);
    expect((await call('GET', '/account/balance', undefined, child.key)).status).toBe(401);
  });
});
