import { Logger } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { UnknownDirective } from '../directives/directives.js';
import type { SimulatedFault, VendorFaults } from '../faults/vendor-faults.js';
import { credentialLabel, type Journal, type JournalEntry } from '../journal/journal.js';
import type { ReceivedRequests } from '../journal/received-requests.js';
import { VENDORS } from '../vendors/index.js';
import {
  type IncomingRequest,
  type Memory,
  Refusal,
  type Route,
  type VendorEmulator,
} from '../vendors/vendor-emulator.js';
import { Exchange } from './exchange.js';
import { sendRendered } from './send-rendered.js';
import { sendCompletion } from './stream-completion.js';

export interface SharedState {
  readonly journal: Journal;
  readonly requests: ReceivedRequests;
  readonly faults: VendorFaults;
  readonly memory: Memory;
  readonly maxWaitMs: number;
}

const NO_BODY = Buffer.alloc(0);
const logger = new Logger('upstream-simulator');
type Handler = (request: FastifyRequest, reply: FastifyReply) => void;

const refusalOf = (emulator: VendorEmulator, error: unknown): Refusal => {
  if (error instanceof Refusal) return error;
  if (error instanceof UnknownDirective) return emulator.errorOf({ status: 400, message: error.message });
  logger.error(error);
  return emulator.errorOf({ status: 500 });
};

const handle = (
  exchange: Exchange,
  emulator: VendorEmulator,
  route: Route,
  incoming: IncomingRequest,
  memory: Memory,
): void => {
  try {
    emulator.checkCredential(incoming.credential);
    const reply = route.handle(incoming, memory);
    if (reply.kind !== 'fixed') incoming.record.tag = reply.directives.tag;
    if (reply.kind === 'fixed') {
      exchange.send(200, reply.headers, reply.body, null);
    } else if (reply.kind === 'rendered') {
      sendRendered(exchange, emulator, reply);
    } else {
      sendCompletion(exchange, emulator, reply);
    }
  } catch (error) {
    exchange.refuse(refusalOf(emulator, error));
  }
};

const applyFault = (exchange: Exchange, emulator: VendorEmulator, fault: SimulatedFault, otherwise: () => void) => {
  exchange.after(fault.delay_ms ?? 0, () => {
    if (fault.drop === true) {
      exchange.cut('', null);
    } else if (fault.status === undefined) {
      otherwise();
    } else {
      exchange.refuse(emulator.errorOf({ status: fault.status }));
    }
  });
};

/** Bypasses Fastify: this app controls bytes, timing and socket errors. */
const handleCall = (vendor: VendorEmulator, route: Route, shared: SharedState): Handler => {
  const emulator: VendorEmulator = { ...vendor, ...route.errors };
  return (request, reply) => {
    reply.hijack();
    const query = request.query as IncomingRequest['query'];
    const credential = emulator.credentialOf(request.headers, query);
    const body = Buffer.isBuffer(request.body) ? request.body : NO_BODY;
    const [path = request.url] = request.url.split('?', 1);
    const entry: JournalEntry = shared.journal.open({
      vendor: emulator.vendor,
      protocol: route.protocol,
      method: request.method,
      path,
      credential: credentialLabel(credential),
    });
    const { rawHeaders } = request.raw;
    shared.requests.add({ seq: entry.seq, method: request.method, path: request.url, rawHeaders, body });
    const exchange = new Exchange(reply.raw, entry, shared.maxWaitMs);
    const incoming: IncomingRequest = {
      headers: request.headers,
      params: request.params as IncomingRequest['params'],
      query,
      body,
      credential,
      record: entry,
    };
    const proceed = (): void => handle(exchange, emulator, route, incoming, shared.memory);
    const fault = shared.faults.strike(emulator.vendor, route.protocol);
    if (fault === undefined) {
      proceed();
    } else {
      applyFault(exchange, emulator, fault, proceed);
    }
  };
};

const METHODS = ['GET', 'POST', 'DELETE'] as const;

const notFoundRoute = (emulator: VendorEmulator, method: Route['method']): Route => ({
  method,
  path: '/*',
  protocol: 'none',
  handle: (incoming) => {
    throw emulator.unknownRoute(method, `/${incoming.params['*'] ?? ''}`);
  },
});

/** Mounts every vendor on its prefix, with its own error for unknown paths. */
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
