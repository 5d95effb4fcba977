import { Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { UnknownDirective } from '../directives/directives.js';
import type { SimulatedFault, VendorFaults } from '../faults/vendor-faults.js';
import { credentialLabel } from '../journal/credential-label.js';
import type { Journal, JournalEntry } from '../journal/journal.js';
import type { ReceivedRequests } from '../journal/received-requests.js';
import { type Memory, type Persona, type Received, Refusal, type Route } from '../personas/persona.js';
import { Exchange } from './exchange.js';
import { playMade } from './play-made.js';
import { playReply } from './play-reply.js';

/** What the calls of all vendors share. */
export interface Desk {
  readonly journal: Journal;
  readonly requests: ReceivedRequests;
  readonly faults: VendorFaults;
  readonly memory: Memory;
}

const NO_BODY = Buffer.alloc(0);

const logger = new Logger('upstream-simulator');

type Handler = (request: FastifyRequest, reply: FastifyReply) => void;

const refusalOf = (persona: Persona, error: unknown): Refusal => {
  if (error instanceof Refusal) {
    return error;
  }
  if (error instanceof UnknownDirective) {
    return persona.errorOf({ status: 400, message: error.message });
  }
  logger.error(error);
  return persona.errorOf({ status: 500 });
};

const answer = (exchange: Exchange, persona: Persona, route: Route, received: Received, memory: Memory): void => {
  try {
    persona.checkCredential(received.credential);
    const reply = route.answer(received, memory);
    if (reply.kind === 'fixed') {
      exchange.send(200, reply.headers, reply.body, null);
    } else if (reply.kind === 'made') {
      playMade(exchange, persona, reply);
    } else {
      playReply(exchange, persona, reply);
    }
  } catch (error) {
    exchange.refuse(refusalOf(persona, error));
  }
};

const suffer = (exchange: Exchange, persona: Persona, fault: SimulatedFault, otherwise: () => void): void => {
  exchange.after(fault.delay_ms ?? 0, () => {
    if (fault.drop === true) {
      exchange.cut('', null);
    } else if (fault.status === undefined) {
      otherwise();
    } else {
      exchange.refuse(persona.errorOf({ status: fault.status }));
    }
  });
};

/** Answers below Fastify: the bytes, their timing and the death of the socket are what this app is about. */
export const handleCall = (vendor: Persona, route: Route, desk: Desk): Handler => {
  const persona: Persona = { ...vendor, ...route.errors };
  return (request, reply) => {
    reply.hijack();
    const query = request.query as Received['query'];
    const credential = persona.credentialOf(request.headers, query);
    const body = Buffer.isBuffer(request.body) ? request.body : NO_BODY;
    const [path = request.url] = request.url.split('?', 1);
    const entry: JournalEntry = desk.journal.open({
      vendor: persona.vendor,
      protocol: route.protocol,
      method: request.method,
      path,
      credential: credentialLabel(credential),
    });
    const { rawHeaders } = request.raw;
    desk.requests.add({ seq: entry.seq, method: request.method, path: request.url, rawHeaders, body });
    const exchange = new Exchange(reply.raw, entry);
    const received: Received = {
      headers: request.headers,
      params: request.params as Received['params'],
      query,
      body,
      credential,
      note: entry,
    };
    const proceed = (): void => answer(exchange, persona, route, received, desk.memory);
    const fault = desk.faults.strike(persona.vendor, route.protocol);
    if (fault === undefined) {
      proceed();
    } else {
      suffer(exchange, persona, fault, proceed);
    }
  };
};
