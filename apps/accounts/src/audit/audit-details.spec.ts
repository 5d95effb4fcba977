import { describe, expect, it } from '@jest/globals';
import { requireAuditAction } from './audit-actions.js';
import { auditDetails } from './audit-details.js';

describe('auditDetails', () => {
  it('omits secrets', () => {
    expect(auditDetails({ email: 'a@example.com', password: 'x', new_password: 'x', Token: 'y', key: 'z' })).toEqual({
      email: 'a@example.com',
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

describe('requireAuditAction', () => {
  it('throws for a route that may change something and has no action', () => {
    expect(() => requireAuditAction('GET', '/account/anything')).not.toThrow();
    expect(() => requireAuditAction('POST', '/account/keys')).not.toThrow();
    expect(() => requireAuditAction('POST', '/account/anything')).toThrow(
      /POST \/account\/anything must have an action/,
    );
  });
});
