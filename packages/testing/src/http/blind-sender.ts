import { once } from 'node:events';
import { connect } from 'node:net';

export interface BlindRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: number;
  readonly isChunked: boolean;
}

const PIECE = Buffer.alloc(64 * 1024, ' ');

/**
 * A simple client that reads nothing until it has sent its whole request. Returns the raw response; rejects if the
 * connection closes before everything is sent.
 */
export async function sendBlindly(baseUrl: string, request: BlindRequest): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  const closed = once(socket, 'close');
  // The next write or the response shows any failure.
  closed.catch(() => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write(headOf(request, hostname));
  for (let sent = 0; sent < request.bytes; sent += PIECE.length) {
    const piece = PIECE.subarray(0, request.bytes - sent);
    await written(socket, request.isChunked ? chunk(piece) : piece);
  }
  if (request.isChunked) await written(socket, Buffer.from('0\r\n\r\n'));
  const answer: Buffer[] = [];
  socket.on('data', (piece: Buffer) => answer.push(piece));
  socket.resume();
  await closed;
  return Buffer.concat(answer).toString('utf8');
}

function headOf({ path, headers, bytes, isChunked }: BlindRequest, host: string): string {
  const length = isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(bytes) };
  const lines = Object.entries({ host, connection: 'close', ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return [`POST ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n');
}

const chunk = (piece: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]);

const written = (socket: ReturnType<typeof connect>, piece: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.write(piece, (error) => (error == null ? resolve() : reject(error)));
  });
