import type { ForwardedRequest } from '@gateway/contracts';
import type { FastifyRequest } from 'fastify';

const VERSIONING = new Set(['anthropic-version', 'anthropic-beta']);
/** Ids by which a coding assistant's own vendor follows a session through its calls. */
const SESSION = /^x-claude-code-[a-z-]+$/;
const BETA = new Set(['true', 'false', '1', '0']);

/**
 * What of a client's request the vendor of its format has to see: which version and betas it speaks. Nothing else goes
 * on: other headers speak of the way to us, or of the client's key.
 */
export function forwardedRequest({ headers, query }: FastifyRequest): ForwardedRequest {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && (VERSIONING.has(name) || SESSION.test(name))) kept[name] = value;
  }
  const { beta } = query as Record<string, unknown>;
  return { headers: kept, query: typeof beta === 'string' && BETA.has(beta) ? `?beta=${beta}` : '' };
}
