import { connect } from 'node:net';

/** Sends the head and a part of a request body, and then nothing. Resolves to the socket; destroy it at the end. */
export function holdOpen(baseUrl, { path, apiKey, contentType = 'application/json', body, missingBytes = 1 }) {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  // The server may refuse and close at any time: that is its right.
  socket.on('error', () => undefined).on('data', () => undefined);
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${apiKey}\r\ncontent-type: ${contentType}\r\ncontent-length: ${body.length + missingBytes}\r\n\r\n`,
  );
  socket.write(body);
  return socket;
}
