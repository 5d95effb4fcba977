import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { ADDRESSES } from './addresses.mjs';

/** Sends the head and a part of a request body, and then nothing. Resolves to the socket; destroy it at the end. */
export function holdOpen(baseUrl, { path, apiKey, contentType = 'application/json', body, missingBytes = 1 }) {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  // The server may refuse and close at any time: that is its right.
  socket.on('error', () => undefined).on('data', () => undefined);
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: ${hostname}\r\nx-forwarded-for: ${ADDRESSES.attacker}\r\nauthorization: Bearer ${apiKey}\r\ncontent-type: ${contentType}\r\ncontent-length: ${body.length + missingBytes}\r\n\r\n`,
  );
  socket.write(body);
  return socket;
}

/** Opens a WebSocket for responses and sends all but the last byte of a message: `body` is that part. */
export function beginMessage(baseUrl, { apiKey, body }) {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  const head = Buffer.alloc(14);
  // A whole, masked text frame with a length of 64 bits. The mask is zero.
  head.writeUInt16BE(0x81ff, 0);
  head.writeBigUInt64BE(BigInt(body.length + 1), 2);
  socket.on('error', () => undefined);
  socket.once('data', () => {
    socket.resume().write(head);
    socket.write(body);
  });
  socket.write(
    `GET /v1/responses HTTP/1.1\r\nhost: ${hostname}\r\nx-forwarded-for: ${ADDRESSES.attacker}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${randomBytes(16).toString('base64')}\r\nauthorization: Bearer ${apiKey}\r\n\r\n`,
  );
  return socket;
}
