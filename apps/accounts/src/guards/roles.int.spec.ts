import { MEMBER_ROLES, type MemberRole } from '@gateway/contracts';
import { accessTable } from '@gateway/json-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CONTROLLERS } from '../app.module.js';
import { AccountInterface } from '../test-support/account-interface.js';

/** The rights of the roles, as the documentation states them. `LeastRole` must grant the same. */
const GRANTED: Readonly<Record<MemberRole, readonly MemberRole[]>> = {
  viewer: ['viewer', 'developer', 'billing', 'owner'],
  developer: ['developer', 'owner'],
  billing: ['billing', 'owner'],
  owner: ['owner'],
};

const SUBJECT = 'acct_aaaaaaaaaaaaaaaaaaaaaaaaaa';
const isRole = (name: string | undefined): name is MemberRole => MEMBER_ROLES.some((role) => role === name);

/** Every route of an organisation, with its least role. */
const ROUTES = accessTable(CONTROLLERS).flatMap(({ route, access }) => {
  const least = access[1];
  return isRole(least) ? [{ route, least, guard: access[0] }] : [];
});

let accounts: AccountInterface;
const tokens = new Map<MemberRole, string>();
let strangersKey = '';
let scopedKey = '';
let developersKey = '';

beforeAll(async () => {
  accounts = await AccountInterface.open();
  const organisation = await accounts.organisation();
  for (const role of MEMBER_ROLES) tokens.set(role, organisation.tokens[role]);
  const stranger = await accounts.register();
  strangersKey = (await accounts.call('POST', '/account/keys', { name: 'k' }, stranger.token)).body.id;
  const scoped = { name: 'reads', scopes: ['account:read'] };
  scopedKey = (await accounts.call('POST', '/account/keys', scoped, tokens.get('owner'))).body.key;
  developersKey = (await accounts.call('POST', '/account/keys', scoped, tokens.get('developer'))).body.key;
});

afterAll(() => accounts.close());

/** Some responses are streams without an end: their head is enough. */
async function headOf(method: string, path: string, token?: string) {
  const abort = new AbortController();
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(`${accounts.address}${path}`, { method, headers, signal: abort.signal });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const body = isStream ? {} : JSON.parse((await response.text()) || '{}');
  abort.abort();
  return { status: response.status, body };
}

function ask(route: string, token?: string) {
  const [method = '', path = ''] = route.split(' ');
  const address = path.replace(':requestId', 'req_aaaaaaaaaaaaaaaaaaaaaaaaaa').replace(/:\w+/, strangersKey || SUBJECT);
  if (path.endsWith('/stream')) return headOf(method, address, token);
  return accounts.call(method, address, method === 'GET' || method === 'DELETE' ? undefined : {}, token);
}

const isRefusedRole = ({ status, body }: { status: number; body: { error?: { message?: string } } }): boolean =>
  status === 403 && body.error?.message?.startsWith('Your role in this organisation is') === true;

it('the table has routes of each role', () => {
  expect(new Set(ROUTES.map(({ least }) => least))).toEqual(new Set(MEMBER_ROLES));
});

describe.each(ROUTES.map((row) => [row.route, row] as const))('%s', (route, { least, guard }) => {
  it('gets 401 without a session', async () => {
    expect((await ask(route)).status).toBe(401);
  });

  // One after another: some requests of one account lock each other out of a limit.
  it('serves the roles that it names, and refuses the others with 403', async () => {
    for (const role of MEMBER_ROLES) {
      const response = await ask(route, tokens.get(role));
      expect([role, isRefusedRole(response)]).toEqual([role, !GRANTED[least].includes(role)]);
      expect(response.status).not.toBe(500);
    }
  });

  it('treats a key of the organisation by its scopes, not by a role', async () => {
    const { status } = await ask(route, scopedKey);
    expect(status === 401).toBe(guard === 'SessionGuard');
    expect(status).not.toBe(403);
  });

  it('gives the key of a member no more than the member has', async () => {
    const { status } = await ask(route, developersKey);
    expect(status === 401).toBe(guard === 'SessionGuard');
    if (status !== 401) expect(status === 403).toBe(!GRANTED[least].includes('developer'));
  });
});

// Every organisation has each month.
it.each(ROUTES.filter(({ route }) => /:(id|requestId)/.test(route)).map(({ route }) => route))(
  '%s answers 404 to an owner for what another organisation has',
  async (route) => {
    expect((await ask(route, tokens.get('owner'))).status).toBe(404);
  },
);
