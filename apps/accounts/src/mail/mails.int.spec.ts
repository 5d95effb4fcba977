import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountInterface, until } from '../test-support/account-interface.js';
import { Mailbox } from '../test-support/mailbox.js';

let mailbox: Mailbox;
let accounts: AccountInterface;

beforeAll(async () => {
  mailbox = await Mailbox.open();
  accounts = await AccountInterface.open({ smtpUrl: mailbox.url });
});

afterAll(async () => {
  await accounts.close();
  await mailbox.close();
});

const call: AccountInterface['call'] = (...request) => accounts.call(...request);
const login = (email: string, password = 'correct horse') => call('POST', '/account/login', { email, password });

/** What the audit log says about the person of a session: a wrong code is about no one. */
async function auditedOf(token: string): Promise<unknown[]> {
  const { body: session } = await call('GET', '/account/session', undefined, token);
  const path = `/admin/audit?subject=${session.person.id}`;
  const { body } = await call('GET', path, undefined, accounts.adminToken);
  return body.data.map(({ action, status }: { action: string; status: number }) => [action, status]);
}

describe('the address of a new person', () => {
  it('is confirmed by the link in its mail, once', async () => {
    const { email, token } = await accounts.register();
    const { code, raw, messageId } = await mailbox.mail(email);
    expect(raw).toContain(`https://account.example.com/console/confirm?token=${code}`);
    expect(messageId).toMatch(/^<mail_[a-z2-7]{26}@account\.example\.com>$/);
    expect((await call('GET', '/account/session', undefined, token)).body.person.confirmed).toBe(false);
    const confirm = () => call('POST', '/account/confirmations', { token: code });
    expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect((await confirm()).body).toEqual({ confirmed: true, email });
    expect((await call('GET', '/account/session', undefined, token)).body.person.confirmed).toBe(true);
    expect((await confirm()).body.error).toMatchObject({ code: 'invalid_request', param: 'token' });
    expect(await auditedOf(token)).toEqual([['person.confirm', 200]]);
  });

  it('gets another mail on request, and no more than a few', async () => {
    const { email, token } = await accounts.register();
    const again = () => call('POST', '/account/person/confirmation', {}, token);
    const statuses = [];
    for (let request = 1; request <= 5; request += 1) statuses.push((await again()).status);
    expect(statuses).toEqual([202, 202, 202, 202, 429]);
    expect((await mailbox.mail(email, 5)).to).toBe(email);
  });

  it('changes once the new one is proved, and the former one is informed', async () => {
    const { email, token } = await accounts.register();
    await mailbox.mail(email);
    const next = `new-${email}`;
    const change = (password: string) => call('POST', '/account/person/email', { email: next, password }, token);
    expect((await change('wrong horse')).body.error.param).toBe('password');
    expect((await change('correct horse')).status).toBe(202);
    const { code } = await mailbox.mail(next);
    expect((await login(next)).status).toBe(401);
    expect((await call('POST', '/account/confirmations', { token: code })).body).toEqual({
      confirmed: true,
      email: next,
    });
    expect([(await login(next)).status, (await login(email)).status]).toEqual([200, 401]);
    expect((await mailbox.mail(email, 2)).raw).toContain(next);
  });

  it('cannot become that of another person', async () => {
    const [one, other] = [await accounts.register(), await accounts.register()];
    await mailbox.mail(other.email);
    const body = { email: other.email, password: 'correct horse' };
    expect((await call('POST', '/account/person/email', body, one.token)).status).toBe(202);
    const { code } = await mailbox.mail(other.email, 2);
    expect((await call('POST', '/account/confirmations', { token: code })).status).toBe(400);
    expect((await login(one.email)).status).toBe(200);
  });
});

describe('a forgotten password', () => {
  const ask = (email: string) => call('POST', '/account/password-resets', { email });
  const complete = (token: string, new_password = 'another horse') =>
    call('POST', '/account/password-resets/complete', { token, new_password });
  const faultOf = async (token: string): Promise<string> => {
    const { status, body } = await complete(token);
    expect([status, body.error.param]).toEqual([400, 'token']);
    return body.error.message;
  };

  it('is replaced by the link in the mail, once; every session and other link ends', async () => {
    const { email, token } = await accounts.register();
    await mailbox.mail(email);
    expect((await ask(email)).body).toEqual({ sent: true });
    const first = await mailbox.mail(email, 2);
    await ask(email);
    const second = await mailbox.mail(email, 3);
    expect((await complete(first.code, 'short')).body.error.param).toBe('new_password');
    expect((await complete(first.code)).body).toEqual({ changed: true });
    expect((await call('GET', '/account/session', undefined, token)).status).toBe(401);
    expect([(await login(email)).status, (await login(email, 'another horse')).status]).toEqual([401, 200]);
    expect([await faultOf(first.code), await faultOf(second.code)]).toEqual([
      expect.stringContaining('used already'),
      expect.stringContaining('a later mail replaced it'),
    ]);
    expect(await auditedOf((await login(email, 'another horse')).body.token)).toEqual([
      ['password_reset.complete', 200],
    ]);
  });

  it('ends a change of the address that someone with the former password has begun', async () => {
    const { email } = await accounts.register();
    const { token } = (await login(email)).body;
    await mailbox.mail(email);
    const thief = `thief-${email}`;
    await call('POST', '/account/person/email', { email: thief, password: 'correct horse' }, token);
    const { code } = await mailbox.mail(thief);
    await ask(email);
    await complete((await mailbox.mail(email, 2)).code);
    const refused = await call('POST', '/account/confirmations', { token: code });
    expect([refused.status, refused.body.error.param]).toEqual([400, 'token']);
    expect((await login(email, 'another horse')).status).toBe(200);
  });

  it('cannot be replaced by a link to the former address, nor after the password was changed', async () => {
    const { email, token } = await accounts.register();
    await mailbox.mail(email);
    await ask(email);
    const { code } = await mailbox.mail(email, 2);
    const next = `next-${email}`;
    await call('POST', '/account/person/email', { email: next, password: 'correct horse' }, token);
    await call('POST', '/account/confirmations', { token: (await mailbox.mail(next)).code });
    expect(await faultOf(code)).toContain('your login has changed');
    await ask(next);
    const second = await mailbox.mail(next, 2);
    await call('POST', '/account/password', { password: 'correct horse', new_password: 'third horse' }, token);
    expect(await faultOf(second.code)).toContain('your login has changed');
    expect((await login(next, 'third horse')).status).toBe(200);
  });

  it('is not disclosed for an unknown address, and no mail is sent', async () => {
    expect((await ask('unknown@example.com')).body).toEqual({ sent: true });
    const { email } = await accounts.register();
    await mailbox.mail(email);
    expect(mailbox.to('unknown@example.com')).toEqual([]);
  });

  it('does not open with the link of another kind, nor with an expired one', async () => {
    const { email } = await accounts.register();
    const confirm = await mailbox.mail(email);
    expect(await faultOf(confirm.code)).toContain('a mail of this kind');
    await ask(email);
    const { code } = await mailbox.mail(email, 2);
    await accounts.database.prisma.mail.update({
      where: { id: code.split('.')[0] ?? '' },
      data: { expiresAt: new Date(0) },
    });
    expect(await faultOf(code)).toContain('has expired');
    expect((await complete('mail_x.y')).body.error.param).toBe('token');
  });
});

describe('the outbox', () => {
  const rows = (recipient: string) => accounts.database.prisma.mail.findMany({ where: { recipient } });

  it('keeps a mail that a server refuses for now, and sends it again under the same id', async () => {
    mailbox.refusals.push(451);
    const { email } = await accounts.register();
    await until(async () => (await rows(email))[0]?.lastError !== null);
    const [row] = await rows(email);
    expect(row).toMatchObject({ attempts: 1, sentAt: null, lastError: expect.stringContaining('refused by the test') });
    expect(row?.dueAt?.getTime()).toBeGreaterThan(Date.now() + 5_000);
    await accounts.database.prisma.mail.updateMany({ where: { recipient: email }, data: { dueAt: new Date(0) } });
    const { code, messageId } = await mailbox.mail(email);
    expect(messageId).toContain(row?.id);
    await until(async () => (await rows(email))[0]?.sentAt !== null);
    expect((await rows(email))[0]).toMatchObject({ attempts: 2, dueAt: null, lastError: null });
    expect((await call('POST', '/account/confirmations', { token: code })).status).toBe(200);
  });

  it('gives up a mail that a server refuses for good', async () => {
    mailbox.refusals.push(550);
    const { email } = await accounts.register();
    await until(async () => (await rows(email))[0]?.lastError !== null);
    expect((await rows(email))[0]).toMatchObject({ dueAt: null, sentAt: null, attempts: 1 });
  });

  it('stores no secret in clear', async () => {
    const { email } = await accounts.register();
    const [, secret = ''] = (await mailbox.mail(email)).code.split('.');
    expect(secret).toHaveLength(43);
    expect(JSON.stringify(await rows(email))).not.toContain(secret);
  });

  it('writes to people in their language', async () => {
    const person = { email: 'zh@example.com', password: 'correct horse', locale: 'zh' };
    await call('POST', '/account/register', person);
    expect((await mailbox.mail('zh@example.com')).raw).toContain('lang="zh"');
  });
});

describe('where an address must be confirmed first', () => {
  let strict: AccountInterface;

  beforeAll(async () => {
    strict = await AccountInterface.open({ smtpUrl: mailbox.url, registrationRequiresConfirmation: true });
  });

  afterAll(() => strict.close());

  it('a registration opens no session and discloses nothing', async () => {
    const person = { email: 'strict@example.com', password: 'correct horse' };
    const register = () => strict.call('POST', '/account/register', person);
    const enter = () => strict.call('POST', '/account/login', person);
    const answers = [await register(), await register()];
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      Array(2).fill([202, { confirmation_required: true }]),
    );
    expect((await enter()).body.error).toMatchObject({ code: 'permission_denied' });
    const { code } = await mailbox.mail(person.email);
    expect((await strict.call('POST', '/account/confirmations', { token: code })).status).toBe(200);
    expect((await enter()).status).toBe(200);
    expect((await register()).status).toBe(202);
    await mailbox.mail(person.email, 4);
    expect(mailbox.to(person.email).at(-1)).toMatchObject({ code: '', subject: 'You are registered already' });
    // As for an address without a login, which gets five mails too.
    expect([(await register()).status, (await register()).status]).toEqual([202, 429]);
  });
});
