import { describe, expect, it } from '@jest/globals';
import { checkOrigin } from './check-origin.js';

const names = { allowedHosts: ['localhost', '127.0.0.1', '[::1]'], allowedOrigins: ['app.example'] };

describe('who may call from where', () => {
  it.each([
    [{ host: 'localhost:8085' }],
    [{ host: '[::1]:8085' }],
    [{ host: '127.0.0.1', origin: 'https://app.example' }],
    [{ host: '127.0.0.1', origin: 'http://app.example:3000' }],
  ])('lets %j in', (headers) => {
    expect(() => checkOrigin(headers, names)).not.toThrow();
  });

  it.each([
    [{ host: 'evil.example' }],
    [{ host: 'localhost.evil.example' }],
    [{}],
    [{ host: 'localhost', origin: 'https://evil.example' }],
    [{ host: 'localhost', origin: 'null' }],
    [{ host: 'localhost', origin: 'https://app.example.evil.example' }],
  ])('keeps %j out', (headers) => {
    expect(() => checkOrigin(headers, names)).toThrow(expect.objectContaining({ code: 'permission_denied' }));
  });

  it('asks for no name where none is set', () => {
    expect(() => checkOrigin({ host: 'gateway.example' }, { ...names, allowedHosts: undefined })).not.toThrow();
  });
});
