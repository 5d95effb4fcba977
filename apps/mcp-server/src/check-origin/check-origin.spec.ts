import { describe, expect, it } from '@jest/globals';
import { checkOrigin } from './check-origin.js';

const names = { allowedHosts: ['localhost', '127.0.0.1', '[::1]'], allowedOrigins: ['app.example'] };

describe('checkOrigin', () => {
  it.each([
    [{ host: 'localhost:8085' }],
    [{ host: '[::1]:8085' }],
    [{ host: '127.0.0.1', origin: 'https://app.example' }],
    [{ host: '127.0.0.1', origin: 'http://app.example:3000' }],
  ])('accepts %j', (headers) => {
    expect(() => checkOrigin(headers, names)).not.toThrow();
  });

  it.each([
    [{ host: 'evil.example' }],
    [{ host: 'localhost.evil.example' }],
    [{}],
    [{ host: 'localhost', origin: 'https://evil.example' }],
    [{ host: 'localhost', origin: 'null' }],
    [{ host: 'localhost', origin: 'https://app.example.evil.example' }],
  ])('rejects %j', (headers) => {
    expect(() => checkOrigin(headers, names)).toThrow(expect.objectContaining({ code: 'permission_denied' }));
  });

  it('accepts every host if no hosts are configured', () => {
    expect(() => checkOrigin({ host: 'gateway.example' }, { ...names, allowedHosts: undefined })).not.toThrow();
  });
});
