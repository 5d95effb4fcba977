import type { RequestId } from '@gateway/contracts';
import type { FastifyRequest } from 'fastify';
import type { Caller } from './edge-request.js';

const callers = new WeakMap<FastifyRequest, Caller>();

/** Set once by the hook that authenticates, before the body is read. */
export const setCaller = (request: FastifyRequest, caller: Caller): void => {
  callers.set(request, caller);
};

/** Throws if a route was reached without authentication: a mistake of ours, never an answer. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (caller === undefined) throw new Error(`${request.url} was reached without authentication`);
  return caller;
}

export const requestIdOf = (request: FastifyRequest): RequestId => request.id as RequestId;
