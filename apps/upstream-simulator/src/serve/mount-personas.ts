import type { FastifyInstance } from 'fastify';
import { PERSONAS } from '../personas/index.js';
import type { Persona, Route } from '../personas/persona.js';
import { type Desk, handleCall } from './handle-call.js';

const METHODS = ['GET', 'POST', 'DELETE'] as const;

const notFoundRoute = (persona: Persona, method: Route['method']): Route => ({
  method,
  path: '/*',
  protocol: 'none',
  answer: (received) => {
    throw persona.unknownRoute(method, `/${received.params['*'] ?? ''}`);
  },
});

/** Every vendor on its own prefix; what a vendor does not have, it refuses itself. */
export const mountPersonas = (fastify: FastifyInstance, desk: Desk): void => {
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  for (const persona of PERSONAS) {
    const nowhere = METHODS.map((method) => notFoundRoute(persona, method));
    const routes = [...persona.routes, ...nowhere];
    for (const route of routes) {
      fastify.route({
        method: route.method,
        url: `/${persona.vendor}${route.path}`,
        handler: handleCall(persona, route, desk),
      });
    }
  }
};
