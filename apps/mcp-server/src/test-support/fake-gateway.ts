import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly json: Record<string, unknown>;
}

export interface FakeResponse {
  readonly status?: number;
  readonly json?: object;
  readonly bytes?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A fixed response, or a function. A function that returns undefined writes to `raw` itself. */
type Handler =
  | FakeResponse
  | ((request: ReceivedRequest, raw: ServerResponse) => FakeResponse | Promise<FakeResponse> | undefined);

const NOT_FOUND: FakeResponse = {
  status: 404,
  json: { error: { message: 'There is no such route.', type: 'invalid_request_error', code: 'not_found' } },
};

const parse = (bytes: Buffer): Record<string, unknown> => {
  try {
    return JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
  } catch {
    return {};
  }
};

/** Fake of the gateway and its account interface: records requests and responds as configured. */
export class FakeGateway {
  readonly requests: ReceivedRequest[] = [];
  /** Requests whose client disconnected before the response ended. */
  abortedCount = 0;
  readonly #handlers = new Map<string, Handler>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FakeGateway> {
    const server = createServer((request, response) => void fake.#serve(request, response));
    const fake = new FakeGateway(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** `route` is a method and a path without its query, such as `GET /v1/models`. */
  on(route: string, handler: Handler): void {
    this.#handlers.set(route, handler);
  }

  requestsTo(path: string): ReceivedRequest[] {
    return this.requests.filter((request) => request.path.split('?')[0] === path);
  }

  reset(): void {
    this.requests.length = 0;
    this.abortedCount = 0;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  async #serve(incoming: IncomingMessage, raw: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = incoming;
    const bytes = await buffer(incoming);
    const request = { method, path, headers, bytes, json: parse(bytes) };
    this.requests.push(request);
    raw.once('close', () => {
      if (!raw.writableFinished) this.abortedCount += 1;
    });
    const handler = this.#handlers.get(`${method} ${path.split('?')[0]}`) ?? NOT_FOUND;
    const response = typeof handler === 'function' ? await handler(request, raw) : handler;
    if (response === undefined || raw.destroyed) return;
    raw.writeHead(response.status ?? 200, {
      'content-type': response.json === undefined ? 'application/octet-stream' : 'application/json',
      'x-request-id': `req_${this.requests.length}`,
      ...response.headers,
    });
    raw.end(response.bytes ?? (response.json === undefined ? undefined : JSON.stringify(response.json)));
  }
}
