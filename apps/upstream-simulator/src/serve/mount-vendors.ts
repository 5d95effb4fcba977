import type { FastifyInstance } from 'fastify';
import { VENDORS } from '../vendors/index.js';
import type { Route, VendorEmulator } from '../vendors/vendor-emulator.js';
import { handleCall, type SharedState } from './handle-call.js';

const METHODS = ['GET', 'POST', 'DELETE'] as const;

const notFoundRoute = (emulator: VendorEmulator, method: Route['method']): Route => ({
  method,
  path: '/*',
  protocol: 'none',
  handle: (incoming) => {
    throw emulator.unknownRoute(method, `/${incoming.params['*'] ?? ''}`);
  },
});

/** Every vendor on its own prefix; what a vendor does not have, it refuses itself. */
export const mountVendors = (fastify: FastifyInstance, shared: SharedState): void => {
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  for (const emulator of VENDORS) {
    const nowhere = METHODS.map((method) => notFoundRoute(emulator, method));
    const routes = [...emulator.routes, ...nowhere];
    for (const route of routes) {
      fastify.route({
        method: route.method,
        url: `/${emulator.vendor}${route.path}`,
        handler: handleCall(emulator, route, shared),
      });
    }
  }
};
