import { GatewayError } from '@gateway/contracts';
import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';

export interface AllowedNames {
  /** Undefined: every host. */
  readonly allowedHosts: readonly string[] | undefined;
  readonly allowedOrigins: readonly string[];
}

interface Headers {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
}

/**
 * Blocks DNS rebinding: a web page must not reach this server through an attacker's host name. Programs send no origin.
 * Throws 403.
 */
export function checkOrigin({ host, origin }: Headers, { allowedHosts, allowedOrigins }: AllowedNames): void {
  if (allowedHosts !== undefined && !validateHostHeader(host, [...allowedHosts]).ok) {
    throw new GatewayError('permission_denied', 'This server does not accept that host name: see MCP_ALLOWED_HOSTS.');
  }
  if (!validateOriginHeader(origin, [...allowedOrigins]).ok) {
    throw new GatewayError(
      'permission_denied',
      'Pages of that origin may not call this server: see MCP_ALLOWED_ORIGINS.',
    );
  }
}

const EXPOSED_HEADERS = 'mcp-session-id, www-authenticate, x-request-id';
const ALLOWED_HEADERS =
  'authorization, content-type, accept, last-event-id, traceparent, x-mcp-tools, x-max-cost-usd, ' +
  'mcp-session-id, mcp-protocol-version, mcp-method, mcp-name';

/** CORS headers for a page of an allowed origin. Empty for programs. */
export function originHeaders(origin: string | undefined): Readonly<Record<string, string>> {
  if (origin === undefined) return {};
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED_HEADERS, vary: 'origin' };
}

/** CORS headers for a preflight request. */
export const preflightHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': ALLOWED_HEADERS,
  'access-control-max-age': '600',
};
