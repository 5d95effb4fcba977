import { describe, expect, it } from '@jest/globals';
import { requireAuditAction } from './audit-actions.js';
import { auditDetails } from './audit-details.js';

describe('detailsOf', () => {
  it('leaves secrets out', () => {
    expect(auditDetails({ email: 'a@example.com', password: 'x', new_password: 'x', Token: 'y', key: 'z' })).toEqual({
      email: 'a@example.com',
    });
  });

  it('cuts off what is too long, field by field', () => {
    expect(auditDetails({ name: 'first', long: 'x'.repeat(4_000), after: 1 })).toEqual({
      name: 'first',
      cut_off: true,
    });
  });

  it.each([[undefined], [null], ['text'], [[1]], [7]])('of %j is nothing', (body) => {
    expect(auditDetails(body)).toEqual({});
  });
});

describe('requireAction', () => {
  it('lets a service start only with a word for each route that changes something', () => {
    expect(() => requireAuditAction('GET', '/account/anything')).not.toThrow();
    expect(() => requireAuditAction('POST', '/account/keys')).not.toThrow();
    expect(() => requireAuditAction('POST', '/account/anything')).toThrow(/POST \/account\/anything has no word/);
  });
});
