import { describe, expect, it } from '@jest/globals';
import { MachineTokens } from './machine-tokens.service.js';

const tokens = new MachineTokens({ internalTokens: ['the-new-one', 'the-old-one'], adminToken: 'the-administrator' });

describe('MachineTokens', () => {
  it.each(['the-new-one', 'the-old-one'])('accepts %s of an edge during a rotation', (token) => {
    expect(tokens.isEdge(`Bearer ${token}`)).toBe(true);
    expect(tokens.isAdmin(`Bearer ${token}`)).toBe(false);
  });

  it.each([undefined, '', 'Bearer', 'Bearer the-administrator', 'Bearer the-new-one,the-old-one', 'Basic the-new-one'])(
    'rejects %p of an edge',
    (authorization) => {
      expect(tokens.isEdge(authorization)).toBe(false);
    },
  );

  it('accepts the administrator token only as the whole bearer token', () => {
    expect(tokens.isAdmin('Bearer the-administrator')).toBe(true);
    expect(tokens.isAdmin('bearer  the-administrator ')).toBe(true);
    for (const authorization of [undefined, '', 'Bearer', 'Bearer the-administrator-2', 'Bearer the-admin']) {
      expect(tokens.isAdmin(authorization)).toBe(false);
    }
  });
});
