import { createHash } from 'node:crypto';
import { findAccountView } from '@gateway/postgres';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountInterface } from '../test-support/account-interface.js';

let accounts: AccountInterface;
let ann: { readonly id: string; readonly token: string };
let owner: Awaited<ReturnType<AccountInterface['register']>>;

const asBootstrap = (method: string, path: string, body?: unknown) =>
  accounts.call(method, path, body, accounts.adminToken);

async function newestAudit() {
  return (await asBootstrap('GET', '/admin/audit?limit=1')).body.data[0];
}

beforeAll(async () => {
  accounts = await AccountInterface.open();
  owner = await accounts.register();
  ann = (await asBootstrap('POST', '/admin/administrators', { name: 'Ann' })).body;
});

afterAll(() => accounts.close());

describe('administrators with names', () => {
  it('call every route of administrators, and the audit log names them', async () => {
    const { status } = await accounts.call('PATCH', `/admin/accounts/${owner.id}`, { rpm: 7 }, ann.token);
    expect(status).toBe(200);
    expect(await newestAudit()).toMatchObject({ action: 'account.change', account_id: owner.id });
    const rows = await accounts.test.resources();
    const [entry] = await rows.database.prisma.auditEntry.findMany({ orderBy: { id: 'desc' }, take: 1 });
    expect(entry).toMatchObject({ actor: 'administrator', administrator: 'Ann' });
  });

  it('may be people, whose sessions count', async () => {
    expect((await accounts.call('GET', '/admin/accounts', undefined, owner.token)).status).toBe(401);
    const named = await asBootstrap('POST', '/admin/administrators', { name: 'Bob', email: owner.email });
    expect(named).toMatchObject({ status: 201, body: { token: null } });
    expect((await accounts.call('GET', '/admin/accounts', undefined, owner.token)).status).toBe(200);
    const session = await accounts.call('GET', '/account/session', undefined, owner.token);
    expect(session.body.administrator).toBe(true);
    await asBootstrap('DELETE', `/admin/administrators/${named.body.id}`);
    expect((await accounts.call('GET', '/admin/accounts', undefined, owner.token)).status).toBe(401);
  });

  it('lose their rights at once, and free their name', async () => {
    const { body: carl } = await asBootstrap('POST', '/admin/administrators', { name: 'Carl' });
    const twice = await asBootstrap('POST', '/admin/administrators', { name: 'carl' });
    expect([twice.status, twice.body.error.param]).toEqual([400, 'name']);
    expect((await accounts.call('GET', '/admin/audit', undefined, carl.token)).status).toBe(200);
    const revoked = await asBootstrap('DELETE', `/admin/administrators/${carl.id}`);
    expect(revoked.body.revoked_at).not.toBeNull();
    expect((await asBootstrap('DELETE', `/admin/administrators/${carl.id}`)).body).toEqual(revoked.body);
    expect((await accounts.call('GET', '/admin/audit', undefined, carl.token)).status).toBe(401);
    expect((await asBootstrap('POST', '/admin/administrators', { name: 'Carl' })).status).toBe(201);
  });

  it('are listed without tokens', async () => {
    const { body } = await asBootstrap('GET', '/admin/administrators');
    expect(body.data[0]).toMatchObject({ name: 'Ann', created_by: 'administrator', revoked_at: null });
    expect(JSON.stringify(body)).not.toMatch(/token|admin_/);
  });

  it('need a name, and a person who is registered', async () => {
    for (const [body, param] of [
      [{}, 'name'],
      [{ name: 'x', email: 'unknown@example.com' }, 'email'],
    ] as const) {
      const refused = await asBootstrap('POST', '/admin/administrators', body);
      expect([refused.status, refused.body.error.param]).toEqual([400, param]);
    }
    expect((await asBootstrap('DELETE', '/admin/administrators/adm_unknown')).status).toBe(404);
  });
});

describe('an administrator who reads an account', () => {
  const look = async (reason = 'ticket 4') =>
    (await accounts.call('POST', `/admin/accounts/${owner.id}/views`, { reason }, ann.token)).body;

  it('sees what a viewer sees, and each look is in the audit log of the account', async () => {
    const { token, administrator, expires_at: expiresAt } = await look();
    expect(administrator).toBe('Ann');
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(15 * 60_000);
    for (const path of ['/account/balance', '/account/requests', '/account/members', '/account/settings']) {
      expect([path, (await accounts.call('GET', path, undefined, token)).status]).toEqual([path, 200]);
    }
    const { body } = await accounts.call('GET', '/account/audit', undefined, owner.token);
    expect(body.data.slice(0, 5)).toMatchObject([
      { action: 'account.look', details: { path: '/account/settings' }, status: 200 },
      { action: 'account.look', details: { path: '/account/members' } },
      { action: 'account.look' },
      { action: 'account.look' },
      { action: 'account.view', details: { reason: 'ticket 4' } },
    ]);
  });

  it('changes nothing, and sees nothing of a person', async () => {
    const { token } = await look();
    for (const [method, path] of [
      ['PATCH', '/account/settings'],
      ['POST', '/account/keys'],
      ['POST', '/account/quote'],
      ['POST', '/account/webhook-secret/rotate'],
    ] as const) {
      expect([path, (await accounts.call(method, path, {}, token)).status]).toEqual([path, 403]);
    }
    const keys = await accounts.call('GET', '/account/keys', undefined, token);
    expect([keys.status, keys.body.error.message]).toEqual([
      403,
      'An administrator reads an account as its viewer. This needs a member with the role developer.',
    ]);
    for (const path of ['/account/session', '/account/sessions', '/account/organisations', '/admin/accounts']) {
      expect([path, (await accounts.call('GET', path, undefined, token)).status]).toEqual([path, 401]);
    }
  });

  it('has it open in a browser beside the own session, until it ends', async () => {
    const person = await accounts.register();
    await asBootstrap('POST', '/admin/administrators', { name: 'Dora', email: person.email });
    const cookies = new Map([['session', person.token]]);
    const browse = async (method: string, path: string, body?: object) => {
      const response = await fetch(`${accounts.address}${path}`, {
        method,
        headers: {
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      for (const set of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^(\w+)=([^;]*)/.exec(set) ?? [];
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
      // biome-ignore lint/suspicious/noExplicitAny: a test reads any response body
      return { status: response.status, body: (await response.json()) as any };
    };
    await browse('POST', `/admin/accounts/${owner.id}/views`, { reason: 'ticket 5' });
    expect(cookies.get('view')).toMatch(/^look_/);
    const { body: viewing } = await browse('GET', '/account/session');
    expect(viewing).toMatchObject({ account: { id: owner.id }, role: 'viewer', view: { reason: 'ticket 5' } });
    expect((await browse('GET', '/account/settings')).body.email).toBe(owner.email);
    expect((await browse('PATCH', '/account/settings', { name: 'x' })).status).toBe(403);
    expect((await browse('PATCH', '/account/person', { name: 'x' })).status).toBe(403);
    expect((await browse('GET', '/admin/accounts')).status).toBe(200);
    const token = cookies.get('view');
    expect((await browse('DELETE', '/admin/account-views/current')).body.account).toEqual({ id: owner.id });
    expect((await accounts.call('GET', '/account/settings', undefined, token)).status).toBe(401);
    const { body: ended } = await browse('GET', '/account/session');
    expect(ended).toMatchObject({ account: { id: person.id }, role: 'owner', administrator: true, view: null });
  });

  it('expires, and is refused without a reason or an account', async () => {
    const { token, id } = await look();
    const { database } = await accounts.test.resources();
    const sha256 = createHash('sha256').update(token).digest('hex');
    const later = new Date(Date.now() + 15 * 60_000);
    expect(await findAccountView(database, sha256, new Date())).toMatchObject({ id });
    expect(await findAccountView(database, sha256, later)).toBeNull();
    expect((await accounts.call('GET', '/account/balance', undefined, `look_${'x'.repeat(43)}`)).status).toBe(401);
    expect((await asBootstrap('POST', `/admin/accounts/${owner.id}/views`, {})).body.error.param).toBe('reason');
    expect((await asBootstrap('POST', '/admin/accounts/acct_x/views', { reason: 'x' })).status).toBe(404);
  });
});
