import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { MAX_MESSAGE_BYTES } from '../codec/frame-codec.js';

export interface OpenSocket {
  readonly webSocket: WebSocket;
  readonly tcpSocket: Socket;
}

/**
 * Masking defends proxies between browsers and servers against scripts in a page. Here both ends are ours, so the mask is
 * zero, and `ws` then sends a payload without copying it.
 */
const withoutMask = (mask: Buffer): void => {
  mask.fill(0);
};

/** Rejects if the edge refuses, or does not answer within `timeoutMs`. */
export function openSocket(url: string, authorization: string, timeoutMs: number): Promise<OpenSocket> {
  const webSocket = new WebSocket(url, {
    headers: { authorization },
    perMessageDeflate: false,
    handshakeTimeout: timeoutMs,
    maxPayload: MAX_MESSAGE_BYTES,
    generateMask: withoutMask,
  });
  return new Promise((resolve, reject) => {
    webSocket.once('error', reject);
    webSocket.once('upgrade', (response) => {
      webSocket.once('open', () => {
        webSocket.off('error', reject);
        resolve({ webSocket, tcpSocket: response.socket });
      });
    });
  });
}
