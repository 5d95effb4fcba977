import type { FastifyRequest } from 'fastify';

const PAGE_HEADERS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' } as const;
const PREFLIGHT_SECONDS = 7_200;

/**
 * What lets a page in a browser read an answer; nothing for programs. Any page may: the key is all that the gateway goes by,
 * a browser adds none by itself, and there are no cookies here.
 */
export const pageHeaders = ({ headers }: FastifyRequest): Readonly<Record<string, string>> =>
  headers.origin === undefined ? {} : PAGE_HEADERS;

/** The question that a browser asks, without a key, before it lets a page send one. */
export const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;

/** Yes, with whatever headers the page wants: client libraries have many of their own. `allow`: the methods of the path. */
export const preflightHeaders = ({ headers }: FastifyRequest, allow: string): Readonly<Record<string, string>> => ({
  'access-control-allow-methods': allow,
  'access-control-allow-headers': headers['access-control-request-headers'] ?? '',
  'access-control-max-age': String(PREFLIGHT_SECONDS),
});
