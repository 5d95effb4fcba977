import { GatewayError } from '@gateway/contracts';
import { knownMethods, refuseEncodedBody, refuseRepeatedHost } from '@gateway/serving';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Adds the headers of every response, and the checks that run before any guard. */
export function checkRequests(fastify: FastifyInstance): void {
  const methods = knownMethods(fastify);
  fastify.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    // Responses contain balances, keys and tokens: no cache may store them.
    reply.header('cache-control', 'no-store');
    refuseRepeatedHost(request.raw);
    if (request.is404) methods.refuseOthers(request, reply);
    refuseNulInPath(request);
    refuseEncodedBody(request.headers);
  });
}

/** Throws 404 for an id with the character NUL: no id contains it, and PostgreSQL rejects it. */
function refuseNulInPath({ params }: Pick<FastifyRequest, 'params'>): void {
  const hasNul = Object.values(params as Record<string, string>).some((value) => value.includes('\0'));
  if (hasNul) throw new GatewayError('not_found', 'There is nothing with such an id.');
}
