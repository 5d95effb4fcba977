import { GatewayError, isGatewayError } from '@gateway/contracts';
import type { FastifyInstance } from 'fastify';

/**
 * Accepts JSON bodies only. An empty body counts as none: client libraries send the JSON header with DELETE too. `check`
 * throws for bytes that would keep the parser busy.
 */
export function readJsonBodies(fastify: FastifyInstance, check?: (body: Buffer) => void): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined);
    try {
      check?.(body);
      done(null, JSON.parse(body.toString('utf8')));
    } catch (error) {
      if (isGatewayError(error)) return done(error);
      done(new GatewayError('invalid_json', 'The request body is not valid JSON.'));
    }
  });
}
