import { GatewayError } from '@gateway/contracts';
import type { FastifyRequest } from 'fastify';

/** Throws 404 for an id with the character NUL: nothing is called so, and PostgreSQL will not even look for it. */
export function refuseNulInPath({ params }: Pick<FastifyRequest, 'params'>): void {
  const isStrange = Object.values(params as Record<string, string>).some((value) => value.includes('\0'));
  if (isStrange) throw new GatewayError('not_found', 'There is nothing with such an id.');
}
