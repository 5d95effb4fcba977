import type { ForwardedRequest } from '@gateway/contracts';
import type { FastifyRequest } from 'fastify';

const VERSION_HEADERS = new Set(['anthropic-version', 'anthropic-beta']);
/** Session ids of the vendor's own coding assistant. */
const SESSION_HEADER = /^x-claude-code-[a-z-]+$/;
const BETA_VALUES = new Set(['true', 'false', '1', '0']);

/** Selects the headers and query for the upstream: protocol version, betas, session. */
export function forwardedRequest({ headers, query }: FastifyRequest): ForwardedRequest {
  const forwarded: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && (VERSION_HEADERS.has(name) || SESSION_HEADER.test(name))) forwarded[name] = value;
  }
  const { beta } = query as Record<string, unknown>;
  return { headers: forwarded, query: typeof beta === 'string' && BETA_VALUES.has(beta) ? `?beta=${beta}` : '' };
}
