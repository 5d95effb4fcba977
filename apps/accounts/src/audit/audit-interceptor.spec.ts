import { GatewayError } from '@gateway/contracts';
import type { beginAudit as BeginAudit, endAudit as EndAudit } from '@gateway/postgres';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { lastValueFrom, type Observable, of, throwError } from 'rxjs';
import { fakeLogger, mockOf } from '../../../billing/src/test-support/fakes.js';
import type { Caller } from '../guards/caller.js';

const beginAudit = mockOf<typeof BeginAudit>();
const endAudit = mockOf<typeof EndAudit>();
const unused = () => undefined;
jest.unstable_mockModule('@gateway/postgres', () => ({
  beginAudit,
  endAudit,
  closeSession: unused,
  findAccount: unused,
  findKeyBySha256: unused,
  findRoleOfKey: unused,
  findSession: unused,
  touchSession: unused,
  openSession: unused,
  findAccountView: unused,
  endAccountView: unused,
  countAttempt: unused,
  resetAttempts: unused,
}));
const { AuditInterceptor } = await import('./audit.interceptor.js');
const { setVerifiedCaller } = await import('../guards/caller.js');

interface Given {
  readonly route: string;
  readonly id?: string;
  readonly caller?: object;
  readonly requireSession?: () => Promise<unknown>;
  readonly handle?: () => Observable<unknown>;
  readonly countAttempt?: (limit: string, network: string) => Promise<void>;
}

const unlimited = async (_limit: string, _network: string): Promise<void> => undefined;

function setUp({ route, id, caller, requireSession, countAttempt = unlimited, handle }: Given) {
  const [method, url] = route.split(' ');
  const request = {
    method,
    routeOptions: { url },
    params: id === undefined ? {} : { id },
    body: { name: 'k', password: 'hidden' },
    ip: '203.0.113.7',
    id: 'req_1',
    raw: { socket: undefined },
  } as unknown as FastifyRequest;
  if (caller !== undefined) setVerifiedCaller(request, caller as Caller);
  const http = { getRequest: () => request, getResponse: () => ({ statusCode: 201 }) };
  const context = { switchToHttp: () => http } as unknown as ExecutionContext;
  const handler = jest.fn(handle ?? (() => of<unknown>({ id: 'key_1' })));
  const { logger, lines } = fakeLogger();
  const sessions = { requireSession: jest.fn(requireSession ?? (() => Promise.reject(new Error('not expected')))) };
  const limiter = { count: jest.fn(countAttempt) };
  const interceptor = new AuditInterceptor({} as never, logger, sessions as never, limiter as never);
  const run = () => lastValueFrom(interceptor.intercept(context, { handle: handler }));
  const actAs = (actor: object) => setVerifiedCaller(request, actor as Caller);
  return { run, actAs, handler, sessions, limiter, lines };
}

const person = {
  kind: 'session',
  account: { id: 'acct_a' },
  member: { role: 'developer' },
  person: { id: 'psn_a' },
  sessionId: 'ses_a',
};

beforeEach(() => {
  beginAudit.mockReset().mockResolvedValue(1n as never);
  endAudit.mockReset();
});

describe('AuditInterceptor', () => {
  it('writes the entry before the change and the outcome after it, without secrets', async () => {
    const { run, handler } = setUp({ route: 'POST /account/keys', caller: person });
    handler.mockImplementation(() => {
      expect(beginAudit).toHaveBeenCalledTimes(1);
      expect(endAudit).not.toHaveBeenCalled();
      return of({ id: 'key_1' });
    });
    expect(await run()).toEqual({ id: 'key_1' });
    expect(beginAudit).toHaveBeenCalledWith(expect.anything(), {
      actor: 'person',
      accountId: 'acct_a',
      personId: 'psn_a',
      role: 'developer',
      sessionId: 'ses_a',
      administrator: null,
      action: 'key.create',
      subject: null,
      details: { name: 'k' },
      ip: '203.0.113.7',
      requestId: 'req_1',
    });
    expect(endAudit).toHaveBeenCalledWith(expect.anything(), 1n, {
      status: 201,
      errorCode: null,
      accountId: null,
      subject: 'key_1',
    });
  });

  it('records no more of a stranger once its network has sent too many', async () => {
    const tooMany = new GatewayError('rate_limit_exceeded', 'Too many attempts.');
    const refused = setUp({ route: 'POST /account/login', countAttempt: () => Promise.reject(tooMany) });
    await expect(refused.run()).rejects.toBe(tooMany);
    expect([beginAudit.mock.calls.length, refused.handler.mock.calls.length]).toEqual([0, 0]);
    const first = setUp({ route: 'POST /account/login' });
    await first.run();
    expect(first.limiter.count).toHaveBeenCalledWith('stranger', '203.0.113.7');
    expect(beginAudit).toHaveBeenCalledTimes(1);
    const known = setUp({ route: 'POST /account/keys', caller: person });
    await known.run();
    expect(known.limiter.count).not.toHaveBeenCalled();
  });

  it('limits the changes of a person, and apart from them those of keys', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const floods = setUp({ route: 'DELETE /account/keys/:id', caller: person });
    for (let sent = 0; sent < 600; sent += 1) await floods.run();
    await expect(floods.run()).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
    expect([beginAudit.mock.calls.length, floods.handler.mock.calls.length]).toEqual([600, 600]);
    floods.actAs({ kind: 'key', account: { id: 'acct_a' } });
    await floods.run();
    floods.actAs({ kind: 'administrator', name: null });
    for (let sent = 0; sent < 700; sent += 1) await floods.run();
    expect(floods.handler).toHaveBeenCalledTimes(1_301);
    clock.mockRestore();
  });

  it('does not let a change happen whose entry cannot be written', async () => {
    const { run, handler } = setUp({ route: 'POST /account/keys', caller: person });
    beginAudit.mockRejectedValue(new Error('Connection terminated'));
    await expect(run()).rejects.toThrow('Connection terminated');
    expect(handler).not.toHaveBeenCalled();
  });

  it('keeps a change whose outcome cannot be written, and logs an error', async () => {
    const { run, lines } = setUp({ route: 'POST /account/keys', caller: person });
    endAudit.mockRejectedValue(new Error('Connection terminated'));
    expect(await run()).toEqual({ id: 'key_1' });
    expect(lines).toMatchObject([{ level: 'error', message: 'audit outcome recording failed' }]);
  });

  it.each([
    [new GatewayError('permission_denied', 'This account is suspended.'), 403, 'permission_denied'],
    [new Error('broken'), 500, null],
  ])('records that the change failed with %s', async (error, status, errorCode) => {
    const { run } = setUp({ route: 'POST /account/keys', caller: person, handle: () => throwError(() => error) });
    await expect(run()).rejects.toBe(error);
    expect(endAudit).toHaveBeenCalledWith(expect.anything(), 1n, { status, errorCode, accountId: null, subject: null });
  });

  it('records an administrator with the account of the path', async () => {
    const { run } = setUp({
      route: 'PATCH /admin/accounts/:id',
      id: 'acct_b',
      caller: { kind: 'administrator', name: 'Ada' },
    });
    await run();
    const entry = {
      actor: 'administrator',
      administrator: 'Ada',
      accountId: 'acct_b',
      subject: 'acct_b',
      action: 'account.change',
    };
    expect(beginAudit).toHaveBeenCalledWith(expect.anything(), expect.objectContaining(entry));
  });

  it('records a login before anybody is known, then the account of the response', async () => {
    const { run, sessions } = setUp({
      route: 'POST /account/login',
      handle: () => of({ account: { id: 'acct_a' }, token: 'hidden' }),
    });
    await run();
    const entry = expect.objectContaining({ actor: 'nobody', accountId: null });
    expect(beginAudit).toHaveBeenCalledWith(expect.anything(), entry);
    const outcome = expect.objectContaining({ accountId: 'acct_a', subject: 'acct_a' });
    expect(endAudit).toHaveBeenCalledWith(expect.anything(), 1n, outcome);
    expect(sessions.requireSession).not.toHaveBeenCalled();
  });

  it('records a logout of an open session', async () => {
    const { run } = setUp({
      route: 'POST /account/logout',
      requireSession: async () => ({
        person: { id: 'psn_a' },
        organisation: { account: { id: 'acct_a' }, member: {} },
      }),
    });
    await run();
    const entry = expect.objectContaining({ actor: 'person', accountId: 'acct_a', action: 'account.logout' });
    expect(beginAudit).toHaveBeenCalledWith(expect.anything(), entry);
  });

  it('does not record a logout without a session, which changes nothing', async () => {
    const refused = new GatewayError('invalid_api_key', 'Log in first.');
    const { run, handler } = setUp({ route: 'POST /account/logout', requireSession: () => Promise.reject(refused) });
    await run();
    expect(handler).toHaveBeenCalledTimes(1);
    expect(beginAudit).not.toHaveBeenCalled();
  });

  it('fails a logout while sessions cannot be read', async () => {
    const { run, handler } = setUp({
      route: 'POST /account/logout',
      requireSession: () => Promise.reject(new Error('Connection terminated')),
    });
    await expect(run()).rejects.toThrow('Connection terminated');
    expect(handler).not.toHaveBeenCalled();
  });

  it.each(['GET /account/keys', 'POST /account/quote', 'POST /internal/escrow'])(
    'does not record %s, which changes nothing for a person',
    async (route) => {
      const { run, handler } = setUp({ route, caller: person });
      await run();
      expect(handler).toHaveBeenCalledTimes(1);
      expect(beginAudit).not.toHaveBeenCalled();
    },
  );
});
