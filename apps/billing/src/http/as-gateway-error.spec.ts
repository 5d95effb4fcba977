import { GatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { asGatewayError } from './as-gateway-error.js';

/** A statement that failed, as the database's client tells it. */
const failed = (state: string): Error =>
  Object.assign(new Error('Raw query failed'), {
    name: 'PrismaClientKnownRequestError',
    meta: { driverAdapterError: { cause: { originalCode: state } } },
  });

describe('what was thrown', () => {
  it.each([
    ['a deadlock', '40P01'],
    ['two writers of one row', '40001'],
    ['a statement that took too long', '57014'],
    ['a server without connections', '53300'],
    ['a server that is stopped', '08006'],
  ])('by Postgres for %s may be tried again', (_what, state) => {
    expect(asGatewayError(failed(state)).toRecord()).toMatchObject({ code: 'service_unavailable' });
  });

  it.each([
    ['a table that is not there', '42P01'],
    ['a rule of the tables', '23514'],
  ])('by Postgres for %s is a fault of ours', (_what, state) => {
    expect(asGatewayError(failed(state)).code).toBe('internal_error');
  });

  it.each(['Connection is closed.', 'Command timed out'])('by Redis (%s) may be tried again', (message) => {
    expect(asGatewayError(new Error(message)).code).toBe('service_unavailable');
  });

  it.each(['Query read timeout', 'timeout exceeded when trying to connect', 'Connection terminated unexpectedly'])(
    'by the driver of Postgres (%s) may be tried again',
    (message) => {
      expect(asGatewayError(new Error(message)).code).toBe('service_unavailable');
    },
  );

  it('by us stays what it is, and by nobody knows what is a fault of ours', () => {
    const known = new GatewayError('not_found', 'There is no such account.');
    expect(asGatewayError(known)).toBe(known);
    expect(asGatewayError('what').code).toBe('internal_error');
  });
});
