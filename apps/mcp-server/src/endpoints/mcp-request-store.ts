import type { FastifyRequest } from 'fastify';
import type { McpRequest } from '../gateway.js';

const mcpRequests = new WeakMap<FastifyRequest, McpRequest>();

/** The authentication hook stores the request before the body is read. */
export const setMcpRequest = (request: FastifyRequest, mcpRequest: McpRequest): void => {
  mcpRequests.set(request, mcpRequest);
};

/** Throws if a handler runs without authentication: a bug in the hook. */
export function mcpRequestOf(request: FastifyRequest): McpRequest {
  const mcpRequest = mcpRequests.get(request);
  if (mcpRequest === undefined) throw new Error(`${request.url} was reached without authentication`);
  return mcpRequest;
}
