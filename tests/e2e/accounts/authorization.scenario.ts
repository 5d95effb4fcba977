import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ENDPOINTS, namesModelInPath } from '@gateway/contracts';
import { JSON_ENDPOINTS } from '@gateway/intake';
import { eventually, fullResponse, startTestStack, UnexpectedStatus } from '@gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { type Access, ROUTES, type Route } from './authorization-routes.js';
import { type Belongings, bodiesWith, makeBelongings, pathTo, similarIds } from './belongings.js';

const stack = await startTestStack();
afterAll(() => stack.stop());
await stack.system.add('mcp-server');

const customer = await stack.createCustomer({ creditUsd: '10', limits: { rpm: 0, concurrency: 0 } });
const visitor = await stack.createCustomer();
const stranger = await stack.createCustomer({ creditUsd: '10', limits: { rpm: 0, concurrency: 0 } });
const suspended = await stack.createCustomer({ creditUsd: '10' });

/** The credentials of a caller and the routes that they open. All callers may use public routes. */
interface Caller {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A suffix of the path. */
  readonly query?: string;
  readonly permits: readonly Access[];
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const swappedCase = (text: string) => text.replace(/[a-z]/gi, (c) => (c < 'a' ? c.toLowerCase() : c.toUpperCase()));

const callers: Caller[] = [];

beforeAll(async () => {
  const revoked = await customer.newKey();
  await customer.revokeKey(revoked.id);
  const expiring = await customer.newKey({ expires_at: new Date(Date.now() + 1_500).toISOString() });
  await stack.accounts.changeAccount(suspended.accountId, { suspended: true });
  const closed = await stack.accounts.login(customer.email, customer.password);
  await stack.accounts.logout(closed.token);
  const { adminToken, internalToken, ledgerToken } = stack.system.secrets;
  const { apiKey } = customer;
  // A person of his own, because some routes end sessions.
  const { token } = await stack.accounts.login(visitor.email, visitor.password);
  const none: readonly Access[] = [];
  const keys: readonly Access[] = ['key', 'bearer', 'reader'];
  const person: readonly Access[] = ['person', 'reader', 'account-reader'];
  const scoped = await customer.newKey({ scopes: ['account:read'] });
  const bound = await customer.newKey({ scopes: ['account:read'], allowed_ips: ['203.0.113.1'] });
  callers.push(
    { name: 'no credentials', headers: {}, permits: none },
    { name: 'a key', headers: bearer(apiKey), permits: keys },
    { name: 'a key that reads the account', headers: bearer(scoped.key), permits: [...keys, 'account-reader'] },
    { name: 'a key of another address', headers: bearer(bound.key), permits: none },
    { name: 'a key, scheme in lower case', headers: { authorization: `bearer ${apiKey}` }, permits: keys },
    { name: 'a key, header in upper case', headers: { AUTHORIZATION: `Bearer ${apiKey}` }, permits: keys },
    { name: 'a key as x-api-key', headers: { 'x-api-key': apiKey }, permits: ['key'] },
    { name: 'a key in the address', headers: {}, query: `?api_key=${apiKey}&key=${apiKey}`, permits: none },
    { name: 'a key in a cookie', headers: { cookie: `session=${apiKey}; api_key=${apiKey}` }, permits: none },
    { name: 'a key without its scheme', headers: { authorization: apiKey }, permits: none },
    { name: 'a key with the scheme Basic', headers: { authorization: `Basic ${btoa(`${apiKey}:`)}` }, permits: none },
    { name: 'a key with one letter more', headers: bearer(`${apiKey}a`), permits: none },
    { name: 'a key with its letters swapped', headers: bearer(swappedCase(apiKey)), permits: none },
    { name: 'a key after a comma', headers: { authorization: `Bearer x, Bearer ${apiKey}` }, permits: none },
    { name: 'a revoked key', headers: bearer(revoked.key), permits: none },
    { name: 'an expired key', headers: bearer(expiring.key), permits: none },
    // A suspended customer may read why, and nothing else.
    { name: 'a key of a suspended account', headers: bearer(suspended.apiKey), permits: ['reader'] },
    { name: 'a person', headers: bearer(token), permits: person },
    { name: 'a person by cookie', headers: { cookie: `session=${token}` }, permits: person },
    { name: 'a person who has logged out', headers: bearer(closed.token), permits: none },
    { name: 'a session with its letters swapped', headers: bearer(swappedCase(token)), permits: none },
    { name: 'the administrator', headers: bearer(adminToken), permits: ['administrator'] },
    { name: 'the administrator by x-api-key', headers: { 'x-api-key': adminToken }, permits: none },
    { name: 'the edge', headers: bearer(internalToken), permits: ['machine'] },
    { name: 'accounts', headers: bearer(ledgerToken), permits: ['ledger'] },
    { name: 'an empty bearer', headers: { authorization: 'Bearer ' }, permits: none },
    { name: 'the word undefined', headers: bearer('undefined'), permits: none },
    { name: 'the word null', headers: bearer('null'), permits: none },
  );
  await eventually(async () => {
    const { status } = await call(ROUTES[0] as Route, { name: '', headers: bearer(expiring.key), permits: [] });
    expect(status).toBe(401);
  });
});

const ADDRESSES = {
  'api-edge': stack.baseUrl,
  accounts: stack.system.accountUrl,
  billing: stack.system.billingUrl,
  'mcp-server': new URL(stack.system.mcpUrl as string).origin,
} as const satisfies Record<Route['service'], string>;

/** Existing ids of another account: an authorized caller must not find them either. */
const pathOf = ({ path }: Route): string =>
  path
    .replace('/accounts/:id', `/accounts/${stranger.accountId}`)
    .replace('/models/:id', '/models/gm-2.5-flash')
    .replace('/models/:call', '/models/gm-2.5-flash:generateContent')
    .replace(':id', stranger.keyId)
    .replace(':requestId', 'req_aaaaaaaaaaaaaaaaaaaaaaaaaa');

const call = (route: Route, { headers, query = '' }: Caller) =>
  fullResponse(ADDRESSES[route.service], {
    method: route.method,
    path: `${pathOf(route)}${query}`,
    // A stream of events would not end: who may read it gets a 400 instead.
    headers: {
      ...headers,
      'last-event-id': 'unknown',
      ...(route.body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(route.body !== undefined && { body: JSON.stringify(route.body) }),
  });

/** No controller declares the socket: the handshake has its own authentication. */
const opensSocket = ({ headers, query = '' }: Caller): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = new WebSocket(`${stack.baseUrl.replace('http', 'ws')}/v1/responses${query}`, { headers } as never);
    socket.addEventListener('open', () => {
      socket.close();
      resolve(true);
    });
    socket.addEventListener('error', () => resolve(false));
  });

/** Constants that a controller declares routes with, instead of a literal path. */
const PATH_CONSTANTS: Readonly<Record<string, readonly string[]>> = {
  PATHS: (Object.keys(JSON_ENDPOINTS) as (keyof typeof JSON_ENDPOINTS)[])
    .filter((name) => JSON_ENDPOINTS[name].isForm !== true && !namesModelInPath(ENDPOINTS[name]))
    .map((name) => ENDPOINTS[name].path),
  CALL_PATHS: ['/v1beta/models/:call', '/v1/models/:call'],
};

/** Every route that the controllers of a service declare. Throws for an unknown constant. */
function declaredRoutes(service: Route['service']): readonly string[] {
  const root = resolve(import.meta.dirname, '../../..');
  return globSync(`apps/${service}/src/**/*.controller.ts`, { cwd: root }).flatMap((file) => {
    const source = readFileSync(resolve(root, file), 'utf8');
    const base = /@Controller\((?:'([^']*)')?\)/.exec(source)?.[1] ?? '';
    const handlers = [...source.matchAll(/^ {2}@(Get|Post|Patch|Put|Delete|All)\((?:'([^']*)'|([^')][^)]*))?\)/gm)];
    return handlers.flatMap(([, verb = '', literal = '', constant]) => {
      const paths = constant === undefined ? [literal] : PATH_CONSTANTS[constant];
      if (paths === undefined) throw new Error(`${file} declares routes by an unknown constant: ${constant}`);
      return paths.map((path) => `${verb.toUpperCase()} /${joinPath(base, path)}`);
    });
  });
}

const joinPath = (...parts: readonly string[]): string =>
  parts
    .map((part) => part.replace(/^\//, ''))
    .filter((part) => part !== '')
    .join('/');

describe('isolation', () => {
  const taking = ROUTES.filter(
    ({ service, path, access }) =>
      path.includes('/:') &&
      !/models|admin|statements|\/accounts\//.test(path) &&
      service !== 'billing' &&
      access !== 'machine',
  );
  /** What a caller gets, without the ids that he sent and those of this request. */
  const answer = async (url: string, method: string, path: string, token: string, body?: object) => {
    const sent = { method, path, headers: bearer(token), ...(body !== undefined && { body }) };
    const { status, text } = await fullResponse(url, sent);
    const ids = [...path.split('/'), ...Object.values(body ?? {}).map(String)].filter((part) => part.length > 15);
    return [status, ids.reduce((shown, id) => shown.replaceAll(id, '<id>'), text).replace(/req_[a-z0-9]{26}/g, '<id>')];
  };

  let theirs: Belongings;
  let unknown: Belongings;

  beforeAll(async () => {
    theirs = await makeBelongings(stack, stranger);
    unknown = similarIds(theirs);
  });

  it.each(taking.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "%s answers for another account's id as for an unknown one",
    async (_, { service, method, path, body }) => {
      const test = await stranger.newKey({ test: true });
      // The owner's own test key sees nothing of what his other keys made.
      const tokens = service === 'api-edge' ? [customer.apiKey, test.key] : [customer.token];
      for (const token of tokens) {
        const ask = (ids: Belongings) => answer(ADDRESSES[service], method, pathTo(path, ids), token, body);
        const expected = await ask(unknown);
        expect(expected[0]).toBe(404);
        expect(await ask(theirs)).toEqual(expected);
      }
    },
  );

  it("answers for another account's id in a body as for an unknown one", async () => {
    const ask = async (ids: Belongings): Promise<readonly (readonly unknown[])[]> => {
      const answers = bodiesWith(ids).map(([path, body]) => answer(stack.baseUrl, 'POST', path, customer.apiKey, body));
      return Promise.all(answers);
    };
    const expected = await ask(unknown);
    for (const [status] of expected) expect([400, 404]).toContain(status);
    expect(await ask(theirs)).toEqual(expected);
  });

  it('leaves the owner everything', async () => {
    const reading = taking.filter(({ method, path }) => method === 'GET' && /^\/(v1|account)\/[^:]*:\w+$/.test(path));
    expect(reading.length).toBeGreaterThan(10);
    for (const { service, method, path } of reading) {
      const token = service === 'api-edge' ? stranger.apiKey : stranger.token;
      const [status] = await answer(ADDRESSES[service], method, pathTo(path, theirs), token);
      expect([path, status]).toEqual([path, 200]);
    }
  });
});

describe('authorization', () => {
  it.each(['accounts', 'api-edge', 'billing', 'mcp-server'] as const)(
    '%s: the table has every route and no other',
    (service) => {
      const listed = ROUTES.filter((route) => route.service === service).map(({ method, path }) => `${method} ${path}`);
      expect([...declaredRoutes(service)].sort()).toEqual([...listed].sort());
    },
  );

  it.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s serves authorized callers and rejects all others',
    async (_, route) => {
      const results = await Promise.all(
        callers.map(async (caller) => ({ caller, status: (await call(route, caller)).status })),
      );
      for (const { caller, status } of results) {
        const isPermitted = route.access === 'open' || caller.permits.includes(route.access);
        const expected = isPermitted ? 'served' : 'rejected';
        const actual = [401, 403].includes(status) && route.access !== 'open' ? 'rejected' : 'served';
        expect([caller.name, status, actual]).toEqual([caller.name, status, expected]);
      }
    },
  );

  it('the socket of /v1/responses opens for the callers of its requests, and for no other', async () => {
    const opened = await Promise.all(callers.map(async (caller) => [caller.name, await opensSocket(caller)]));
    expect(opened).toEqual(callers.map(({ name, permits }) => [name, permits.includes('key')]));
  });

  it('hides resources of other accounts', async () => {
    const { token } = customer;
    for (const route of ROUTES.filter(({ access, path }) => access === 'person' && path.includes(':'))) {
      expect([route.path, (await call(route, { name: '', headers: bearer(token), permits: [] })).status]).toEqual([
        route.path,
        404,
      ]);
    }
    const response = await fullResponse(stack.baseUrl, {
      key: stranger.apiKey,
      body: { model: 'gm-2.5-flash', messages: [{ role: 'user', content: 'x' }] },
    });
    const requestId = String(response.headers['x-request-id']);
    await eventually(() => stranger.receipt(requestId));
    await expect(customer.receipt(requestId)).rejects.toMatchObject({
      status: 404,
    } satisfies Partial<UnexpectedStatus>);
  });

  it('leaves a consistent ledger', async () => {
    // An authorized caller has submitted a video task.
    const customers = [customer, stranger];
    const expectNoHolds = async () => {
      for (const account of customers) expect(await account.balance()).toMatchObject({ held_usd: '0.00' });
    };
    await eventually(expectNoHolds, { withinMs: 60_000, intervalMs: 200 });
    await expectConsistentLedger(stack, customers);
  });
});
