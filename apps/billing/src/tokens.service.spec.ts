import { describe, expect, it } from '@jest/globals';
import { Tokens } from './tokens.service.js';

const tokens = new Tokens({ internalTokens: ['the-new-one', 'the-old-one'], adminToken: 'the-administrator' });

describe('the tokens of machines', () => {
  it.each(['the-new-one', 'the-old-one'])('believes an edge that shows %s, while the token is changed', (token) => {
    expect(() => tokens.requireInternal(`Bearer ${token}`)).not.toThrow();
    expect(() => tokens.requireAdmin(`Bearer ${token}`)).toThrow('A valid token is needed');
  });

  it.each([undefined, '', 'Bearer', 'Bearer the-administrator', 'Bearer the-new-one,the-old-one'])(
    'lets nobody in as an edge with %p',
    (authorization) => {
      expect(() => tokens.requireInternal(authorization)).toThrow('A valid token is needed');
    },
  );
});
