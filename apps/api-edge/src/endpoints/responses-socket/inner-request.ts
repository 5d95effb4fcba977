import { type ClientRequest, type IncomingHttpHeaders, request, type Server } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';

/** A request to this process's own server. */
export interface InnerRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The address of the client, for limits and allow-lists. */
  readonly remoteAddress: string | undefined;
  readonly body?: Buffer;
}

/**
 * Sends a request to the server itself, over memory. So a message of a socket takes the path of every other request: key,
 * limits, validation, money. Destroying it has the effect of a client that leaves.
 */
export function sendInner(server: Server, { method, path, headers, remoteAddress, body }: InnerRequest): ClientRequest {
  const [client, served] = duplexPair();
  // What the server asks of a TCP socket.
  Object.assign(served, { remoteAddress, destroySoon: () => served.end() });
  endTogether(client, served);
  const sent = request({
    method,
    path,
    headers: { ...headers, connection: 'close', 'content-length': body?.length ?? 0 },
    createConnection: () => client,
  });
  server.emit('connection', served);
  sent.end(body);
  return sent;
}

/** A side that is destroyed ends the other one. A response that is complete is read to its end. */
function endTogether(client: Duplex, served: Duplex): void {
  client.once('close', () => served.destroy());
  served.once('close', () => {
    if (!served.writableFinished) client.destroy();
  });
}
