import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** The tool that is called in place of the one that a test suite names. */
export interface Meant {
  readonly name: string;
  readonly arguments: object;
}

interface Message {
  readonly method?: string;
  readonly params?: { readonly name?: string };
}

/**
 * A proxy for a test suite that sends no key and calls tools of its own. It adds the key, translates the tool calls,
 * and passes everything else unchanged, the host name included.
 */
export class StandIn {
  private constructor(
    private readonly server: Server,
    private readonly target: URL,
    private readonly apiKey: string,
    private readonly tools: Readonly<Record<string, Meant>>,
  ) {}

  static async start(target: string, apiKey: string, tools: Readonly<Record<string, Meant>>): Promise<StandIn> {
    const server = createServer((incoming, outgoing) => void standIn.#pass(incoming, outgoing));
    const standIn = new StandIn(server, new URL(target), apiKey, tools);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return standIn;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${this.target.pathname}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = this.#translate(await buffer(incoming));
    const headers = {
      ...incoming.headers,
      authorization: `Bearer ${this.apiKey}`,
      'content-length': String(body.length),
    };
    const { hostname, port } = this.target;
    const asked = request({ hostname, port, path: incoming.url, method: incoming.method, headers });
    asked.once('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    asked.once('error', () => outgoing.destroy());
    outgoing.once('close', () => asked.destroy());
    asked.end(body);
  }

  #translate(bytes: Buffer): Buffer {
    if (bytes.length === 0) return bytes;
    const message = JSON.parse(bytes.toString('utf8')) as Message;
    const meant = message.method === 'tools/call' ? this.tools[message.params?.name ?? ''] : undefined;
    if (meant === undefined) return bytes;
    return Buffer.from(JSON.stringify({ ...message, params: { ...message.params, ...meant } }));
  }
}
