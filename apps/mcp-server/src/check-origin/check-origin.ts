import { GatewayError } from '@gateway/contracts';
import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';

export interface AllowedNames {
  /** Undefined: any. */
  readonly allowedHosts: readonly string[] | undefined;
  readonly allowedOrigins: readonly string[];
}

interface Headers {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
}

/**
 * Keeps pages out that reach this server from a person's browser by a name of their own (DNS rebinding). A program sends
 * no origin. Throws 403.
 */
export function checkOrigin({ host, origin }: Headers, { allowedHosts, allowedOrigins }: AllowedNames): void {
  if (allowedHosts !== undefined && !validateHostHeader(host, [...allowedHosts]).ok) {
    throw new GatewayError('permission_denied', 'This server does not answer by that name: see MCP_ALLOWED_HOSTS.');
  }
  if (!validateOriginHeader(origin, [...allowedOrigins]).ok) {
    throw new GatewayError(
      'permission_denied',
      'Pages of that origin may not call this server: see MCP_ALLOWED_ORIGINS.',
    );
  }
}

const EXPOSED = 'mcp-session-id, www-authenticate, x-request-id';
const READABLE =
  'authorization, content-type, accept, last-event-id, traceparent, x-mcp-tools, x-max-cost-usd, ' +
  'mcp-session-id, mcp-protocol-version, mcp-method, mcp-name';

/** What a browser wants to be told before it lets a page of an allowed origin call; nothing for programs. */
export function originHeaders(origin: string | undefined): Readonly<Record<string, string>> {
  if (origin === undefined) return {};
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED, vary: 'origin' };
}

/** The same, for the question that a browser asks first. */
export const preflightHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': READABLE,
  'access-control-max-age': '600',
};
