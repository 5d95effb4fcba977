import { describe, expect, it } from '@jest/globals';
import { DatabaseError } from 'pg';
import { isDatabaseUnavailable, isReplyLost } from './database-failure.js';

const systemError = (syscall: string): Error => Object.assign(new Error(`${syscall} failed`), { syscall });
const refusedBy = (code: string): Error => Object.assign(new DatabaseError('refused', 7, 'error'), { code });

describe('isReplyLost', () => {
  it.each([
    ['a reply that does not come in time', new Error('Query read timeout'), true],
    ['a connection that ends', new Error('Connection terminated unexpectedly'), true],
    ['a connection that is reset', systemError('read'), true],
    ['a connection that is refused', systemError('connect'), false],
    ['a connection that is not made in time', new Error('Connection terminated due to connection timeout'), false],
    ['a pool without a free connection', new Error('timeout exceeded when trying to connect'), false],
    ['a statement that PostgreSQL ends', refusedBy('57P01'), false],
    ['an error of another kind', new TypeError('no'), false],
    ['no error', 'Query read timeout', false],
  ])('judges %s', (_what, error, isLost) => {
    expect(isReplyLost(error)).toBe(isLost);
  });
});

describe('isDatabaseUnavailable', () => {
  it.each([
    ['a server without free connections', '53300', true],
    ['a server in recovery', '57P03', true],
    ['a server that is read-only', '25006', true],
    ['a password that was changed', '28P01', true],
    ['a role that may not log in', '28000', true],
    ['a database that is being replaced', '3D000', true],
    ['a database that accepts no connections', '55000', true],
    ['a lock that is taken', '55P03', true],
    ['a disk that fails', '58030', true],
    ['a table that does not exist', '42P01', false],
    ['a rule of the tables', '23514', false],
  ])('judges %s', (_what, code, isUnavailable) => {
    expect(isDatabaseUnavailable(refusedBy(code))).toBe(isUnavailable);
  });
});
