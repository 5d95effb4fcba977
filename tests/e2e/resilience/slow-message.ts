import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

interface SlowMessage {
  readonly apiKey: string;
  readonly path: string;
  /** What the frame announces, and what is sent of it. */
  readonly bytes: number;
  readonly sent: number;
}

/** Opens a WebSocket and sends the beginning of one text message. `received`: what the server has sent since. */
export function beginMessage(
  baseUrl: string,
  { apiKey, path, bytes, sent }: SlowMessage,
): { readonly socket: Socket; received(): string } {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  let text = '';
  let isOpen = false;
  socket.on('error', () => undefined);
  socket.on('data', (data: Buffer) => {
    text += data.toString('utf8');
    if (isOpen || !text.includes('101 Switching Protocols')) return;
    isOpen = true;
    const head = Buffer.alloc(14);
    // A whole, masked text frame with a length of 64 bits. The mask is zero.
    head.writeUInt16BE(0x81ff, 0);
    head.writeBigUInt64BE(BigInt(bytes), 2);
    socket.write(Buffer.concat([head, Buffer.alloc(sent, 'x')]));
  });
  socket.write(
    [
      `GET ${path} HTTP/1.1`,
      `Host: ${hostname}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      `Authorization: Bearer ${apiKey}`,
      '\r\n',
    ].join('\r\n'),
  );
  return { socket, received: () => text };
}
