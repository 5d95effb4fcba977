import type { FastifyRequest } from 'fastify';

/** Clients of the native messages format send its version with every request. */
export const usesMessagesFormat = (http: Pick<FastifyRequest, 'headers'>): boolean =>
  http.headers['anthropic-version'] !== undefined;
