import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountInterface, until } from '../test-support/account-interface.js';
import { Mailbox } from '../test-support/mailbox.js';

let mailbox: Mailbox;
let accounts: AccountInterface;
let number = 0;

beforeAll(async () => {
  mailbox = await Mailbox.open();
  accounts = await AccountInterface.open({ smtpUrl: mailbox.url });
});

afterAll(async () => {
  await accounts.close();
  await mailbox.close();
});

const call: AccountInterface['call'] = (...request) => accounts.call(...request);
const members = async (token: string) => (await call('GET', '/account/members', undefined, token)).body.data;

async function invite(token: string, role = 'developer', email?: string) {
  number += 1;
  const address = email ?? `invited-${number}@example.com`;
  const before = mailbox.to(address).length;
  const { body } = await call('POST', '/account/invitations', { email: address, role }, token);
  const { code, raw } = await mailbox.mail(address, before + 1);
  return { id: body.id as string, email: address, code, raw };
}

const accept = (token: string, more: object = { password: 'correct horse', name: 'Ada' }) =>
  call('POST', '/account/invitations/accept', { token, ...more });

/** Uses the link of the first mail to an address. */
const confirm = async (email: string) =>
  call('POST', '/account/confirmations', { token: (await mailbox.mail(email)).code });

/** A 400 says why the code is refused. */
const refused = (reason: RegExp) => ({
  status: 400,
  body: { error: { param: 'token', message: expect.stringMatching(reason) } },
});

describe('an invitation', () => {
  it('lets a new person join with a password, once', async () => {
    const owner = await accounts.register();
    const { code, email, raw } = await invite(owner.token);
    expect(raw).toContain(`/console/accept-invitation?token=${code}`);
    const found = await call('POST', '/account/invitations/find', { token: code });
    expect(found.body).toMatchObject({ email, role: 'developer', needs_password: true });
    expect((await accept(code, {})).body.error.param).toBe('password');
    const joined = await accept(code);
    expect(joined.body).toMatchObject({
      account: { id: owner.id },
      person: { email, name: 'Ada', confirmed_at: expect.any(String) },
    });
    expect(await accept(code)).toMatchObject(refused(/used already/));
    expect(await members(joined.body.token)).toMatchObject([{ role: 'owner' }, { role: 'developer', email }]);
    const [invitation] = (await call('GET', '/account/invitations', undefined, owner.token)).body.data;
    expect(invitation).toMatchObject({ state: 'accepted', sent_at: expect.any(String) });
  });

  it('lets a known person join, who then chooses between organisations', async () => {
    const [owner, person] = [await accounts.register(), await accounts.register()];
    await confirm(person.email);
    const { code } = await invite(owner.token, 'viewer', person.email);
    expect((await call('POST', '/account/invitations/find', { token: code })).body.needs_password).toBe(false);
    expect((await accept(code, {})).body).toEqual({ joined: true, account: { id: owner.id } });
    const list = (await call('GET', '/account/organisations', undefined, person.token)).body.data;
    expect(list).toMatchObject([
      { id: person.id, role: 'owner', is_chosen: true },
      { id: owner.id, role: 'viewer' },
    ]);
    await call('POST', `/account/organisations/${owner.id}/choose`, {}, person.token);
    const session = (await call('GET', '/account/session', undefined, person.token)).body;
    expect(session).toMatchObject({ account: { id: owner.id }, role: 'viewer', accounts: [{}, {}] });
  });

  it('gives the login of an address without proof to the bearer of its link', async () => {
    const [owner, squatter] = [await accounts.register(), await accounts.register()];
    await mailbox.mail(squatter.email);
    const { code } = await invite(owner.token, 'owner', squatter.email);
    expect((await call('POST', '/account/invitations/find', { token: code })).body.needs_password).toBe(true);
    expect((await accept(code, {})).body.error.param).toBe('password');
    const joined = await accept(code, { password: 'battery staple' });
    expect(joined.body).toMatchObject({ account: { id: owner.id }, person: { confirmed_at: expect.any(String) } });
    const login = (password: string) => call('POST', '/account/login', { email: squatter.email, password });
    expect((await call('GET', '/account/organisations', undefined, squatter.token)).status).toBe(401);
    expect((await login('correct horse')).status).toBe(401);
    expect((await login('battery staple')).status).toBe(200);
  });

  it('ends when it is revoked, expired or replaced; a resent one has two good links', async () => {
    const owner = await accounts.register();
    const revoked = await invite(owner.token);
    expect((await call('DELETE', `/account/invitations/${revoked.id}`, undefined, owner.token)).status).toBe(200);
    expect(await accept(revoked.code)).toMatchObject(refused(/withdrawn/));
    const expired = await invite(owner.token);
    await accounts.database.prisma.invitation.update({ where: { id: expired.id }, data: { expiresAt: new Date(0) } });
    expect(await accept(expired.code)).toMatchObject(refused(/has expired/));
    const first = await invite(owner.token);
    const second = await invite(owner.token, 'billing', first.email);
    expect(await accept(first.code)).toMatchObject(refused(/a later one replaced it/));
    await call('POST', `/account/invitations/${second.id}/resend`, {}, owner.token);
    const resent = await mailbox.mail(first.email, 3);
    expect(resent.code).not.toBe(second.code);
    expect((await accept(second.code)).status).toBe(200);
    expect(await accept(resent.code)).toMatchObject(refused(/used already/));
    const foreign = `${second.code.split('.')[0]}.${first.code.split('.')[1]}`;
    expect(await accept(foreign)).toMatchObject(refused(/must be the whole code/));
    expect((await call('POST', `/account/invitations/${second.id}/resend`, {}, owner.token)).status).toBe(404);
  });

  it('does not change the role of a present member', async () => {
    const owner = await accounts.register();
    await confirm(owner.email);
    const { code } = await invite(owner.token, 'viewer');
    const prisma = accounts.database.prisma;
    await prisma.invitation.updateMany({ where: { accountId: owner.id }, data: { email: owner.email } });
    expect((await accept(code, {})).status).toBe(200);
    expect(await members(owner.token)).toMatchObject([{ role: 'owner' }]);
    const again = { email: owner.email, role: 'viewer' };
    expect((await call('POST', '/account/invitations', again, owner.token)).body.error.param).toBe('email');
  });

  it('is accepted once, however many ask at once', async () => {
    const owner = await accounts.register();
    const { code } = await invite(owner.token);
    const statuses = (await Promise.all(Array.from({ length: 6 }, () => accept(code)))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(await members(owner.token)).toHaveLength(2);
  });
});

describe('invitations to one address', () => {
  it('are limited over all organisations together, with those that are sent again', async () => {
    const [one, other] = [await accounts.register(), await accounts.register()];
    const { id, email } = await invite(one.token);
    const again = (token: string) => call('POST', '/account/invitations', { email, role: 'viewer' }, token);
    const resend = (invitation: string, token: string) =>
      call('POST', `/account/invitations/${invitation}/resend`, {}, token);
    for (let count = 0; count < 2; count += 1) {
      expect((await resend(id, one.token)).status).toBe(200);
      expect((await again(other.token)).status).toBe(201);
    }
    expect((await again(other.token)).status).toBe(429);
    expect((await resend(id, one.token)).status).toBe(429);
    expect(await invite(other.token)).toMatchObject({ id: expect.any(String) });
  });
});

describe('an invitation of an owner', () => {
  const newOwner = async (owner: { readonly id: string; readonly token: string }) => {
    const token = await accounts.join(owner.id, 'owner');
    const [, { id }] = await members(owner.token);
    return { id, token };
  };

  it.each([
    ['is removed', 'DELETE', undefined],
    ['loses the role', 'PATCH', { role: 'developer' }],
  ])('who %s ends: its link would let the person in again', async (_, method, body) => {
    const owner = await accounts.register();
    const second = await newOwner(owner);
    const { code } = await invite(second.token, 'owner');
    const kept = await invite(owner.token);
    expect((await call(method, `/account/members/${second.id}`, body, owner.token)).status).toBe(200);
    expect(await accept(code)).toMatchObject(refused(/withdrawn/));
    expect((await accept(kept.code)).status).toBe(200);
  });

  it('cannot outlive a removal that comes at the same time', async () => {
    const owner = await accounts.register();
    const second = await newOwner(owner);
    const ask = { email: 'late@example.com', role: 'owner' };
    const asked = Array.from({ length: 5 }, () => call('POST', '/account/invitations', ask, second.token));
    await call('DELETE', `/account/members/${second.id}`, undefined, owner.token);
    for (const { status } of await Promise.all(asked)) expect([201, 403, 404]).toContain(status);
    const invitations = (await call('GET', '/account/invitations', undefined, owner.token)).body.data;
    expect(invitations.filter(({ state }: { state: string }) => state === 'pending')).toEqual([]);
  });

  it('does not serve another address than its own, with any session', async () => {
    const owner = await accounts.register();
    const { code, email } = await invite(owner.token);
    const stranger = await accounts.register();
    const joined = await call(
      'POST',
      '/account/invitations/accept',
      { token: code, password: 'a long one' },
      stranger.token,
    );
    expect(joined.body.person.email).toBe(email);
    const mine = (await call('GET', '/account/organisations', undefined, stranger.token)).body.data;
    expect(mine.map(({ id }: { id: string }) => id)).toEqual([stranger.id]);
  });
});

describe('a person', () => {
  it('owns a limited number of organisations, since each has its own limits at the edges', async () => {
    const person = await accounts.register();
    await accounts.database.prisma.$executeRaw`
      WITH opened AS (
        INSERT INTO account (id, email, name, time_zone)
          SELECT ${person.id} || '_' || n, 'a@example.com', 'o', 'UTC' FROM generate_series(1, 49) AS n RETURNING id
      )
      INSERT INTO member (id, account_id, person_id, role)
        SELECT 'mem_' || opened.id, opened.id, person_id, 'owner' FROM opened, member WHERE member.account_id = ${person.id}`;
    const refused = await call('POST', '/account/organisations', { name: 'one more' }, person.token);
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringMatching(/at most 50/)]);
    await call('DELETE', `/account/organisations/${person.id}?name=${person.email}`, undefined, person.token);
    expect((await call('POST', '/account/organisations', { name: 'one more' }, person.token)).status).toBe(201);
  });
});

describe('a member', () => {
  const memberOf = async (token: string, role: string) =>
    (await members(token)).find((member: { role: string }) => member.role === role).id as string;

  it('who is removed loses sessions and keys at once', async () => {
    const { tokens } = await accounts.organisation();
    const created = await call('POST', '/account/keys', { name: 'own' }, tokens.developer);
    const id = await memberOf(tokens.owner, 'developer');
    expect(created.body.member_id).toBe(id);
    expect((await call('GET', '/account/balance', undefined, created.body.key)).status).toBe(200);
    expect((await call('DELETE', `/account/members/${id}`, undefined, tokens.owner)).body).toEqual({
      id,
      deleted: true,
    });
    expect((await call('GET', '/account/balance', undefined, created.body.key)).status).toBe(401);
    expect((await call('GET', '/account/balance', undefined, tokens.developer)).status).toBe(403);
    expect((await call('GET', '/account/person', undefined, tokens.developer)).status).toBe(200);
    expect((await call('DELETE', `/account/members/${id}`, undefined, tokens.owner)).status).toBe(404);
  });

  it('who is removed hands the keys over on request', async () => {
    const { tokens } = await accounts.organisation();
    const { body } = await call('POST', '/account/keys', { name: 'own' }, tokens.developer);
    const id = await memberOf(tokens.owner, 'developer');
    await call('DELETE', `/account/members/${id}?keys=hand_over`, undefined, tokens.owner);
    expect((await call('GET', '/account/balance', undefined, body.key)).status).toBe(200);
    const [key] = (await call('GET', '/account/keys', undefined, tokens.owner)).body.data;
    expect(key).toMatchObject({ id: body.id, member_id: null });
  });

  it('who may make no keys any more keeps those that work, and the owner sees how many and ends them', async () => {
    const { tokens } = await accounts.organisation();
    const id = await memberOf(tokens.owner, 'developer');
    const own = (settings: object) => call('POST', '/account/keys', { name: 'own', ...settings }, tokens.developer);
    const { body } = await own({ spend_cap_usd: '1' });
    await own({});
    const child = await call(
      'POST',
      `/account/keys/${body.id}/children`,
      { name: 'c', budget_usd: '0.1' },
      tokens.owner,
    );
    await call('DELETE', `/account/keys/${(await own({})).body.id}`, undefined, tokens.developer);
    const change = (fields: object) => call('PATCH', `/account/members/${id}`, fields, tokens.owner);
    expect((await change({ role: 'viewer' })).body).toMatchObject({ role: 'viewer', open_keys: 2 });
    const works = async (key: string) => (await call('GET', '/account/balance', undefined, key)).status === 200;
    expect([await works(body.key), await works(child.body.key)]).toEqual([true, true]);
    expect((await change({ keys: 'end' })).status).toBe(400);
    expect((await change({ keys: 'revoke' })).body).toMatchObject({ role: 'viewer', open_keys: 0 });
    expect([await works(body.key), await works(child.body.key)]).toEqual([false, false]);
  });

  it('who gets another role hands the keys over in the same step', async () => {
    const { tokens } = await accounts.organisation();
    const { body } = await call('POST', '/account/keys', { name: 'own' }, tokens.developer);
    const path = `/account/members/${await memberOf(tokens.owner, 'developer')}`;
    const changed = await call('PATCH', path, { role: 'billing', keys: 'hand_over' }, tokens.owner);
    expect(changed.body).toMatchObject({ role: 'billing', open_keys: 0 });
    expect((await call('GET', '/account/balance', undefined, body.key)).status).toBe(200);
    // The last owner stays one, and keeps the keys.
    const last = `/account/members/${await memberOf(tokens.owner, 'owner')}`;
    const mine = await call('POST', '/account/keys', { name: 'k', member_id: last.split('/').at(-1) }, tokens.owner);
    expect((await call('PATCH', last, { role: 'viewer', keys: 'revoke' }, tokens.owner)).status).toBe(400);
    expect((await call('GET', '/account/balance', undefined, mine.body.key)).status).toBe(200);
  });

  it('hands no own keys over by leaving: only an owner gives keys to the organisation', async () => {
    const { tokens } = await accounts.organisation();
    const { body } = await call('POST', '/account/keys', { name: 'own' }, tokens.developer);
    const path = `/account/members/${await memberOf(tokens.owner, 'developer')}`;
    expect((await call('DELETE', `${path}?keys=hand_over`, undefined, tokens.developer)).status).toBe(403);
    expect((await call('DELETE', path, undefined, tokens.developer)).status).toBe(200);
    expect((await call('GET', '/account/balance', undefined, body.key)).status).toBe(401);
  });

  it('leaves by himself or herself, and removes no other without the role of an owner', async () => {
    const { tokens } = await accounts.organisation();
    const [viewer, billing] = [await memberOf(tokens.owner, 'viewer'), await memberOf(tokens.owner, 'billing')];
    expect((await call('DELETE', `/account/members/${billing}`, undefined, tokens.viewer)).status).toBe(403);
    expect((await call('DELETE', `/account/members/${viewer}`, undefined, tokens.viewer)).status).toBe(200);
    const left = await call('GET', '/account/session', undefined, tokens.viewer);
    expect(left.body).toMatchObject({ account: null, role: null });
  });

  it('who is the last owner keeps the role and stays, however many ask at once', async () => {
    const { tokens } = await accounts.organisation();
    const owner = await memberOf(tokens.owner, 'owner');
    const demote = (id: string, token: string) => call('PATCH', `/account/members/${id}`, { role: 'viewer' }, token);
    expect((await demote(owner, tokens.owner)).body.error.param).toBe('id');
    expect((await call('DELETE', `/account/members/${owner}`, undefined, tokens.owner)).status).toBe(400);
    const second = await memberOf(tokens.owner, 'developer');
    expect((await call('PATCH', `/account/members/${second}`, { role: 'owner' }, tokens.owner)).status).toBe(200);
    const both = await Promise.all([demote(owner, tokens.owner), demote(second, tokens.developer)]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    const owners = await accounts.database.prisma.member.count({
      where: { id: { in: [owner, second] }, role: 'owner' },
    });
    expect(owners).toBe(1);
  });

  it('sees own keys as a developer, all as an owner, and gives keys away as an owner only', async () => {
    const { tokens } = await accounts.organisation();
    const own = (await call('POST', '/account/keys', { name: 'own' }, tokens.developer)).body;
    const shared = (await call('POST', '/account/keys', { name: 'shared' }, tokens.owner)).body;
    const list = async (token: string) => (await call('GET', '/account/keys', undefined, token)).body.data;
    expect((await list(tokens.developer)).map(({ id }: { id: string }) => id)).toEqual([own.id]);
    expect(await list(tokens.owner)).toHaveLength(2);
    const change = (id: string, body: object, token: string) => call('PATCH', `/account/keys/${id}`, body, token);
    expect((await change(shared.id, { name: 'x' }, tokens.developer)).status).toBe(404);
    expect((await change(own.id, { member_id: null }, tokens.developer)).status).toBe(403);
    expect((await change(shared.id, { member_id: own.member_id }, tokens.owner)).body.member_id).toBe(own.member_id);
    expect(await list(tokens.developer)).toHaveLength(2);
    const stranger = await accounts.organisation();
    const foreign = await memberOf(stranger.tokens.owner, 'developer');
    expect((await change(shared.id, { member_id: foreign }, tokens.owner)).body.error.param).toBe('member_id');
  });

  it('has caps over all own keys', async () => {
    const { tokens } = await accounts.organisation();
    const id = await memberOf(tokens.owner, 'developer');
    const caps = [{ period: 'day', measure: 'usd', limit: '5.00', hard: true }];
    const { body } = await call('PATCH', `/account/members/${id}`, { caps }, tokens.owner);
    expect(body.caps).toMatchObject([{ ...caps[0], used: '0.00' }]);
    expect((await members(tokens.viewer)).find((one: { id: string }) => one.id === id).caps).toEqual(body.caps);
    const wrong = [{ period: 'year', measure: 'usd', limit: '5' }];
    const refused = await call('PATCH', `/account/members/${id}`, { caps: wrong }, tokens.owner);
    expect(refused.body.error.param).toBe('caps[0].period');
  });
});

it('the audit log names the person, the role and the session of each action', async () => {
  const { id, tokens } = await accounts.organisation();
  expect(
    (await call('POST', '/account/invitations', { email: 'a@example.com', role: 'viewer' }, tokens.viewer)).status,
  ).toBe(403);
  const prisma = accounts.database.prisma;
  await until(async () => (await prisma.auditOutcome.count({ where: { errorCode: 'permission_denied' } })) > 0);
  const [entry] = await prisma.auditEntry.findMany({ where: { accountId: id, action: 'invitation.create' } });
  expect(entry).toMatchObject({
    actor: 'person',
    role: 'viewer',
    personId: expect.stringMatching(/^psn_/),
    sessionId: expect.stringMatching(/^ses_/),
  });
});

describe('an organisation that its owner deletes', () => {
  const removal = (id: string, name: string, token: string) =>
    call('DELETE', `/account/organisations/${id}?name=${encodeURIComponent(name)}`, undefined, token);

  it('ends its keys, sessions, invitations and endpoints, and keeps its books', async () => {
    const organisation = await accounts.organisation();
    const { owner, developer } = organisation.tokens;
    const credit = { amount_usd: '5', reason: 'test', reference: organisation.id };
    await call('POST', `/admin/accounts/${organisation.id}/credits`, credit, accounts.adminToken);
    const key = (await call('POST', '/account/keys', { name: 'k', scopes: ['account:read'] }, owner)).body;
    const endpoint = { url: 'https://example.com/hook', event_types: ['task.succeeded'] };
    await call('POST', '/account/webhook-endpoints', endpoint, owner);
    const invited = await invite(owner);
    await call('PATCH', '/account/settings', { name: 'Dam & Söhne' }, owner);

    const removed = await removal(organisation.id, 'Dam & Söhne', owner);
    expect([removed.status, removed.body]).toEqual([200, { id: organisation.id, deleted: true, balance_usd: '5.00' }]);

    expect((await call('GET', '/account/balance', undefined, key.key)).status).toBe(401);
    for (const token of [owner, developer]) {
      expect((await call('GET', '/account/keys', undefined, token)).status).toBe(403);
      const left = (await call('GET', '/account/organisations', undefined, token)).body.data;
      expect(left.map(({ id }: { id: string }) => id)).not.toContain(organisation.id);
    }
    expect((await accept(invited.code)).status).toBe(400);
    const { prisma } = accounts.database;
    const accountId = organisation.id;
    expect(await prisma.webhookEndpoint.count({ where: { accountId, deletedAt: null } })).toBe(0);
    expect(await prisma.apiKey.count({ where: { accountId, revokedAt: null } })).toBe(0);

    const shown = await call('GET', `/admin/accounts/${accountId}`, undefined, accounts.adminToken);
    expect(shown.body).toMatchObject({ id: accountId, balance_usd: '5.00', closed_at: expect.any(String) });
    const audit = await call('GET', `/admin/audit?account_id=${accountId}&limit=1`, undefined, accounts.adminToken);
    expect(audit.body.data).toMatchObject([{ action: 'organisation.delete', subject: accountId, status: 200 }]);
    const back = { amount_usd: '-5', reason: 'paid back', reference: `${accountId}-back`, kind: 'adjustment' };
    const paid = await call('POST', `/admin/accounts/${accountId}/credits`, back, accounts.adminToken);
    expect(paid.status).toBeLessThan(300);
  });

  it('is announced to its other owners, once', async () => {
    const { id, email, tokens } = await accounts.organisation();
    const [, second] = await members(tokens.owner);
    await call('PATCH', `/account/members/${second.id}`, { role: 'owner' }, tokens.owner);
    await Promise.all([1, 2].map(() => removal(id, email, tokens.owner)));
    const { subject, raw } = await mailbox.mail(second.email, 2);
    expect(subject).toBe(`${email} was deleted`);
    expect(raw).toContain(`${email} has deleted the organisation`);
    const notices = await accounts.database.prisma.mail.findMany({ where: { kind: 'organisation_deleted' } });
    expect(notices.filter(({ details }) => JSON.stringify(details).includes(email))).toHaveLength(1);
  });

  it('is named, is the one of the session, and is deleted by an owner only', async () => {
    const organisation = await accounts.organisation();
    const other = await accounts.register();
    const { owner, developer, billing, viewer } = organisation.tokens;
    const wrong = await removal(organisation.id, 'another', owner);
    expect([wrong.status, wrong.body.error.param]).toEqual([400, 'name']);
    expect((await call('DELETE', `/account/organisations/${organisation.id}`, undefined, owner)).status).toBe(400);
    for (const token of [developer, billing, viewer]) {
      expect((await removal(organisation.id, organisation.email, token)).status).toBe(403);
    }
    expect((await removal(organisation.id, organisation.email, other.token)).status).toBe(404);
    const both = await Promise.all([1, 2].map(() => removal(organisation.id, organisation.email, owner)));
    expect(both.map(({ status }) => status).sort()[0]).toBe(200);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('can be handed over instead: a second owner stays when the first one leaves', async () => {
    const { id, tokens } = await accounts.organisation();
    const [first, second] = await members(tokens.owner);
    const leave = () => call('DELETE', `/account/members/${first.id}`, undefined, tokens.owner);
    expect(await leave()).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('last owner') } },
    });
    await call('PATCH', `/account/members/${second.id}`, { role: 'owner' }, tokens.owner);
    expect((await leave()).status).toBe(200);
    expect((await call('GET', '/account/keys', undefined, tokens.owner)).status).toBe(403);
    expect((await removal(id, 'another', tokens.developer)).body.error.param).toBe('name');
  });
});
