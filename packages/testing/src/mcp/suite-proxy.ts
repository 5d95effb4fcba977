import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** The tool that is called in place of the one that a test suite names. */
export interface ToolCall {
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
export class SuiteProxy {
  private constructor(
    private readonly server: Server,
    private readonly target: URL,
    private readonly apiKey: string,
    private readonly tools: Readonly<Record<string, ToolCall>>,
  ) {}

  static async start(target: string, apiKey: string, tools: Readonly<Record<string, ToolCall>>): Promise<SuiteProxy> {
    const server = createServer((incoming, outgoing) => void proxy.#forward(incoming, outgoing));
    const proxy = new SuiteProxy(server, new URL(target), apiKey, tools);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${this.target.pathname}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  async #forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = this.#translate(await buffer(incoming));
    const headers = {
      ...incoming.headers,
      authorization: `Bearer ${this.apiKey}`,
      'content-length': String(body.length),
    };
    const { hostname, port } = this.target;
    const upstream = request({ hostname, port, path: incoming.url, method: incoming.method, headers });
    upstream.once('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    upstream.once('error', () => outgoing.destroy());
    outgoing.once('close', () => upstream.destroy());
    upstream.end(body);
  }

  #translate(bytes: Buffer): Buffer {
    if (bytes.length === 0) return bytes;
    const message = JSON.parse(bytes.toString('utf8')) as Message;
    const replacement = message.method === 'tools/call' ? this.tools[message.params?.name ?? ''] : undefined;
    if (replacement === undefined) return bytes;
    return Buffer.from(JSON.stringify({ ...message, params: { ...message.params, ...replacement } }));
  }
}
