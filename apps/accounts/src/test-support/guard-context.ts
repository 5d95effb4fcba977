import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** A request with these headers, as a guard receives it. */
export function guardContext(headers: Record<string, string> = {}) {
  const request = { headers, cookies: {} } as unknown as FastifyRequest;
  const context = { switchToHttp: () => ({ getRequest: () => request }) } as unknown as ExecutionContext;
  return { request, context };
}
