import { describe, expect, it } from '@jest/globals';
import { refuseRepeatedHost } from './refuse-repeated-host.js';

describe('refuseRepeatedHost', () => {
  it.each([[['Host', 'a', 'hOST', 'a']], [['host', 'a', 'x', 'y', 'host', 'b']]])('refuses %j', (rawHeaders) => {
    expect(() => refuseRepeatedHost({ rawHeaders })).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });

  it.each([[['Host', 'a', 'X-Forwarded-Host', 'b']], [['accept', 'host', 'host', 'host']]])(
    'accepts %j',
    (rawHeaders) => {
      expect(() => refuseRepeatedHost({ rawHeaders })).not.toThrow();
    },
  );
});
