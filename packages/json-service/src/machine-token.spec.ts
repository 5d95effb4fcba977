import { describe, expect, it } from '@jest/globals';
import { MachineToken } from './machine-token.js';

const token = new MachineToken(['the-new-one', 'the-old-one']);

describe('MachineToken', () => {
  it.each(['Bearer the-new-one', 'Bearer the-old-one', 'bearer  the-old-one '])('admits %s', (authorization) => {
    expect(token.admits(authorization)).toBe(true);
    expect(() => token.require(authorization)).not.toThrow();
  });

  it.each([undefined, '', 'Bearer', 'Bearer the-new-one-2', 'Bearer the-new-one,the-old-one', 'Basic the-new-one'])(
    'refuses %p with the same 401',
    (authorization) => {
      expect(token.admits(authorization)).toBe(false);
      expect(() => token.require(authorization)).toThrow(
        expect.objectContaining({
          code: 'invalid_api_key',
          message: 'Authorization: expected `Bearer <token>` with a valid token.',
        }),
      );
    },
  );
});
