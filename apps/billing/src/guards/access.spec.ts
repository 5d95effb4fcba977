import { accessTable } from '@gateway/json-service';
import { describe, expect, it } from '@jest/globals';
import { CONTROLLERS } from '../app.module.js';

describe('the callers of billing', () => {
  it('are our own services only, each by its own token', () => {
    const table = accessTable(CONTROLLERS).map(({ route, access }) => [route, access.join(', ')]);
    expect(Object.fromEntries(table)).toEqual({
      'POST /internal/escrow': 'EdgeGuard',
      'POST /internal/accounts/:id/credits': 'AccountsGuard',
      'POST /internal/accounts/:id/reversals': 'AccountsGuard',
      'GET /internal/reconciliation': 'AccountsGuard',
    });
  });
});
