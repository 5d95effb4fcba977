import { GatewayError } from '@gateway/contracts';
import { parseBearerToken } from '@gateway/serving';
import type { FastifyRequest } from 'fastify';

type CheckedRequest = Pick<FastifyRequest, 'method' | 'headers' | 'host'>;

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];
/** The `sec-fetch-site` of requests from the same origin, and of addresses that a person typed. */
const OWN_SITES = ['same-origin', 'none'];

/**
 * Throws 403 for a change by a page of another origin. A browser sends the session cookie from a sibling domain too,
 * despite `SameSite`. Programs without these headers pass, and so do bearer tokens: a browser never adds one by itself.
 * https://go.dev/pkg/net/http/#CrossOriginProtection
 */
export function refuseCrossSite({ method, headers, host }: CheckedRequest): void {
  if (SAFE_METHODS.includes(method) || parseBearerToken(headers.authorization) !== undefined) return;
  const site = headers['sec-fetch-site'];
  const isOwn = typeof site === 'string' ? OWN_SITES.includes(site) : isOwnOrigin(headers.origin, host);
  if (isOwn) return;
  throw new GatewayError(
    'permission_denied',
    'A page of another origin sent this change with a cookie. Send the session token instead: Authorization: Bearer <token>.',
  );
}

/** Browsers from before 2023, and all browsers over plain HTTP, send only `Origin`. A client without it is no browser. */
function isOwnOrigin(origin: string | undefined, host: string): boolean {
  return origin === undefined || URL.parse(origin)?.host === host;
}
