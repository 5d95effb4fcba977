import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountInterface } from '../test-support/account-interface.js';

let accounts: AccountInterface;

beforeAll(async () => {
  accounts = await AccountInterface.open();
});

afterAll(() => accounts.close());

/** Sends a request as a browser does: with the cookie and the headers of its origin. */
const byCookie = (method: string, path: string, cookie: string, headers: Record<string, string>) =>
  fetch(`${accounts.address}${path}`, { method, headers: { cookie, ...headers } });

async function loggedIn() {
  const { email, token } = await accounts.register();
  const login = await accounts.call('POST', '/account/login', { email, password: 'correct horse' });
  return { email, token, cookie: login.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

const OTHER_ORIGIN = { 'sec-fetch-site': 'same-site', origin: 'https://blog.example.com' };

describe('a page of another origin with a session cookie', () => {
  it.each([
    ['POST', '/account/webhook-secret/rotate'],
    ['POST', '/account/logout'],
    ['POST', '/account/keys/key_x/rotate'],
    ['DELETE', '/account/keys/key_x'],
    ['POST', '/account/login'],
  ])('changes nothing by %s %s', async (method, path) => {
    const { cookie } = await loggedIn();
    const refused = await byCookie(method, path, cookie, OTHER_ORIGIN);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error: { code: 'permission_denied', type: 'permission_error' } });
    expect((await byCookie('GET', '/account/balance', cookie, {})).status).toBe(200);
  });

  it('may read after following a link', async () => {
    const { cookie } = await loggedIn();
    expect((await byCookie('GET', '/account/balance', cookie, OTHER_ORIGIN)).status).toBe(200);
  });
});

describe('our own page', () => {
  it('may change something by cookie', async () => {
    const { cookie } = await loggedIn();
    const own = { 'sec-fetch-site': 'same-origin', origin: accounts.address };
    expect((await byCookie('POST', '/account/logout', cookie, own)).status).toBe(200);
    expect((await byCookie('GET', '/account/balance', cookie, own)).status).toBe(401);
  });
});

describe('a program', () => {
  it('may change something by bearer token from any origin', async () => {
    const { token } = await loggedIn();
    const headers = { ...OTHER_ORIGIN, authorization: `Bearer ${token}` };
    expect((await byCookie('POST', '/account/logout', '', headers)).status).toBe(200);
  });
});

describe('the cookie of a session', () => {
  it('is limited to this host and to HTTPS in production', async () => {
    const production = await AccountInterface.open({ nodeEnv: 'production' });
    const { email } = await production.register();
    const login = await production.call('POST', '/account/login', { email, password: 'correct horse' });
    const [pair = '', ...attributes] = (login.headers.get('set-cookie') ?? '').split('; ');
    expect(pair).toMatch(/^__Host-session=sess_[\w-]{43}$/);
    expect(attributes).toEqual(['Max-Age=604800', 'Path=/', 'HttpOnly', 'Secure', 'SameSite=Strict']);
    const balance = (cookie: string) => fetch(`${production.address}/account/balance`, { headers: { cookie } });
    expect((await balance(pair)).status).toBe(200);
    // A sibling domain can set a cookie of this name for every host of the parent domain.
    expect((await balance(pair.replace('__Host-', ''))).status).toBe(401);
    const out = await production.call('POST', '/account/logout', {}, login.body.token);
    expect(out.headers.get('set-cookie')).toMatch(/^__Host-session=; Max-Age=0; Path=\/;.* Secure/);
    await production.close();
  });

  it('forbids caches to store it, as every response does', async () => {
    const { token } = await loggedIn();
    const { headers } = await accounts.call('GET', '/account/keys', undefined, token);
    expect(headers.get('cache-control')).toBe('no-store');
  });
});
