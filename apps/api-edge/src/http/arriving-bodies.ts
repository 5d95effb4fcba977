import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Slab } from '@gateway/collections';
import { refuseConnection } from '@gateway/serving';

export interface ArrivalRules {
  /** For a body to arrive. */
  readonly withinMs: number;
  /** An upload that is faster, on average after that time, may take longer. */
  readonly uploadBytesPerSecond: number;
  readonly checkEveryMs: number;
}

/** A file of 512 MB may come over 262 kbit/s; a drip ends after a minute, as any other body. */
const RULES: ArrivalRules = { withinMs: 60_000, uploadBytesPerSecond: 32 * 1024, checkEveryMs: 5_000 };

interface Arrival {
  /** In the slab. */
  place: number;
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  /** The message forgets it when its response ends. */
  readonly socket: Socket;
  readonly startedAtMs: number;
  readonly bytesBefore: number;
}

/**
 * Ends connections whose body takes too long. Node has one time for all requests; the time of an upload depends on its
 * length. One timer checks all of them.
 */
export class ArrivingBodies {
  readonly #arrivals = new Slab<Arrival>();

  constructor(private readonly rules: ArrivalRules = RULES) {}

  /** Replaces the server's own time limit for bodies. */
  watch(server: Server): void {
    server.requestTimeout = 0;
    server.on('request', (message, response) => this.#add(message, response));
    const timer = setInterval(() => this.#check(), this.rules.checkEveryMs).unref();
    server.once('close', () => clearInterval(timer));
  }

  get count(): number {
    return this.#arrivals.size;
  }

  #add(message: IncomingMessage, response: ServerResponse): void {
    const { headers, socket } = message;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
    const arrival = { place: 0, message, response, socket, startedAtMs: Date.now(), bytesBefore: socket.bytesRead };
    arrival.place = this.#arrivals.insert(arrival);
    // A response may end before the body does: the check ends such a body.
    message.once('close', () => {
      if (message.complete) this.#arrivals.remove(arrival.place, arrival);
    });
  }

  #check(): void {
    const nowMs = Date.now();
    for (const arrival of this.#arrivals) {
      const isOver = arrival.message.complete || arrival.socket.destroyed;
      if (!isOver && nowMs - arrival.startedAtMs <= this.#allowedMs(arrival)) continue;
      this.#arrivals.remove(arrival.place, arrival);
      if (!isOver) refuse(arrival);
    }
  }

  #allowedMs({ message, socket, bytesBefore }: Arrival): number {
    const { withinMs, uploadBytesPerSecond } = this.rules;
    if (!isUpload(message)) return withinMs;
    return withinMs + ((socket.bytesRead - bytesBefore) / uploadBytesPerSecond) * 1_000;
  }
}

/** Forms go to the disk. Any other body is held in memory meanwhile. */
const isUpload = ({ headers }: IncomingMessage): boolean =>
  headers['content-type']?.startsWith('multipart/form-data') === true;

/** 408, unless a response has begun on this connection. */
function refuse({ response, socket }: Arrival): void {
  if (response.headersSent) socket.destroy();
  else refuseConnection(Object.assign(new Error('body too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
}
