import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';

/** More than any body that is taken; whoever still sends has had time to hear. */
const DISCARDED_BYTES_AT_MOST = 256 * 1024 * 1024;
const DISCARDING_MS_AT_MOST = 20_000;

/**
 * Answers at once, also while the request is still coming, and does not close before it has come: a connection closed on a
 * client that sends is reset, and the answer lost with it. What comes is thrown away, up to a limit.
 */
export function sendWhileReceiving(reply: FastifyReply, body: string): void {
  const message = reply.request.raw;
  if (message.complete) {
    reply.send(body);
    return;
  }
  reply.hijack();
  const answer = reply.raw;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) answer.setHeader(name, value);
  }
  answer.setHeader('content-length', Buffer.byteLength(body));
  answer.writeHead(reply.statusCode);
  answer.write(body);
  void discard(message).then((isWhole) => {
    if (isWhole) answer.end();
    else answer.end(() => message.socket.destroy());
  });
}

/** True once the request has come to its end; false if it is given up, or gone. */
async function discard(message: IncomingMessage): Promise<boolean> {
  if (message.destroyed) return message.complete;
  let timer: NodeJS.Timeout | undefined;
  let bytes = 0;
  const isWhole = await new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, DISCARDING_MS_AT_MOST, false);
    message.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > DISCARDED_BYTES_AT_MOST) resolve(false);
    });
    message.once('end', () => resolve(true));
    message.once('close', () => resolve(message.complete));
    message.resume();
  });
  clearTimeout(timer);
  return isWhole;
}
