import { describe, expect, it } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { lastValueFrom, NEVER, of, throwError } from 'rxjs';
import { type Caller, setVerifiedCaller } from '../guards/caller.js';
import { TakeTurns } from './take-turns.interceptor.js';

const AT_ONCE = 6;
const settled = () => new Promise((resolve) => setImmediate(resolve));
const person = { kind: 'session', account: { id: 'acct_a' }, person: { id: 'psn_a' }, member: {} };
const key = { kind: 'key', account: { id: 'acct_a' }, key: {} };

/** Sends requests that never end. Returns how many of them have begun. */
async function begunOf(turns: TakeTurns, caller: object | undefined, count: number, url = '/account/usage') {
  let begun = 0;
  for (let sent = 0; sent < count; sent += 1) {
    const context = contextOf(caller, url);
    const handle = () => {
      begun += 1;
      return NEVER;
    };
    void lastValueFrom(turns.intercept(context, { handle }));
  }
  await settled();
  return begun;
}

function contextOf(caller: object | undefined, url = '/account/usage'): ExecutionContext {
  const request = { ip: '203.0.113.7', routeOptions: { url } } as unknown as FastifyRequest;
  if (caller !== undefined) setVerifiedCaller(request, caller as Caller);
  return { switchToHttp: () => ({ getRequest: () => request }) } as unknown as ExecutionContext;
}

describe('TakeTurns', () => {
  it.each([
    ['a person', person],
    ['the keys of an account', key],
    ['a stranger', undefined],
  ])('lets a few requests of %s run at once', async (_name, caller) => {
    expect(await begunOf(new TakeTurns(), caller, AT_ONCE + 3)).toBe(AT_ONCE);
  });

  it('counts people, keys and strangers apart', async () => {
    const turns = new TakeTurns();
    await begunOf(turns, person, AT_ONCE + 1);
    expect(await begunOf(turns, key, 1)).toBe(1);
    expect(await begunOf(turns, undefined, 1)).toBe(1);
    expect(await begunOf(turns, { ...person, person: { id: 'psn_b' } }, 1)).toBe(1);
  });

  it('counts a person over all organisations', async () => {
    const turns = new TakeTurns();
    await begunOf(turns, person, AT_ONCE);
    expect(await begunOf(turns, { ...person, account: { id: 'acct_b' } }, 1)).toBe(0);
  });

  it.each([
    ['operators', { kind: 'administrator', name: null }, '/admin/accounts'],
    ['an operator who reads an account', { ...person, viewedBy: 'ada' }, '/account/usage'],
    ['event streams', person, '/account/stream'],
    ['probes', undefined, '/readyz'],
  ])('does not limit %s', async (_name, caller, url) => {
    expect(await begunOf(new TakeTurns(), caller, AT_ONCE + 3, url)).toBe(AT_ONCE + 3);
  });

  it('ends a turn with the answer, and with an error', async () => {
    const turns = new TakeTurns();
    for (let sent = 0; sent < AT_ONCE; sent += 1) {
      const failing = turns.intercept(contextOf(person), { handle: () => throwError(() => new Error('oops')) });
      await expect(lastValueFrom(failing)).rejects.toThrow('oops');
      expect(await lastValueFrom(turns.intercept(contextOf(person), { handle: () => of('answer') }))).toBe('answer');
    }
    expect(await begunOf(turns, person, AT_ONCE)).toBe(AT_ONCE);
  });
});
