import type { FastifyRequest } from 'fastify';
import type { Exchange } from '../gateway.js';

const exchanges = new WeakMap<FastifyRequest, Exchange>();

/** The authentication hook stores the exchange before the body is read. */
export const setExchange = (request: FastifyRequest, exchange: Exchange): void => {
  exchanges.set(request, exchange);
};

/** Throws if a handler runs without authentication: a bug in the hook. */
export function exchangeOf(request: FastifyRequest): Exchange {
  const exchange = exchanges.get(request);
  if (exchange === undefined) throw new Error(`${request.url} was reached without authentication`);
  return exchange;
}
