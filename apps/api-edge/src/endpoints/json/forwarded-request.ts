import type { Changes, ForwardedRequest } from '@gateway/contracts';
import { knownBetas } from '@gateway/intake';
import type { FastifyRequest } from 'fastify';

const VERSION = 'anthropic-version';
const BETAS = 'anthropic-beta';
/** Session ids of the vendor's own coding assistant. */
const SESSION_HEADER = /^x-claude-code-[a-z-]+$/;
const BETA_VALUES = new Set(['true', 'false', '1', '0']);

/** Selects the headers and query for the upstream: protocol version, known betas, session. Reports the dropped betas. */
export function forwardedRequest({ headers, query }: FastifyRequest): {
  readonly forward: ForwardedRequest;
  readonly changes: Changes;
} {
  const forwarded: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && (name === VERSION || SESSION_HEADER.test(name))) forwarded[name] = value;
  }
  const given = headers[BETAS];
  const betas = knownBetas(typeof given === 'string' ? given : undefined);
  if (betas.header !== undefined) forwarded[BETAS] = betas.header;
  const { beta } = query as Record<string, unknown>;
  return {
    forward: { headers: forwarded, query: typeof beta === 'string' && BETA_VALUES.has(beta) ? `?beta=${beta}` : '' },
    changes: betas.changes,
  };
}
