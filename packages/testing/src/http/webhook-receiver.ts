import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedWebhook {
  readonly atMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly path: string;
}

type Answer = (response: ServerResponse, received: ReceivedWebhook) => void;

/** A customer's server: records requests, and responds as configured. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  answer: Answer = (response) => response.writeHead(204).end();
  /** Requests without a response: now, and at most. */
  open = 0;
  mostOpen = 0;
  #waiting: (() => void)[] = [];

  private constructor(private readonly server: Server) {}

  static async open(): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response) => void receiver.#take(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  /** Resolves when `count` requests have arrived in total. */
  async until(count: number): Promise<void> {
    while (this.received.length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.open += 1;
    this.mostOpen = Math.max(this.mostOpen, this.open);
    response.on('close', () => {
      this.open -= 1;
    });
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const headers = request.headers as Record<string, string>;
    const received = { atMs: Date.now(), headers, body: Buffer.concat(pieces).toString(), path: request.url ?? '' };
    this.received.push(received);
    this.answer(response, received);
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
