import { once } from 'node:events';
import { connect } from 'node:net';

export interface UnreadRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: number;
  readonly isChunked: boolean;
}

const BLOCK = Buffer.alloc(64 * 1024, ' ');

/**
 * A simple client that reads nothing until it has sent its whole request. Returns the raw response; rejects if the
 * connection closes before everything is sent.
 */
export async function sendWithoutReading(baseUrl: string, request: UnreadRequest): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  const closed = once(socket, 'close');
  // The next write or the response shows any failure.
  closed.catch(() => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write(headOf(request, hostname));
  for (let sent = 0; sent < request.bytes; sent += BLOCK.length) {
    const block = BLOCK.subarray(0, request.bytes - sent);
    await write(socket, request.isChunked ? encodeChunk(block) : block);
  }
  if (request.isChunked) await write(socket, Buffer.from('0\r\n\r\n'));
  const received: Buffer[] = [];
  socket.on('data', (block: Buffer) => received.push(block));
  socket.resume();
  await closed;
  return Buffer.concat(received).toString('utf8');
}

function headOf({ path, headers, bytes, isChunked }: UnreadRequest, host: string): string {
  const length = isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(bytes) };
  const lines = Object.entries({ host, connection: 'close', ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return [`POST ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n');
}

const encodeChunk = (block: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${block.length.toString(16)}\r\n`), block, Buffer.from('\r\n')]);

const write = (socket: ReturnType<typeof connect>, block: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.write(block, (error) => (error == null ? resolve() : reject(error)));
  });
