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

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly json: Record<string, unknown>;
}

export interface Reply {
  readonly status?: number;
  readonly json?: object;
  readonly bytes?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

type Answer = Reply | ((asked: Asked, raw: ServerResponse) => Reply | Promise<Reply> | undefined);

const parse = (bytes: Buffer): Record<string, unknown> => {
  try {
    return JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
  } catch {
    return {};
  }
};

/** Stands where the gateway and its account interface are: remembers what it was asked, and answers as a test says. */
export class FakeGateway {
  readonly asked: Asked[] = [];
  /** Requests whose client left before the answer was over. */
  left = 0;
  readonly #answers = new Map<string, Answer>();

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
  on(route: string, answer: Answer): void {
    this.#answers.set(route, answer);
  }

  to(path: string): Asked[] {
    return this.asked.filter((asked) => asked.path.split('?')[0] === path);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    const bytes = await buffer(request);
    const asked = { method, path, headers, bytes, json: parse(bytes) };
    this.asked.push(asked);
    response.once('close', () => {
      if (!response.writableFinished) this.left += 1;
    });
    const answer = this.#answers.get(`${method} ${path.split('?')[0]}`) ?? {
      status: 404,
      json: { error: { message: 'There is no such route.', type: 'invalid_request_error', code: 'not_found' } },
    };
    const reply = typeof answer === 'function' ? await answer(asked, response) : answer;
    if (reply === undefined || response.destroyed) return;
    response.writeHead(reply.status ?? 200, {
      'content-type': reply.json === undefined ? 'application/octet-stream' : 'application/json',
      'x-request-id': `req_${this.asked.length}`,
      ...reply.headers,
    });
    response.end(reply.bytes ?? (reply.json === undefined ? undefined : JSON.stringify(reply.json)));
  }
}
