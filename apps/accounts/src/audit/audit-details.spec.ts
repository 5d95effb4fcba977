import { describe, expect, it } from '@jest/globals';
import { requireAuditAction } from './audit-actions.js';
import { auditDetails, auditDetailsOfStranger } from './audit-details.js';

describe('auditDetails', () => {
  it('omits secrets', () => {
    expect(auditDetails({ email: 'a@example.com', password: 'x', new_password: 'x', Token: 'y', key: 'z' })).toEqual({
      email: 'a@example.com',
    });
  });

  it('omits secrets by other names, within objects, and within texts', () => {
    const body = {
      passwd: 'x',
      Session_Token: 'x',
      api_key: 'x',
      user: { Password: 'x', name: 'ada' },
      list: [{ secret: 'x' }, `a key sk-${'a1'.repeat(20)}`],
      url: `https://example.com/?t=sess_${'a1'.repeat(20)}`,
      keys: ['key_a'],
    };
    expect(auditDetails(body)).toEqual({
      user: { name: 'ada' },
      list: [{}, 'a key …'],
      url: 'https://example.com/?t=…',
      keys: ['key_a'],
    });
  });

  it('omits the fields above the size limit', () => {
    expect(auditDetails({ name: 'first', long: 'x'.repeat(4_000), after: 1 })).toEqual({
      name: 'first',
      cut_off: true,
    });
  });

  it.each([[undefined], [null], ['text'], [[1]], [7]])('is empty for %j', (body) => {
    expect(auditDetails(body)).toEqual({});
  });
});

describe('auditDetailsOfStranger', () => {
  it('has who a stranger claims to be, and nothing else that could fill the log', () => {
    const body = { email: 'x'.repeat(1_000), password: 'x', account_id: 'acct_a', name: 7, filling: 'y'.repeat(3_000) };
    expect(auditDetailsOfStranger(body)).toEqual({ email: 'x'.repeat(254), account_id: 'acct_a' });
    expect(auditDetailsOfStranger(['x'])).toEqual({});
  });
});

describe('requireAuditAction', () => {
  it('throws for a route that may change something and has no action', () => {
    expect(() => requireAuditAction('GET', '/account/anything')).not.toThrow();
    expect(() => requireAuditAction('POST', '/account/keys')).not.toThrow();
    expect(() => requireAuditAction('POST', '/account/anything')).toThrow(
      /POST \/account\/anything must have an action/,
    );
  });
});
