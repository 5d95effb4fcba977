import { describe, expect, it } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { preflightHeaders } from './cors.js';

const preflight = {
  headers: {
    origin: 'https://app.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  },
} as unknown as FastifyRequest;

describe('preflightHeaders', () => {
  it.each([
    ['the methods of a known path', 'GET, HEAD', 'GET, HEAD'],
    ['on an unknown path the requested method, so that the page reads the 404', '', 'POST'],
  ])('allow the requested headers and %s', (_what, allow, methods) => {
    expect(preflightHeaders(preflight, allow)).toMatchObject({
      'access-control-allow-methods': methods,
      'access-control-allow-headers': 'authorization',
    });
  });
});
