import type { FastifyInstance } from 'fastify';

/** Hands the body of a CSV upload over as a stream: its route reads it, after the guards have admitted the caller. */
export function readCsvBodies(fastify: FastifyInstance): void {
  fastify.addContentTypeParser('text/csv', (_request, payload, done) => done(null, payload));
}
