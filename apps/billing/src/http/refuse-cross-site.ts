import { GatewayError } from '@gateway/contracts';
import type { FastifyRequest } from 'fastify';
import { bearerToken } from './bearer-token.js';

type Asked = Pick<FastifyRequest, 'method' | 'headers' | 'host'>;

const HARMLESS = ['GET', 'HEAD', 'OPTIONS'];
/** What browsers say of a request that our own pages made, or a person by typing. */
const OWN = ['same-origin', 'none'];

/**
 * Throws 403 for a change that a page of another origin asks for. Browsers send the session's cookie with it where that origin
 * is a sibling domain, whatever its `SameSite`. A program says neither where it comes from nor does it keep cookies for others, and
 * a bearer token is sent by nobody unknowingly: both pass. https://go.dev/pkg/net/http/#CrossOriginProtection
 */
export function refuseCrossSite({ method, headers, host }: Asked): void {
  if (HARMLESS.includes(method) || bearerToken(headers.authorization) !== undefined) return;
  const site = headers['sec-fetch-site'];
  const isOwn = typeof site === 'string' ? OWN.includes(site) : isOwnOrigin(headers.origin, host);
  if (isOwn) return;
  throw new GatewayError(
    'permission_denied',
    'A page of another origin asked for this change, and a cookie is not enough for that. Send the session token: Authorization: Bearer <token>.',
  );
}

/** Browsers from before 2023, and all of them over plain HTTP, say only `Origin`. Without it, it is no browser. */
function isOwnOrigin(origin: string | undefined, host: string): boolean {
  return origin === undefined || URL.parse(origin)?.host === host;
}
