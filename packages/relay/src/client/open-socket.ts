import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { MAX_MESSAGE_BYTES } from '../codec/frame-codec.js';

export interface OpenSocket {
  readonly webSocket: WebSocket;
  readonly tcpSocket: Socket;
}

/**
 * A mask protects proxies from scripts in browsers. Both sides are ours, so the mask is zero: `ws` then sends payloads
 * without copying them.
 */
const zeroMask = (mask: Buffer): void => {
  mask.fill(0);
};

/** Rejects if the edge refuses the upgrade or does not reply within `timeoutMs`. */
export function openSocket(url: string, authorization: string, timeoutMs: number): Promise<OpenSocket> {
  const webSocket = new WebSocket(url, {
    headers: { authorization },
    perMessageDeflate: false,
    handshakeTimeout: timeoutMs,
    maxPayload: MAX_MESSAGE_BYTES,
    generateMask: zeroMask,
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
