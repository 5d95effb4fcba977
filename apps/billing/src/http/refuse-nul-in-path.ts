import { GatewayError } from '@gateway/contracts';
import type { FastifyRequest } from 'fastify';

/** Throws 404 for an id with the character NUL: no id contains it, and PostgreSQL rejects it. */
export function refuseNulInPath({ params }: Pick<FastifyRequest, 'params'>): void {
  const hasNul = Object.values(params as Record<string, string>).some((value) => value.includes('\0'));
  if (hasNul) throw new GatewayError('not_found', 'There is nothing with such an id.');
}
