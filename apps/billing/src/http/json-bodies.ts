import { GatewayError } from '@gateway/contracts';
import type { FastifyInstance } from 'fastify';

/** JSON and nothing else. An empty body is no body: client libraries send the header with DELETE too. */
export function readJsonBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    try {
      done(null, JSON.parse(body.toString()));
    } catch {
      done(new GatewayError('invalid_json', 'The request body is not valid JSON.'));
    }
  });
}
