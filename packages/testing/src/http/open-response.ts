import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON with its content type; text and bytes go out as they are. */
  readonly body?: object | string | Buffer;
}

/** An HTTP answer whose head has come; the body waits in the socket until it is read. */
export interface OpenResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly message: IncomingMessage;
  /** Breaks the connection off, as a client that leaves. */
  disconnect(): void;
}

export interface FullResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
  json<Body>(): Body;
}

const CHAT_PATH = '/v1/chat/completions';

/**
 * Sends a request on a connection of its own, without a client library in between: a test can then see every byte, read
 * slowly, leave at any moment or send what no library would. `signal` breaks it off before its head has come.
 */
export async function openResponse(baseUrl: string, raw: RawRequest, signal?: AbortSignal): Promise<OpenResponse> {
  const { method = 'POST', path = CHAT_PATH, key, headers = {}, body } = raw;
  const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
  const bytes = isJson ? JSON.stringify(body) : body;
  const outgoing = request(`${baseUrl}${path}`, {
    method,
    agent: false,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(isJson && { 'content-type': 'application/json' }),
      ...(bytes !== undefined && { 'content-length': String(Buffer.byteLength(bytes)) }),
      ...headers,
    },
    ...(signal !== undefined && { signal }),
  });
  outgoing.end(bytes);
  const [message] = (await once(outgoing, 'response')) as [IncomingMessage];
  // What happens to the connection after the answer's head shows while its body is read.
  outgoing.on('error', () => undefined);
  message.on('error', () => undefined);
  return {
    status: message.statusCode ?? 0,
    headers: message.headers,
    message,
    disconnect: () => outgoing.destroy(),
  };
}

/** Sends a request and reads its whole answer. Rejects if the answer breaks off. */
export async function fullResponse(baseUrl: string, raw: RawRequest, signal?: AbortSignal): Promise<FullResponse> {
  const { status, headers, message } = await openResponse(baseUrl, raw, signal);
  const body = await buffer(message);
  const text = body.toString('utf8');
  return { status, headers, body, text, json: <Body>() => JSON.parse(text) as Body };
}
