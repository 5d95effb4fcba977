import type { FastifyRequest } from 'fastify';
import type { Exchange } from './caller.js';

const exchanges = new WeakMap<FastifyRequest, Exchange>();

/** Set once by the hook that authenticates, before the body is read. */
export const setExchange = (request: FastifyRequest, exchange: Exchange): void => {
  exchanges.set(request, exchange);
};

/** Throws if the protocol was reached without authentication: a mistake of ours, never an answer. */
export function exchangeOf(request: FastifyRequest): Exchange {
  const exchange = exchanges.get(request);
  if (exchange === undefined) throw new Error(`${request.url} was reached without authentication`);
  return exchange;
}
