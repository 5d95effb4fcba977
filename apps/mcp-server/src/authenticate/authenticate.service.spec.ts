import { newApiKey } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { FakeClient, rejecting, responseOf } from '../test-support/fakes.js';
import { ToolFailure } from '../tool-failure.js';
import { Authenticate } from './authenticate.service.js';

const KEY = newApiKey();

function setUp(gateway = new FakeClient(() => responseOf({ object: 'list', data: [] }))) {
  const service = new Authenticate(() => ({ gateway, account: gateway }));
  return { service, gateway, authenticate: (address = '127.0.0.1') => service.authenticate(KEY, address, 'trace') };
}

const refusing = (status: number): FakeClient => rejecting(new ToolFailure('code', 'Suspended.', { status }));

describe('Authenticate', () => {
  it.each([undefined, '', 'Basic abc', 'Bearer', 'Bearer sk-123', `Bearer ${KEY}x`])(
    'rejects the header %p without a request',
    (header) => {
      expect(() => setUp().service.readKey(header)).toThrow(expect.objectContaining({ code: 'invalid_api_key' }));
    },
  );

  it('reads the key in any case of the scheme', () => {
    expect(setUp().service.readKey(`bearer  ${KEY} `)).toBe(KEY);
  });

  it('sends one request for concurrent and repeated lookups of one key and address', async () => {
    const { authenticate, gateway } = setUp();
    await Promise.all([authenticate(), authenticate()]);
    expect(await authenticate()).toMatchObject({ apiKey: KEY, address: '127.0.0.1', models: [] });
    expect(gateway.requests).toEqual([{ method: 'GET', path: '/v1/models' }]);
    await authenticate('10.0.0.1');
    expect(gateway.requests).toHaveLength(2);
  });

  it('knows the account of the key', async () => {
    const list = { ...responseOf({ object: 'list', data: [] }), accountId: 'acct_a' };
    expect(await setUp(new FakeClient(() => list)).authenticate()).toMatchObject({ accountId: 'acct_a' });
  });

  it.each([true, false])('knows whether its account may spend: %s', async (maySpend) => {
    const list = { ...responseOf({ object: 'list', data: [] }), maySpend };
    expect(await setUp(new FakeClient(() => list)).authenticate()).toMatchObject({ maySpend });
  });

  it.each([
    [401, 'invalid_api_key'],
    [403, 'permission_denied'],
  ])('caches a refusal with status %s as %s', async (status, code) => {
    const { authenticate, gateway } = setUp(refusing(status));
    await expect(authenticate()).rejects.toMatchObject({ code });
    await expect(authenticate()).rejects.toMatchObject({ code });
    expect(gateway.requests).toHaveLength(1);
  });

  it('does not cache status 429, and says when the client may retry', async () => {
    const tooOften = rejecting(new ToolFailure('code', 'Too often.', { status: 429, retryAfterSeconds: 7 }));
    const { authenticate, gateway } = setUp(tooOften);
    const limited = { code: 'rate_limit_exceeded', message: 'Too often.', details: { retryAfterMs: 7_000 } };
    await expect(authenticate()).rejects.toMatchObject(limited);
    await expect(authenticate()).rejects.toMatchObject(limited);
    expect(gateway.requests).toHaveLength(2);
  });

  it.each([500, 503])('does not cache status %s: the client may retry after a second', async (status) => {
    const { authenticate, gateway } = setUp(refusing(status));
    const unavailable = { code: 'service_unavailable', details: { retryAfterMs: 1_000 } };
    await expect(authenticate()).rejects.toMatchObject(unavailable);
    await expect(authenticate()).rejects.toMatchObject(unavailable);
    expect(gateway.requests).toHaveLength(2);
  });
});
