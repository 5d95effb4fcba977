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
 * A client that looks for an answer only when it has sent its whole request, as simple ones do. Gives all that it was then
 * answered; rejects if the connection is broken off before it has sent everything.
 */
export async function sendBlindly(baseUrl: string, request: BlindRequest): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  const closed = once(socket, 'close');
  // Whatever went wrong shows where the next piece is written, or in the answer.
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
