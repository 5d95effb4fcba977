import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';

/** More than any body limit: a client that sends more has had time to read the response. */
const MAX_DISCARDED_BYTES = 256 * 1024 * 1024;
const MAX_DISCARD_MS = 20_000;

/**
 * Responds at once, even while the request body is still arriving. Discards the body up to a limit, then closes. An
 * earlier close would reset the connection, and the client would lose the response.
 */
export function sendWhileReceiving(reply: FastifyReply, body: string): void {
  const message = reply.request.raw;
  if (message.complete) {
    reply.send(body);
    return;
  }
  reply.hijack();
  const response = reply.raw;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) response.setHeader(name, value);
  }
  response.setHeader('content-length', Buffer.byteLength(body));
  response.writeHead(reply.statusCode);
  response.write(body);
  void discard(message).then((isComplete) => {
    if (isComplete) response.end();
    else response.end(() => message.socket.destroy());
  });
}

/** True once the request has arrived. False if it exceeds a limit or the client has left. */
async function discard(message: IncomingMessage): Promise<boolean> {
  if (message.destroyed) return message.complete;
  // A stream without a reader would stop the body.
  message.unpipe();
  let timer: NodeJS.Timeout | undefined;
  let bytes = 0;
  const isComplete = await new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, MAX_DISCARD_MS, false);
    message.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_DISCARDED_BYTES) resolve(false);
    });
    message.once('end', () => resolve(true));
    message.once('close', () => resolve(message.complete));
    message.resume();
  });
  clearTimeout(timer);
  return isComplete;
}
