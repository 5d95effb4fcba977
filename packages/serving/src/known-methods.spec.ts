import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import createFastify, { type FastifyInstance } from 'fastify';
import { knownMethods } from './known-methods.js';

describe('knownMethods', () => {
  let fastify: FastifyInstance;

  beforeEach(() => {
    fastify = createFastify();
    const methods = knownMethods(fastify);
    fastify.addHook('onRequest', async (request, reply) => {
      if (request.is404) methods.refuseOthers(request, reply);
    });
    fastify.setErrorHandler((error: Error & { code?: string }, _request, reply) => reply.code(405).send(error.code));
    fastify.post('/things', async () => 'made');
    fastify.get('/things/:id', async () => 'one');
    fastify.delete('/things/:id', async () => 'gone');
  });

  afterEach(() => fastify.close());

  it.each([
    ['GET', '/things', 405, 'POST'],
    ['PUT', '/things?a=/b', 405, 'POST'],
    ['POST', '/things/5', 405, 'DELETE, GET, HEAD'],
    ['POST', '/things', 200, undefined],
    ['HEAD', '/things/5', 200, undefined],
    ['POST', '/things/', 404, undefined],
    ['POST', '/things/5/6', 404, undefined],
    ['POST', '/thing', 404, undefined],
  ] as const)('responds to %s %s with %i', async (method, url, status, allow) => {
    const response = await fastify.inject({ method, url });
    expect([response.statusCode, response.headers.allow]).toEqual([status, allow]);
    if (status === 405) expect(response.body).toBe('method_not_allowed');
  });
});
