import { once } from 'node:events';
import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { observeAnswer } from '../openapi/contract-watch.js';

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Objects are sent as JSON with its content type; text and bytes are sent unchanged. */
  readonly body?: object | string | Buffer;
  /** Shares its connections. Without one the request has a connection of its own. */
  readonly agent?: Agent;
}

/** An HTTP response whose head has arrived; the body waits in the socket until it is read. */
export interface OpenResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly message: IncomingMessage;
  /** Closes the connection, like a client that disconnects. */
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
 * Sends a request without a client library, on its own connection unless an agent is given. A test can then see every byte, read slowly,
 * disconnect at any moment or send invalid bytes. `signal` aborts the request before its head arrives.
 */
export async function openResponse(baseUrl: string, raw: RawRequest, signal?: AbortSignal): Promise<OpenResponse> {
  const { method = 'POST', path = CHAT_PATH, key, headers = {}, body, agent = false } = raw;
  const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
  const bytes = isJson ? JSON.stringify(body) : body;
  const outgoing = request(`${baseUrl}${path}`, {
    method,
    agent,
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
  // A failure after the response's head surfaces while its body is read.
  outgoing.on('error', () => undefined);
  message.on('error', () => undefined);
  return {
    status: message.statusCode ?? 0,
    headers: message.headers,
    message,
    disconnect: () => outgoing.destroy(),
  };
}

const textHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** Sends a request and reads the whole response. Rejects if the response is cut off. */
export async function fullResponse(baseUrl: string, raw: RawRequest, signal?: AbortSignal): Promise<FullResponse> {
  const { status, headers, message } = await openResponse(baseUrl, raw, signal);
  const body = await buffer(message);
  const { method = 'POST', path = CHAT_PATH } = raw;
  observeAnswer(baseUrl, { method, path, status, headers: textHeaders(headers), body });
  const text = body.toString('utf8');
  return { status, headers, body, text, json: <Body>() => JSON.parse(text) as Body };
}
