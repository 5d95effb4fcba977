import { knownMethods, refuseEncodedBody } from '@gateway/serving';
import type { FastifyInstance } from 'fastify';
import { refuseCrossSite } from './refuse-cross-site.js';
import { refuseNulInPath } from './refuse-nul-in-path.js';

/** Adds the headers of every response, and the checks that run before any guard. */
export function checkRequests(fastify: FastifyInstance): void {
  const methods = knownMethods(fastify);
  fastify.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    // Responses contain balances, keys and tokens: no cache may store them.
    reply.header('cache-control', 'no-store');
    if (request.is404) methods.refuseOthers(request, reply);
    refuseCrossSite(request);
    refuseNulInPath(request);
    refuseEncodedBody(request.headers);
  });
}
