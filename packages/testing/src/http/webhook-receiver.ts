import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedWebhook {
  readonly atMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly path: string;
}

type Respond = (response: ServerResponse, received: ReceivedWebhook) => void;

/** A customer's server: records requests, and responds as configured. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  respond: Respond = (response) => response.writeHead(204).end();
  /** Requests without a response: now, and at most. */
  open = 0;
  mostOpen = 0;
  #waiters: (() => void)[] = [];

  private constructor(private readonly server: Server) {}

  static async open(): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response) => void receiver.#receive(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  /** Resolves when `count` requests have arrived in total. */
  async until(count: number): Promise<void> {
    while (this.received.length < count) await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.open += 1;
    this.mostOpen = Math.max(this.mostOpen, this.open);
    response.on('close', () => {
      this.open -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = request.headers as Record<string, string>;
    const received = { atMs: Date.now(), headers, body: Buffer.concat(chunks).toString(), path: request.url ?? '' };
    this.received.push(received);
    this.respond(response, received);
    for (const wake of this.#waiters.splice(0)) wake();
  }
}
