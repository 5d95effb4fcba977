import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GatewayError } from '@gateway/contracts';
import type { FastifyInstance } from 'fastify';
import { OpenConnections } from './open-connections.js';

/** Routes for operators and for our own services. Probes of health are harmless, and stay on both ports. */
const OPERATOR_ROUTE = /^\/(metrics|admin|internal)(\/|$)/;

export interface OperatorAddress {
  readonly host: string;
  /** Undefined, in development only: there is no second port, and the public one serves all routes. */
  readonly port: number | undefined;
}

/**
 * A second port of a service. Only it serves metrics, administration and internal routes; the public port does not know
 * them, whatever a proxy in front of it forwards.
 */
export class OperatorServer {
  readonly #server: Server | undefined;
  readonly #connections: OpenConnections | undefined;

  /** Create it before any other hook is added: it decides first. */
  constructor(
    fastify: FastifyInstance,
    private readonly address: OperatorAddress,
  ) {
    if (address.port === undefined) return;
    const server = createServer((request, response) => fastify.routing(request, response));
    this.#server = server;
    this.#connections = new OpenConnections(server);
    fastify.addHook('onRequest', (request, _reply, done) => {
      const isOperators = OPERATOR_ROUTE.test(request.routeOptions.url ?? '');
      const { port } = (server.address() ?? {}) as Partial<AddressInfo>;
      if (!isOperators || request.socket.localPort === port) done();
      else done(notFound());
    });
  }

  /** Resolves to the port. Call it once the service is ready to serve. */
  async listen(): Promise<number | undefined> {
    if (this.#server === undefined) return undefined;
    this.#server.listen(this.address.port, this.address.host);
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  /** Accepts no new connections, and waits up to `withinMs` for the open ones. */
  async end(withinMs: number): Promise<void> {
    if (this.#server?.listening === true) await this.#connections?.end(withinMs);
  }

  close(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }
}

/** With a status for routes of libraries, whose errors no filter renders. */
const notFound = (): Error =>
  Object.assign(new GatewayError('not_found', 'There is no such route.'), { statusCode: 404 });
