import { GatewayError } from '@gateway/contracts';
import { convertError } from '@gateway/json-service';
import { isDatabaseUnavailable } from '@gateway/postgres';
import { describe, expect, it } from '@jest/globals';

/** A failed statement, as Prisma reports it. */
const failed = (state: string): Error =>
  Object.assign(new Error('Raw query failed'), {
    name: 'PrismaClientKnownRequestError',
    meta: { driverAdapterError: { cause: { originalCode: state } } },
  });

const convert = (error: unknown) => convertError(error, isDatabaseUnavailable);

describe('convertError', () => {
  it.each([
    ['a deadlock', '40P01'],
    ['two writers of one row', '40001'],
    ['a statement that took too long', '57014'],
    ['a server without connections', '53300'],
    ['a server that is stopped', '08006'],
  ])('makes %s in PostgreSQL retryable', (_what, state) => {
    expect(convert(failed(state)).toRecord()).toMatchObject({ code: 'service_unavailable' });
  });

  it.each([
    ['a table that is not there', '42P01'],
    ['a rule of the tables', '23514'],
  ])('makes %s in PostgreSQL an internal error', (_what, state) => {
    expect(convert(failed(state)).code).toBe('internal_error');
  });

  it.each(['Connection is closed.', 'Command timed out'])('makes the Redis error "%s" retryable', (message) => {
    expect(convert(new Error(message)).code).toBe('service_unavailable');
  });

  it.each(['Query read timeout', 'timeout exceeded when trying to connect', 'Connection terminated unexpectedly'])(
    'makes the PostgreSQL driver error "%s" retryable',
    (message) => {
      expect(convert(new Error(message)).code).toBe('service_unavailable');
    },
  );

  it('keeps our own errors, and makes any other value an internal error', () => {
    const known = new GatewayError('not_found', 'There is no such account.');
    expect(convert(known)).toBe(known);
    expect(convert('what').code).toBe('internal_error');
  });
});
