import { GatewayError } from '@gateway/contracts';
import type { FastifyInstance } from 'fastify';

/** Accepts JSON bodies only. An empty body counts as none: client libraries send the JSON header with DELETE too. */
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
