import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { removeExpired } from '../attempts/count-attempt.js';
import { enqueueMail } from '../mail/enqueue-mail.js';
import { claimMail, mailDelayMs } from '../mail/send-mail.js';
import { redeemMail } from '../mail/use-mail.js';
import { endOtherSessions, endSession, listSessions } from '../sessions/list-sessions.js';
import { chooseOrganisation, closeSession, findSession, openSession, touchSession } from '../sessions/session.js';
import { TestDatabase } from '../test-support/test-database.js';
import { changePassword } from './change-person.js';
import { findMember, listMembers } from './find-member.js';
import { findPersonByEmail } from './find-person.js';
import { listOrganisations } from './list-organisations.js';
import { openOrganisation, registerPerson } from './register-person.js';

let test: TestDatabase;
let number = 0;

beforeAll(async () => {
  test = await TestDatabase.openFor('accounts');
});

afterAll(() => test.close());

async function register() {
  number += 1;
  const email = `p${number}@example.com`;
  const person = { email, passwordHash: 'h', name: 'P', locale: 'en', timeZone: 'UTC' };
  const opened = await registerPerson(test.database, person, { name: 'Org', timeZone: 'Asia/Tokyo' });
  if (opened === null) throw new Error('not registered');
  return { ...opened, email };
}

async function session(personId: string, accountId: string | null, expiresAt = new Date(Date.now() + 60_000)) {
  number += 1;
  const tokenSha256 = `token-${number}`;
  await openSession(test.database, { tokenSha256, personId, accountId, userAgent: 'curl', ip: '::1', expiresAt });
  return tokenSha256;
}

const find = (tokenSha256: string, now = new Date()) => findSession(test.database, tokenSha256, now);

describe('a person', () => {
  it('registers with an organisation, its ledger accounts and the role of its owner', async () => {
    const { personId, accountId, email } = await register();
    expect(await findPersonByEmail(test.database, email)).toMatchObject({ id: personId, confirmedAt: null });
    const [organisation, ...more] = await listOrganisations(test.database, personId);
    expect(more).toEqual([]);
    expect(organisation).toMatchObject({
      role: 'owner',
      account: { id: accountId, name: 'Org', email, timeZone: 'Asia/Tokyo' },
    });
    expect(await test.database.prisma.ledgerAccount.count({ where: { accountId } })).toBe(3);
  });

  it('registers once for an address, however many ask at once', async () => {
    const person = { email: 'once@example.com', passwordHash: null, name: '', locale: 'en', timeZone: 'UTC' };
    const attempts = Array.from({ length: 8 }, () =>
      registerPerson(test.database, person, { name: '', timeZone: 'UTC' }),
    );
    expect((await Promise.all(attempts)).filter((opened) => opened !== null)).toHaveLength(1);
    expect(await test.database.prisma.account.count({ where: { email: person.email } })).toBe(1);
  });

  it('owns several organisations, and is a member of each', async () => {
    const { personId, accountId, email } = await register();
    const second = await openOrganisation(test.database, { id: personId, email }, { name: 'Two', timeZone: 'UTC' });
    const organisations = await listOrganisations(test.database, personId);
    expect(organisations.map(({ account }) => account.id)).toEqual([accountId, second]);
    const [member] = await listMembers(test.database, second);
    expect(member).toMatchObject({ personId, role: 'owner', person: { email } });
    expect(await findMember(test.database, second, member?.id ?? '')).not.toBeNull();
    expect(await findMember(test.database, accountId, member?.id ?? '')).toBeNull();
  });

  it('who changes the password ends all other sessions', async () => {
    const { personId, accountId } = await register();
    const [own, other] = [await session(personId, accountId), await session(personId, accountId)];
    await changePassword(test.database, personId, 'h2', own);
    expect(await find(own)).toMatchObject({ person: { passwordHash: 'h2' } });
    expect(await find(other)).toBeNull();
  });
});

describe('a session', () => {
  it('has its person and the chosen organisation until it ends', async () => {
    const { personId, accountId } = await register();
    const expiresAt = new Date(Date.now() + 5_000);
    const token = await session(personId, accountId, expiresAt);
    expect(await find(token)).toMatchObject({
      person: { id: personId },
      organisation: { account: { id: accountId }, member: { role: 'owner' } },
    });
    expect(await find(token, expiresAt)).toBeNull();
    await closeSession(test.database, token);
    expect(await find(token)).toBeNull();
  });

  it('has no organisation that its person does not belong to', async () => {
    const [{ personId, accountId }, stranger] = [await register(), await register()];
    const token = await session(personId, accountId);
    const { id = '' } = (await find(token)) ?? {};
    await chooseOrganisation(test.database, id, stranger.accountId);
    expect(await find(token)).toMatchObject({ organisation: null });
    await test.database.prisma.member.updateMany({ where: { accountId }, data: { removedAt: new Date() } });
    await chooseOrganisation(test.database, id, accountId);
    expect(await find(token)).toMatchObject({ organisation: null });
  });

  it('is listed, seen and ended by its person only', async () => {
    const [{ personId, accountId }, stranger] = [await register(), await register()];
    const [first, second] = [await session(personId, accountId), await session(personId, null)];
    const { id = '' } = (await find(first)) ?? {};
    await touchSession(test.database, id, '203.0.113.1', new Date(Date.now() + 1_000));
    const listed = await listSessions(test.database, personId, new Date());
    expect(listed.map(({ ip }) => ip).sort()).toEqual(['203.0.113.1', '::1']);
    expect(await endSession(test.database, stranger.personId, id)).toBe(false);
    expect(await endOtherSessions(test.database, personId, id)).toBe(1);
    expect(await find(second)).toBeNull();
    expect(await endSession(test.database, personId, id)).toBe(true);
    expect(await find(first)).toBeNull();
  });

  it('is removed once it has expired', async () => {
    const { personId } = await register();
    const token = await session(personId, null, new Date(1_000));
    await removeExpired(test.database, new Date(1_000));
    expect(await test.database.prisma.session.count({ where: { tokenSha256: token } })).toBe(0);
  });
});

describe('the outbox', () => {
  it('leases each mail to one of many senders, and again after the lease', async () => {
    const { personId } = await register();
    const expiresAt = new Date(Date.now() + 60_000);
    const mail = { kind: 'reset', recipient: 'x@example.com', locale: 'en', personId, expiresAt } as const;
    for (let count = 0; count < 10; count += 1) await enqueueMail(test.database, mail);
    const claims = await Promise.all(Array.from({ length: 15 }, () => claimMail(test.database, 'hash', 60_000)));
    const ids = claims.flatMap((claim) => (claim === null ? [] : [claim.id]));
    expect(new Set(ids).size).toBe(ids.length);
    while ((await claimMail(test.database, 'hash', 60_000)) !== null);
    expect(await test.database.prisma.mail.count({ where: { attempts: 1 } })).toBe(10);
    expect(await mailDelayMs(test.database)).toBeGreaterThan(0);
    const [id = ''] = ids;
    await test.database.prisma.mail.update({ where: { id }, data: { dueAt: new Date(0) } });
    expect(await claimMail(test.database, 'second', 60_000)).toMatchObject({ id, attempts: 2 });
    const redeem = (secretSha256: string) => redeemMail(test.database, { mailId: id, secretSha256 }, ['reset']);
    expect(await redeem('unknown')).toBeNull();
    // The interrupted attempt may have arrived, so its link is good too.
    expect(await redeem('hash')).toMatchObject({ personId });
    expect(await redeem('second')).toBeNull();
  });
});
