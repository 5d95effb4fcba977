import type { FastifyRequest } from 'fastify';

const CORS_HEADERS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' } as const;
const PREFLIGHT_MAX_AGE_SECONDS = 7_200;

/**
 * CORS headers, for requests with an `Origin` only. Every origin is allowed: the API key is the only credential, and a
 * browser does not add it by itself.
 */
export const corsHeaders = ({ headers }: FastifyRequest): Readonly<Record<string, string>> =>
  headers.origin === undefined ? {} : CORS_HEADERS;

/** A browser sends a preflight without a key, before it lets a page send the real request. */
export const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;

/**
 * Allows all requested headers, because client libraries add many of their own. `allow`: the path's methods. An unknown path
 * has none and allows the requested one: otherwise the browser hides the 404, which names the right base URL.
 */
export const preflightHeaders = ({ headers }: FastifyRequest, allow: string): Readonly<Record<string, string>> => ({
  'access-control-allow-methods': allow === '' ? (headers['access-control-request-method'] ?? '') : allow,
  'access-control-allow-headers': headers['access-control-request-headers'] ?? '',
  'access-control-max-age': String(PREFLIGHT_MAX_AGE_SECONDS),
});
