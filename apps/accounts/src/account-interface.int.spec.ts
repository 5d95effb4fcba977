import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type AccountId, hashApiKey, isWellFormedApiKey } from '@gateway/contracts';
import { findKeyBySha256, revokeKey } from '@gateway/postgres';
import { totalOf } from '@gateway/redis';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { BillingResources } from '../../billing/src/resources.js';
import {
  checkedPosition,
  sampleAdmission,
  settlementForAdmission,
} from '../../billing/src/test-support/test-billing.js';
import { seedDemo } from './seed-demo.js';
import { AccountInterface, until } from './test-support/account-interface.js';

let accounts: AccountInterface;
let resources: BillingResources;

beforeAll(async () => {
  accounts = await AccountInterface.open();
  resources = accounts.resources;
});

afterAll(() => accounts.close());

const call: AccountInterface['call'] = (...request) => accounts.call(...request);
const register = () => accounts.register();

const credit = (accountId: string, amount_usd: string, reference: string, token = accounts.adminToken) =>
  call('POST', `/admin/accounts/${accountId}/credits`, { amount_usd, reason: 'test', reference }, token);

describe('a path that cannot be decoded', () => {
  it('is a 404 in style A, with a request id', async () => {
    const { status, headers, body } = await call('GET', '/account/requests/%ff');
    expect(status).toBe(404);
    expect(headers.get('x-request-id')).toMatch(/^req_/);
    expect(body).toMatchObject({ error: { code: 'not_found', type: 'invalid_request_error' } });
  });
});

describe('an invalid request', () => {
  /** Sends raw bytes and returns everything until the connection closes. */
  const raw = async (bytes: string): Promise<string> => {
    const socket = connect(Number(new URL(accounts.address).port), '127.0.0.1');
    socket.end(bytes);
    return text(socket);
  };

  it.each([
    ['no HTTP at all', 'NONSENSE\r\n\r\n', 400, 'invalid_request'],
    ['a broken header', 'GET / HTTP/1.1\r\nhost: a\r\nb\0d: c\r\n\r\n', 400, 'invalid_request'],
    ['headers without end', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(40_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ])('%s is refused in style A, with a request id', async (_what, bytes, status, code) => {
    const [head = '', body = ''] = (await raw(bytes)).split('\r\n\r\n');
    expect(head.startsWith(`HTTP/1.1 ${status} `)).toBe(true);
    expect(head).toMatch(/x-request-id: req_/);
    expect(JSON.parse(body)).toMatchObject({ error: { code, type: 'invalid_request_error' } });
  });

  it.each([
    ['GET', '/account/register', 405, 'POST'],
    ['PUT', '/account/keys/key_x', 405, 'DELETE, PATCH'],
    ['POST', '/account/balance', 405, 'GET, HEAD'],
    ['GET', '/account/nothing', 404, null],
  ])('%s %s is %i', async (method, path, status, allow) => {
    const response = await call(method, path);
    expect([response.status, response.headers.get('allow')]).toEqual([status, allow]);
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
    expect(response.headers.get('x-should-retry')).toBe('false');
    const code = status === 405 ? 'method_not_allowed' : 'not_found';
    expect(response.body).toMatchObject({ error: { code, type: 'invalid_request_error' } });
  });

  it.each([
    ['GET', '/account/balance'],
    ['GET', '/account/keys'],
    ['GET', '/account/sessions'],
    ['DELETE', '/account/sessions'],
  ])('%s %s, which has no parameters, refuses one, as lists refuse an unknown one', async (method, path) => {
    const { token } = await register();
    const refused = await call(method, `${path}?colour=red`, undefined, token);
    const message = 'colour: is not a known field';
    expect([refused.status, refused.body]).toMatchObject([400, { error: { param: 'colour', message } }]);
    expect((await call('GET', '/account/events?colour=red', undefined, token)).body.error.message).toBe(message);
    expect((await call(method, `${path}?colour=red`)).status).toBe(401);
    expect((await call(method, path, undefined, token)).status).toBe(200);
  });

  it('a body with more names than an endpoint takes is refused before it is parsed', async () => {
    const { token } = await accounts.register();
    const metadata = Object.fromEntries(Array.from({ length: 21_000 }, (_, index) => [`n${index}`, '']));
    const body = { model: 'gm-2.5-flash', messages: [{ role: 'user', content: 'x' }], metadata };
    const refused = await accounts.call('POST', '/account/quote', { endpoint: 'chat.completions', body }, token);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ error: { message: expect.stringContaining('too many names') } });
  });

  it('a compressed body is a 415 that names the encoding', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const response = await fetch(`${accounts.address}/account/register`, {
      method: 'POST',
      headers,
      body: '{}',
    });
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({
      error: { code: 'unsupported_media_type', message: expect.stringContaining('gzip') },
    });
  });
});

describe('the edge', () => {
  it('gets escrow only with its token', async () => {
    const { id } = await register();
    await credit(id, '10', `credit-${id}`);
    const body = { accountId: id, missingNanoUsd: '1' };
    for (const token of [undefined, 'wrong', accounts.adminToken]) {
      const refused = await call('POST', '/internal/escrow', body, token);
      expect([refused.status, refused.body.error.code]).toEqual([401, 'invalid_api_key']);
    }
    const granted = await call('POST', '/internal/escrow', body, accounts.internalToken);
    expect([granted.status, granted.body]).toEqual([200, { granted: true, amountNanoUsd: '500000000' }]);
    const tooMuch = await call(
      'POST',
      '/internal/escrow',
      { ...body, missingNanoUsd: '99000000000' },
      accounts.internalToken,
    );
    expect([tooMuch.status, tooMuch.body]).toEqual([200, { granted: false, availableNanoUsd: '9500000000' }]);
    const invalid = await call('POST', '/internal/escrow', { ...body, missingNanoUsd: '0' }, accounts.internalToken);
    expect([invalid.status, invalid.body.error.param]).toEqual([400, 'missingNanoUsd']);
  });
});

describe('an account', () => {
  it('is registered, logged in and logged out', async () => {
    const { email, id, token } = await register();
    expect((await call('GET', '/account/balance', undefined, token)).body).toEqual({
      balance_usd: '0.00',
      held_usd: '0.00',
      available_usd: '0.00',
    });
    const login = await call('POST', '/account/login', { email: email.toUpperCase(), password: 'correct horse' });
    expect(login.body.account).toMatchObject({ id, email });
    expect(login.headers.get('set-cookie')).toMatch(/^session=sess_[\w-]{43}; .*HttpOnly; SameSite=Strict/);
    expect((await call('POST', '/account/logout', {}, token)).status).toBe(200);
    expect((await call('GET', '/account/balance', undefined, token)).status).toBe(401);
    expect((await call('GET', '/account/balance', undefined, login.body.token)).status).toBe(200);
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
    const byCookie = await fetch(`${accounts.address}/account/balance`, { headers: { cookie } });
    expect(byCookie.status).toBe(200);
  });

  it.each([
    [{ email: 'no-address', password: 'correct horse' }, 'email'],
    [{ email: 'a@example.com', password: 'short' }, 'password'],
    [{ email: 'a@example.com' }, 'password'],
    [{ email: 'a@example.com', password: 'correct horse', balance: '5' }, 'balance'],
    ['[]', null],
  ])('is not registered with %j', async (given, param) => {
    const refused = await call('POST', '/account/register', given);
    expect([refused.status, refused.body.error.type, refused.body.error.param]).toEqual([
      400,
      'invalid_request_error',
      param,
    ]);
  });

  it('accepts the same password in any Unicode form', async () => {
    const email = 'keyboards@example.com';
    await call('POST', '/account/register', { email, password: 'pa\u0308ssw\u00f6rd' });
    const login = await call('POST', '/account/login', { email, password: 'p\u00e4sswo\u0308rd' });
    expect(login.status).toBe(200);
  });

  it('changes the password for someone who knows the old one, and ends every other session', async () => {
    const { email, id, token } = await register();
    const login = (password: string) => call('POST', '/account/login', { email, password });
    const lost = (await login('correct horse')).body.token;
    const change = (password: string, new_password: string) =>
      call('POST', '/account/password', { password, new_password }, token);
    expect((await change('wrong horse', 'another horse')).body.error.param).toBe('password');
    expect((await change('correct horse', 'short')).body.error.param).toBe('new_password');
    expect((await call('GET', '/account/settings', undefined, lost)).status).toBe(200);
    expect(await change('correct horse', 'another horse')).toMatchObject({ status: 200, body: { changed: true } });
    expect((await call('GET', '/account/settings', undefined, lost)).status).toBe(401);
    expect((await call('GET', '/account/settings', undefined, token)).status).toBe(200);
    expect([(await login('correct horse')).status, (await login('another horse')).status]).toEqual([401, 200]);
    const audit = await call('GET', `/admin/audit?account_id=${id}`, undefined, accounts.adminToken);
    expect(JSON.stringify(audit.body)).not.toContain('horse');
  });

  it('limits guesses at the password with a session', async () => {
    const { token } = await register();
    const guess = { password: 'wrong horse', new_password: 'another horse' };
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      expect((await call('POST', '/account/password', guess, token)).status).toBe(400);
    }
    expect((await call('POST', '/account/password', guess, token)).status).toBe(429);
  });

  it('is registered once for an email', async () => {
    const { email } = await register();
    const again = await call('POST', '/account/register', { email, password: 'another horse' });
    expect([again.status, again.body.error.param]).toEqual([400, 'email']);
  });

  it('has the same response for a wrong password and an unknown email, up to a limit', async () => {
    const { email } = await register();
    const guess = (address: string) => call('POST', '/account/login', { email: address, password: 'wrong horse' });
    const [known, unknown] = [await guess(email), await guess('unknown@example.com')];
    expect([known.status, known.body]).toEqual([401, unknown.body]);
    for (let attempt = 2; attempt <= 10; attempt += 1) expect((await guess(email)).status).toBe(401);
    const limited = await guess(email);
    expect([limited.status, limited.body.error.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('a reversal', () => {
  const balanceOf = async (token: string) => (await call('GET', '/account/balance', undefined, token)).body.balance_usd;

  it('reverses a credit or a charge once, with its own ledger line', async () => {
    const { id, token } = await register();
    await credit(id, '3', `first-${id}`);
    await credit(id, '2', `second-${id}`);
    const reverse = (kind: string, reference: string) =>
      call('POST', `/admin/accounts/${id}/reversals`, { kind, reference, reason: 'a mistake' }, accounts.adminToken);
    const reversed = await reverse('credit', `second-${id}`);
    expect([reversed.status, reversed.body.amount_usd]).toEqual([201, '-2.00']);
    const again = await reverse('credit', `second-${id}`);
    expect([again.status, again.body.id]).toEqual([200, reversed.body.id]);
    expect(await balanceOf(token)).toBe('3.00');

    const request = sampleAdmission(id as AccountId, 1_000_000_000n);
    await call('POST', '/internal/escrow', { accountId: id, missingNanoUsd: '1000000000' }, accounts.internalToken);
    await resources.admissionStore.admit(request);
    await resources.admissionStore.settle(settlementForAdmission(request, 500_000_000n));
    await until(
      async () => (await call('GET', `/account/requests/${request.requestId}`, undefined, token)).status === 200,
    );
    expect(await balanceOf(token)).toBe('2.50');
    expect((await reverse('settlement', request.requestId)).body).toMatchObject({
      amount_usd: '0.50',
      reverses: { kind: 'settlement', reference: request.requestId },
    });
    expect(await balanceOf(token)).toBe('3.00');
    const { body } = await call('GET', '/account/ledger', undefined, token);
    expect(body.data.map(({ kind, amount_usd }: { kind: string; amount_usd: string }) => [kind, amount_usd])).toEqual([
      ['adjustment', '0.50'],
      ['settlement', '-0.50'],
      ['adjustment', '-2.00'],
      ['top_up', '2.00'],
      ['top_up', '3.00'],
    ]);
    await checkedPosition(resources.database, id);
  });

  it('lets a key that its cap had stopped spend again what was given back', async () => {
    const { id, token } = await register();
    await credit(id, '3', `of-key-${id}`);
    const { body: key } = await call('POST', '/account/keys', { name: 'k', spend_cap_usd: '0.5' }, token);
    await call('POST', '/internal/escrow', { accountId: id, missingNanoUsd: '1000000000' }, accounts.internalToken);
    const admission = () => ({
      ...sampleAdmission(id as AccountId, 400_000_000n),
      keyId: key.id,
      spendCap: { capNanoUsd: '500000000', spentNanoUsd: '0', version: '0', spendingKeyId: key.id },
    });
    const request = admission();
    await resources.admissionStore.admit(request);
    await resources.admissionStore.settle(settlementForAdmission(request, 400_000_000n));
    const shown = async () => (await call('GET', `/account/requests/${request.requestId}`, undefined, token)).status;
    await until(async () => (await shown()) === 200);
    expect((await resources.admissionStore.admit(admission())).outcome).toBe('spend_cap');
    const reversal = { kind: 'settlement', reference: request.requestId, reason: 'a wrong charge' };
    await call('POST', `/admin/accounts/${id}/reversals`, reversal, accounts.adminToken);
    expect((await resources.admissionStore.admit(admission())).outcome).toBe('admitted');
    expect((await call('GET', '/account/keys', undefined, token)).body.data[0]).toMatchObject({ spent_usd: '0.00' });
  });

  it("does not find another account's line, nor an unknown reference", async () => {
    const [one, other] = [await register(), await register()];
    await credit(one.id, '3', `only-${one.id}`);
    for (const [accountId, kind, reference] of [
      [other.id, 'credit', `only-${one.id}`],
      [one.id, 'settlement', `only-${one.id}`],
      [one.id, 'credit', 'nothing'],
    ]) {
      const body = { kind, reference, reason: 'r' };
      const refused = await call('POST', `/admin/accounts/${accountId}/reversals`, body, accounts.adminToken);
      expect([refused.status, refused.body.error.param]).toEqual([404, 'reference']);
    }
  });
});

describe('the audit log', () => {
  it('records the actor and the outcome without secrets, and cannot be deleted', async () => {
    const { id, token, email } = await register();
    const created = await call('POST', '/account/keys', { name: 'audited' }, token);
    await call('DELETE', '/account/keys/key_unknown', undefined, token);
    await call('PATCH', `/admin/accounts/${id}`, { rpm: 7 }, accounts.adminToken);
    await call('PATCH', `/admin/accounts/${id}`, { rpm: 8 }, 'wrong');
    await call('POST', '/account/login', { email, password: 'wrong horse' });
    const { body } = await call('GET', '/account/audit', undefined, token);
    const entries = body.data.map(
      (entry: { actor: string; action: string; status: number; subject: string; details: object }) => [
        entry.actor,
        entry.action,
        entry.status,
        entry.subject,
        entry.details,
      ],
    );
    expect(entries).toEqual([
      ['administrator', 'account.change', 200, id, { rpm: 7 }],
      ['person', 'key.delete', 404, 'key_unknown', {}],
      ['person', 'key.create', 201, created.body.id, { name: 'audited' }],
      ['nobody', 'account.register', 201, id, { email }],
    ]);
    expect(JSON.stringify(body)).not.toMatch(/horse|sk-|sess_/);
    expect(body.data[2]).toMatchObject({ person: { id: expect.stringMatching(/^psn_/), role: 'owner' } });
    expect(body.data[0]).toMatchObject({ person: null });

    const actionsOf = async (query: string) => {
      const { body: found } = await call('GET', `/account/audit?${query}`, undefined, token);
      return found.data.map((entry: { action: string }) => entry.action);
    };
    expect(await actionsOf('action=key.')).toEqual(['key.delete', 'key.create']);
    expect(await actionsOf('action=key.create')).toEqual(['key.create']);
    expect(await actionsOf('actor=administrator')).toEqual(['account.change']);
    expect(await actionsOf(`person_id=${body.data[2].person.id}&limit=1`)).toEqual(['key.delete']);
    expect(await actionsOf(`person_id=psn_other`)).toEqual([]);
    expect(await actionsOf(`to=${body.data[2].at}`)).toEqual(['account.register']);
    expect(await actionsOf(`from=${body.data[1].at}`)).toEqual(['account.change', 'key.delete']);
    expect(await actionsOf(`subject=${created.body.id}`)).toEqual(['key.create']);
    expect(await actionsOf('subject=key_unknown')).toEqual(['key.delete']);
    const csv = await call('GET', '/account/audit?format=csv&action=key.create', undefined, token);
    expect(csv.body.split('\r\n')[1]).toContain(`,person,${email},key.create,${created.body.id},`);
    const wrong = await call('GET', '/account/audit?actor=robot', undefined, token);
    expect([wrong.status, wrong.body.error.param]).toEqual([400, 'actor']);

    const all = await call('GET', '/admin/audit?limit=1', undefined, accounts.adminToken);
    expect(all.body.data).toMatchObject([
      { actor: 'nobody', action: 'account.login', status: 401, error_code: 'invalid_api_key', details: { email } },
    ]);
    const next = await call(
      'GET',
      `/admin/audit?limit=1&cursor=${all.body.next_cursor}`,
      undefined,
      accounts.adminToken,
    );
    expect(next.body.data).toMatchObject([{ action: 'account.change', account_id: id }]);
    const own = await call('GET', `/admin/audit?account_id=${id}&limit=4`, undefined, accounts.adminToken);
    expect(own.body.data.map(({ id: entry }: { id: string }) => entry)).toEqual(
      body.data.map(({ id: entry }: { id: string }) => entry),
    );
    for (const table of ['audit_entry', 'audit_outcome']) {
      await expect(resources.database.prisma.$executeRawUnsafe(`DELETE FROM ${table}`)).rejects.toThrow(
        /permission denied/,
      );
    }
  });
});

describe('keys', () => {
  it('are shown once, listed, changed, rotated and deleted, and the edge cache is invalidated', async () => {
    const { token } = await register();
    const created = await call('POST', '/account/keys', { name: 'first', rpm: 5, spend_cap_usd: '1.5' }, token);
    expect(created.status).toBe(201);
    const { key, id } = created.body;
    expect(isWellFormedApiKey(key)).toBe(true);
    expect(created.body).toMatchObject({
      name: 'first',
      rpm: 5,
      concurrency: null,
      spend_cap_usd: '1.50',
      models: null,
    });
    const listed = await call('GET', '/account/keys', undefined, token);
    expect(listed.body).toMatchObject({ data: [{ id, spent_usd: '0.00' }], next_cursor: null });
    expect(JSON.stringify(listed.body)).not.toContain(key);

    const sha256 = hashApiKey(key);
    const record = await findKeyBySha256(resources.database, sha256);
    if (record === null) throw new Error('the key is not there');
    await resources.keyCache.set(record);
    const changed = await call('PATCH', `/account/keys/${id}`, { name: 'second', rpm: null }, token);
    expect(changed.body).toMatchObject({ name: 'second', rpm: null, spend_cap_usd: '1.50' });
    expect(await resources.keyCache.get(sha256)).toBeUndefined();

    const rotated = await call('POST', `/account/keys/${id}/rotate`, { grace_seconds: 60 }, token);
    expect(rotated.status).toBe(201);
    expect(rotated.body).toMatchObject({ name: 'second', replaces: id, expires_at: null });
    const old = await findKeyBySha256(resources.database, sha256);
    expect(old?.expiresAtMs).toBe(Date.parse(rotated.body.old_expires_at));
    expect((await call('GET', '/account/balance', undefined, key)).status).toBe(200);

    expect((await call('DELETE', `/account/keys/${id}`, undefined, token)).body).toEqual({ id, deleted: true });
    expect((await call('DELETE', `/account/keys/${id}`, '', token)).status).toBe(404);
    expect((await call('GET', '/account/balance', undefined, key)).status).toBe(401);
    expect(await findKeyBySha256(resources.database, sha256)).toMatchObject({ isRevoked: true });
  });

  it('leave the edge cache when their revocation is repeated: the first process may have died before it', async () => {
    const { token, id: accountId } = await register();
    const { key, id } = (await call('POST', '/account/keys', { name: 'lost' }, token)).body;
    const sha256 = hashApiKey(key);
    const record = await findKeyBySha256(resources.database, sha256);
    if (record === null) throw new Error('the key is not there');
    await resources.keyCache.set(record);
    await revokeKey(resources.database, { accountId }, id, new Date());
    expect(await resources.keyCache.get(sha256)).toMatchObject({ isRevoked: false });

    expect((await call('DELETE', `/account/keys/${id}`, undefined, token)).status).toBe(404);
    expect(await resources.keyCache.get(sha256)).toBeUndefined();
  });

  it.each<[string, (world: { keyId: string; accountId: string; token: string; name: string }) => Promise<unknown>]>([
    ['a revocation', ({ keyId, token }) => call('DELETE', `/account/keys/${keyId}`, undefined, token)],
    ['new limits', ({ keyId, token }) => call('PATCH', `/account/keys/${keyId}`, { models: ['gm-2.5-pro'] }, token)],
    [
      'a suspension',
      ({ accountId }) => call('PATCH', `/admin/accounts/${accountId}`, { suspended: true }, accounts.adminToken),
    ],
    [
      'a deleted organisation',
      ({ accountId, token, name }) =>
        call('DELETE', `/account/organisations/${accountId}?name=${encodeURIComponent(name)}`, undefined, token),
    ],
  ])('are in no cache after %s whose process dies before it notifies the edges', async (_name, change) => {
    const { token, id: accountId, email } = await register();
    const { key, id: keyId } = (await call('POST', '/account/keys', { name: 'lost' }, token)).body;
    const sha256 = hashApiKey(key);
    const record = await findKeyBySha256(resources.database, sha256);
    if (record === null) throw new Error('the key is not there');
    await resources.keyCache.set(record);
    let endProcess = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      endProcess = resolve;
    });
    const invalidate = jest.spyOn(accounts.keyCache, 'invalidate').mockReturnValue(ended);
    const response = change({ keyId, accountId, token, name: email });
    await until(async () => invalidate.mock.calls.length > 0);
    expect(await findKeyBySha256(resources.database, sha256)).not.toEqual(record);
    expect(await resources.keyCache.get(sha256)).toBeUndefined();
    // An edge that has read the old record just before.
    await resources.keyCache.set(record);
    expect(await resources.keyCache.get(sha256)).toBeUndefined();
    invalidate.mockRestore();
    endProcess();
    await response;
  });

  it('accept aliases and paths, and store ids and names', async () => {
    const { token } = await register();
    const models = ['claude-opus-4-7'];
    const created = await call(
      'POST',
      '/account/keys',
      { name: 'k', models, endpoints: ['/v1/chat/completions'] },
      token,
    );
    expect(created.body).toMatchObject({ models: ['cl-opus-4-7'], endpoints: ['chat.completions'] });
  });

  it.each([
    [{}, 'name'],
    [{ name: 'k', models: ['cl-opus-4-7', 'nothing-1'] }, 'models[1]'],
    [{ name: 'k', endpoints: ['/v1/nothing'] }, 'endpoints[0]'],
    [{ name: 'k', allowed_ips: ['10.0.0.0/33'] }, 'allowed_ips[0]'],
    [{ name: 'k', rpm: 1.5 }, 'rpm'],
    [{ name: 'k', rpm: 0 }, 'rpm'],
    [{ name: 'k', concurrency: 0 }, 'concurrency'],
    [{ name: 'k', spend_cap_usd: 1 }, 'spend_cap_usd'],
    [{ name: 'k', spend_cap_usd: '-1' }, 'spend_cap_usd'],
    [{ name: 'k', expires_at: 'tomorrow' }, 'expires_at'],
    [{ name: 'k', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    [{ name: 'k', account_id: 'acct_other' }, 'account_id'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ name: 'two\nlines' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'k', allowed_ips: ['fe80::1%eth0'] }, 'allowed_ips[0]'],
    [{ name: 'k', allowed_ips: ['fe80::%eth0/64'] }, 'allowed_ips[0]'],
    [{ name: 'k', models: Array(101).fill('gm-2.5-flash') }, 'models'],
  ])('are not created from %j', async (given, param) => {
    const { token } = await register();
    const refused = await call('POST', '/account/keys', given, token);
    expect([refused.status, refused.body.error.param]).toEqual([400, param]);
  });

  it('are not rotated after their expiry', async () => {
    const { token } = await register();
    const expires_at = new Date(Date.now() + 30_000).toISOString();
    const { body } = await call('POST', '/account/keys', { name: 'k', expires_at }, token);
    const rotate = (id: string, given = {}) => call('POST', `/account/keys/${id}/rotate`, given, token);
    const early = await rotate(body.id, { grace_seconds: 60 });
    expect([early.status, early.body.expires_at, early.body.old_expires_at]).toEqual([201, expires_at, expires_at]);
    const replaced = await rotate(early.body.id);
    expect(replaced.status).toBe(201);
    const again = await rotate(early.body.id);
    expect([again.status, again.body.error.param]).toEqual([400, 'id']);
  });

  it('are at most a thousand', async () => {
    const { id, token } = await register();
    await resources.database.prisma.$executeRaw`
      INSERT INTO api_key (id, account_id, sha256, prefix, name)
      SELECT 'key_' || ${id} || number, ${id}, ${id} || number, 'sk-', 'k' FROM generate_series(1, 999) AS number`;
    const last = await call('POST', '/account/keys', { name: 'k' }, token);
    expect(last.status).toBe(201);
    for (const path of ['/account/keys', `/account/keys/${last.body.id}/rotate`]) {
      const refused = await call('POST', path, path.endsWith('keys') ? { name: 'k' } : {}, token);
      expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining('at most 1000 keys')]);
    }
    await call('DELETE', `/account/keys/${last.body.id}`, undefined, token);
    expect((await call('POST', '/account/keys', { name: 'k' }, token)).status).toBe(201);
  });

  it.each([-1, 1.5, '60', null, 30 * 24 * 3_600 + 1])('reject a grace period of %j seconds', async (grace_seconds) => {
    const { token } = await register();
    const { body } = await call('POST', '/account/keys', { name: 'k' }, token);
    const refused = await call('POST', `/account/keys/${body.id}/rotate`, { grace_seconds }, token);
    expect([refused.status, refused.body.error.param]).toEqual([400, 'grace_seconds']);
  });

  it('stay the same after an empty change', async () => {
    const { token } = await register();
    const { body } = await call('POST', '/account/keys', { name: 'k', rpm: 3 }, token);
    const { key: _, ...shown } = body;
    expect(await call('PATCH', `/account/keys/${body.id}`, {}, token)).toMatchObject({ status: 200, body: shown });
    expect((await call('PATCH', '/account/keys/key_unknown', {}, token)).status).toBe(404);
  });

  it('belong to their owner only', async () => {
    const [owner, other] = [await register(), await register()];
    const { body } = await call('POST', '/account/keys', { name: 'k' }, owner.token);
    for (const [method, path] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
    ] as const) {
      const given = method === 'DELETE' ? undefined : {};
      expect((await call(method, `/account/keys/${body.id}${path}`, given, other.token)).status).toBe(404);
    }
    expect((await call('POST', '/account/keys', { name: 'k' }, body.key)).status).toBe(401);
  });
});

describe('a request to credit', () => {
  it('is refused at billing without the token of accounts, also for an edge', async () => {
    const { id } = await register();
    const body = { amountNanoUsd: '5', kind: 'top_up', reason: 'test', reference: `direct-${id}` };
    for (const token of [undefined, accounts.internalToken, accounts.adminToken]) {
      const refused = await call('POST', `/internal/accounts/${id}/credits`, body, token);
      expect([refused.status, refused.body.error.code]).toEqual([401, 'invalid_api_key']);
    }
  });
});

describe('money', () => {
  it('is credited once per reference', async () => {
    const { id, token } = await register();
    expect((await credit(id, '5', `ref-${id}`, token)).status).toBe(401);
    const responses = await Promise.all(Array.from({ length: 50 }, () => credit(id, '5.25', `ref-${id}`)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(49);
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1);
    expect((await call('GET', '/account/balance', undefined, token)).body).toMatchObject({ balance_usd: '5.25' });
    const other = await credit(id, '6', `ref-${id}`);
    expect([other.status, other.body.error.code]).toEqual([409, 'idempotency_conflict']);
    for (const amount of ['0', '-1', '1.0000000001', 'x']) {
      expect((await credit(id, amount, `bad-${id}`)).body.error.param).toBe('amount_usd');
    }
    expect((await credit('acct_unknown', '5', 'unknown')).status).toBe(404);
  });

  it('keeps its first reason when a repetition has another one', async () => {
    const { id } = await register();
    await credit(id, '5', `repeated-${id}`);
    const body = { amount_usd: '5.00', reason: 'another', reference: `repeated-${id}` };
    const again = await call('POST', `/admin/accounts/${id}/credits`, body, accounts.adminToken);
    expect([again.status, again.body.reason]).toEqual([200, 'test']);
  });

  it('appears in the ledger, the usage and the receipt of a request', async () => {
    const { id, token } = await register();
    await credit(id, '10', `credit-${id}`);
    await call('POST', '/internal/escrow', { accountId: id, missingNanoUsd: '1000' }, accounts.internalToken);
    const request = sampleAdmission(id as never, 1_000_000n);
    await resources.admissionStore.admit(request);
    await resources.admissionStore.settle({ ...settlementForAdmission(request, 30_000n), settledAtMs: Date.now() - 1 });
    const receipt = `/account/requests/${request.requestId}`;
    await until(async () => (await call('GET', receipt, undefined, token)).status === 200);

    expect((await call('GET', receipt, undefined, token)).body).toMatchObject({
      outcome: 'completed',
      hold_usd: '0.001',
      cost_usd: '0.00003',
      released_usd: '0.00097',
      lines: [{ unit: 'output_token', count: 3, usd_per_million: '10', amount_usd: '0.00003' }],
    });
    expect((await call('GET', receipt, undefined, (await register()).token)).status).toBe(404);

    const first = await call('GET', '/account/ledger?limit=1', undefined, token);
    expect(first.body.data).toMatchObject([
      { kind: 'settlement', amount_usd: '-0.00003', reference: request.requestId },
    ]);
    const second = await call('GET', `/account/ledger?limit=1&cursor=${first.body.next_cursor}`, undefined, token);
    expect(second.body.data).toMatchObject([{ kind: 'top_up', amount_usd: '10.00', reference: `credit-${id}` }]);
    const csvPage = await call('GET', '/account/ledger?limit=1&format=csv', undefined, token);
    expect(csvPage.headers.get('x-next-cursor')).toBe(first.body.next_cursor);
    const [columns, line] = csvPage.body.split('\r\n');
    expect(columns).toBe('id,kind,amount_usd,reference,reason,created_at');
    expect(line).toContain(`,settlement,-0.00003,${request.requestId},,`);
    expect((await call('GET', '/account/ledger?cursor=%21', undefined, token)).body.error.param).toBe('cursor');

    const usage = await call('GET', '/account/usage?group_by=model', undefined, token);
    expect(usage.body.data).toEqual([{ model: 'gm-2', requests: 1, cost_usd: '0.00003', units: { output_token: 3 } }]);
    const csv = await call('GET', '/account/usage?group_by=model&format=csv', undefined, token);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.body).toBe('model,requests,cost_usd,output_token\r\ngm-2,1,0.00003,3\r\n');
    expect((await call('GET', '/account/balance', undefined, token)).body).toMatchObject({ balance_usd: '9.99997' });
  });

  it('appears in the usage with the name of its key, also after the end of that key', async () => {
    const { id, token } = await register();
    await credit(id, '10', `credit-${id}`);
    await call('POST', '/internal/escrow', { accountId: id, missingNanoUsd: '1000' }, accounts.internalToken);
    const { body: key } = await call('POST', '/account/keys', { name: 'Website' }, token);
    const request = { ...sampleAdmission(id as never, 1_000_000n), keyId: key.id };
    await resources.admissionStore.admit(request);
    await resources.admissionStore.settle({ ...settlementForAdmission(request, 30_000n), settledAtMs: Date.now() - 1 });
    const receipt = `/account/requests/${request.requestId}`;
    await until(async () => (await call('GET', receipt, undefined, token)).status === 200);
    expect((await call('DELETE', `/account/keys/${key.id}`, undefined, token)).status).toBe(200);
    const usage = await call('GET', '/account/usage?group_by=key,model', undefined, token);
    expect(usage.body.data).toMatchObject([{ key: key.id, key_name: 'Website', requests: 1 }]);
    const csv = await call('GET', '/account/usage?group_by=key&format=csv', undefined, token);
    expect(csv.body).toContain(`key,key_name,requests,cost_usd,output_token\r\n${key.id},Website,1,`);
  });
});

describe('an administrator', () => {
  it('lists accounts, finds one, limits and suspends them', async () => {
    const { id, token, email } = await register();
    const { body: key } = await call('POST', '/account/keys', { name: 'k' }, token);
    const sha256 = hashApiKey(key.key);
    expect((await call('PATCH', `/admin/accounts/${id}`, { rpm: 3 }, token)).status).toBe(401);
    const changed = await call('PATCH', `/admin/accounts/${id}`, { rpm: 3, suspended: true }, accounts.adminToken);
    expect(changed.body).toMatchObject({ id, rpm: 3, concurrency: null, suspended_at: expect.any(String) });
    expect(await findKeyBySha256(resources.database, sha256)).toMatchObject({
      accountLimits: { requestsPerMinute: 3, concurrency: null },
      isAccountSuspended: true,
    });
    expect((await call('POST', '/account/keys', { name: 'k' }, token)).status).toBe(403);
    const freed = await call('PATCH', `/admin/accounts/${id}`, { rpm: null, suspended: false }, accounts.adminToken);
    expect(freed.body).toMatchObject({ rpm: null, suspended_at: null });
    expect((await call('PATCH', '/admin/accounts/acct_unknown', {}, accounts.adminToken)).status).toBe(404);
    const shown = await call('GET', `/admin/accounts/${id}`, undefined, accounts.adminToken);
    expect(shown.body).toEqual({ ...freed.body, balance_usd: '0.00' });
    expect((await call('GET', '/admin/accounts/acct_unknown', undefined, accounts.adminToken)).status).toBe(404);
    const byEmail = await call('GET', `/admin/accounts?email=${email.toUpperCase()}`, undefined, accounts.adminToken);
    expect(byEmail.body).toEqual({ data: [shown.body], next_cursor: null });
    await call('POST', '/account/register', { email: 'a+b@example.com', password: 'correct horse' });
    const withPlus = await call('GET', '/admin/accounts?email=a+b@example.com', undefined, accounts.adminToken);
    expect(withPlus.body.data).toMatchObject([{ email: 'a+b@example.com' }]);

    const ids: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await call('GET', `/admin/accounts?limit=3${cursor}`, undefined, accounts.adminToken);
      ids.push(...body.data.map((account: { id: string }) => account.id));
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(ids).toContain(id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('reads a reconciliation without a difference', async () => {
    await until(async () => totalOf(await resources.admissionStore.readShards(0)).unbookedEvents === 0);
    const { body } = await call('GET', '/admin/reconciliation?deep=true', undefined, accounts.adminToken);
    expect(body).toMatchObject({
      orphan_holds: 0,
      unsettled_events: 0,
      parked_events: 0,
      drift_usd: '0.00',
      drifts: [],
      ledger: { imbalance_usd: '0.00', unbalanced_transactions: 0, wrong_balances: 0, wrong_usage_sums: 0 },
    });
  });
});

describe('the character NUL, which PostgreSQL rejects', () => {
  it.each([
    ['GET', '/account/requests/%00', 404],
    ['GET', '/account/webhook-endpoints/%00', 404],
    ['GET', '/account/webhook-deliveries/a%00b', 404],
    ['GET', '/account/webhook-deliveries?event_id=%00', 400],
    ['GET', '/account/webhook-deliveries?endpoint_id=%00', 400],
    ['GET', '/account/events?after=%00', 400],
    ['GET', '/account/events?subject=%00', 400],
    ['DELETE', '/account/keys/%00', 404],
  ])('%s %s is %i', async (method, path, status) => {
    const { token } = await register();
    expect((await call(method, path, undefined, token)).status).toBe(status);
  });

  it.each([
    ['POST', '/credits', { amount_usd: '1', reason: 'a\0', reference: 'r' }, 'reason'],
    ['POST', '/credits', { amount_usd: '1', reason: 'a', reference: 'r\0' }, 'reference'],
    ['POST', '/reversals', { kind: 'credit', reason: 'a', reference: '\0' }, 'reference'],
    ['POST', '/prices', { model: 'gp-5.4-mini', per_million: null, reason: '\0' }, 'reason'],
  ])('%s %s %j names the field', async (method, path, body, param) => {
    const { id } = await register();
    const refused = await call(method, `/admin/accounts/${id}${path}`, body, accounts.adminToken);
    expect([refused.status, refused.body.error.param]).toEqual([400, param]);
    expect((await call(method, `/admin/accounts/%00${path}`, body, accounts.adminToken)).status).toBe(404);
  });
});

describe('a price of an account', () => {
  it.each([
    [{ model: 'gp-5.4-mini', per_million: {} }, 'per_million'],
    [{ model: 'gp-5.4-mini', per_million: { second_720p: '1' } }, 'per_million'],
    [
      { model: 'gp-5.4-pro', per_million: null, long_prompt_per_million: { output_token: '1' } },
      'long_prompt_per_million',
    ],
    [
      { model: 'gp-5.4-mini', per_million: {}, long_prompt_per_million: { output_token: '1' } },
      'long_prompt_per_million',
    ],
    [{ model: 'nothing', per_million: null }, 'model'],
    [{ model: 'gp-5.4-mini', per_million: null, from: '2020-01-01T00:00:00Z' }, 'from'],
  ])('is not created from %j', async (given, param) => {
    const { id } = await register();
    const body = { reason: 'test', ...given };
    const refused = await call('POST', `/admin/accounts/${id}/prices`, body, accounts.adminToken);
    expect([refused.status, refused.body.error.param]).toEqual([400, param]);
  });
});

describe('the service', () => {
  it('refuses unknown routes and unreadable bodies in one style', async () => {
    const unknown = await call('GET', '/nothing');
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'not_found']);
    expect(unknown.headers.get('x-request-id')).toMatch(/^req_/);
    const broken = await call('POST', '/account/login', '{');
    expect([broken.status, broken.body.error.code]).toEqual([400, 'invalid_json']);
    const large = await call('POST', '/account/login', { email: 'x'.repeat(70_000) });
    expect([large.status, large.body.error.code]).toEqual([413, 'request_too_large']);
    const { token } = await register();
    const quoteOf = (content: string) => {
      const body = { model: 'gm-3.8-flash', messages: [{ role: 'user', content }] };
      return call('POST', '/account/quote', { endpoint: 'chat.completions', body }, token);
    };
    const quoted = await quoteOf('word '.repeat(200_000));
    expect([quoted.status, quoted.body.valid]).toEqual([200, true]);
    const tooLong = await quoteOf('word '.repeat(210_000));
    expect([tooLong.status, tooLong.body.error.code]).toEqual([413, 'request_too_large']);
    const form = await fetch(`${accounts.address}/account/login`, {
      method: 'POST',
      body: new URLSearchParams({ a: 'b' }),
    });
    expect(form.status).toBe(415);
    expect((await call('GET', '/account/balance')).headers.get('www-authenticate')).toBe('Bearer');
  });

  it('reports its health and metrics', async () => {
    expect((await call('GET', '/healthz')).body).toEqual({ status: 'ok' });
    expect((await call('GET', '/metrics')).body).toMatch(/^gateway_ready\{check="postgres",service="accounts"\} 1$/m);
  });
});

describe('the demo account', () => {
  it('is seeded once, and keeps a known key', async () => {
    const first = await seedDemo(accounts.database, {});
    expect(await seedDemo(accounts.database, first)).toEqual(first);
    const lost = await seedDemo(accounts.database, { apiKey: 'sk-lost' });
    expect(lost.accountId).toBe(first.accountId);
    expect(lost.apiKey).not.toBe(first.apiKey);
    expect((await call('GET', '/account/balance', undefined, lost.apiKey)).status).toBe(200);
  });

  it('has the login that the start chose, and keeps its sessions over later starts', async () => {
    const { email } = await seedDemo(accounts.database, {});
    const login = (password: string) => call('POST', '/account/login', { email, password });
    expect((await login('a demo password')).status).toBe(401);
    await seedDemo(accounts.database, { password: 'a demo password' });
    const opened = await login('a demo password');
    expect(opened.status).toBe(200);
    await seedDemo(accounts.database, { password: 'a demo password' });
    expect((await call('GET', '/account/balance', undefined, opened.body.token)).status).toBe(200);
    await seedDemo(accounts.database, { password: 'another password' });
    expect((await login('a demo password')).status).toBe(401);
  });
});
