import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';

/** More bytes than this wait for a client that reads slowly: pause the source. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
/** A client that is refused has this long to read why. */
const CLOSE_TIMEOUT_MS = 2_000;
const PING_INTERVAL_MS = 30_000;
/** Pings and pongs of a client between two pings of ours. They cost it nothing, and each interrupts this process. */
const MAX_CONTROL_FRAMES = 1_000;

/** A client's WebSocket, as its handler sees it. */
export interface ClientSocket {
  /** False: the client reads slowly. `onDrain` is called once it has caught up. */
  send(text: string): boolean;
  onDrain(listener: () => void): void;
  /** `code`: a close code of RFC 6455, 7.4. */
  close(code: number, reason: string): void;
  /** Closes the socket and reads nothing more of what the client sends. */
  refuse(code: number, reason: string): void;
}

export interface ClientSocketHandlers {
  /** One text or binary message. The memory belongs to the handler. */
  onMessage(message: Buffer): void;
  onClose(): void;
}

/** Accepts WebSockets of clients on an HTTP server. Ends a socket whose client no longer responds to pings. */
export class ClientSockets {
  readonly #server: WebSocketServer;

  constructor(maxMessageBytes: number) {
    this.#server = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes, perMessageDeflate: false });
  }

  /** Completes the handshake. A wrong one is refused with 400. */
  accept(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    handle: (socket: ClientSocket) => ClientSocketHandlers,
  ): void {
    this.#server.handleUpgrade(request, socket, head, (opened) => serve(opened, socket, handle));
  }
}

function serve(opened: WebSocket, socket: Duplex, handle: (socket: ClientSocket) => ClientSocketHandlers): void {
  let onDrain: (() => void) | undefined;
  let isRefused = false;
  const whenSent = (): void => {
    if (onDrain === undefined || opened.bufferedAmount > MAX_BUFFERED_BYTES) return;
    const listener = onDrain;
    onDrain = undefined;
    listener();
  };
  const handlers = handle({
    send: (text) => {
      opened.send(text, whenSent);
      return opened.bufferedAmount <= MAX_BUFFERED_BYTES;
    },
    onDrain: (listener) => {
      onDrain = listener;
    },
    close: (code, reason) => opened.close(code, reason),
    refuse: (code, reason) => {
      isRefused = true;
      opened.close(code, reason);
      opened.pause();
      setTimeout(() => opened.terminate(), CLOSE_TIMEOUT_MS).unref();
    },
  });
  const stopPings = pingRegularly(opened);
  opened.on('message', (message) => {
    handlers.onMessage(message as Buffer);
    // Nothing more is read of a client that does not read the responses to what it sends.
    if (opened.isPaused || opened.bufferedAmount <= MAX_BUFFERED_BYTES) return;
    opened.pause();
    socket.once('drain', () => isRefused || opened.resume());
  });
  // A close event follows.
  opened.on('error', () => opened.terminate());
  opened.on('close', () => {
    stopPings();
    handlers.onClose();
  });
}

function pingRegularly(opened: WebSocket): () => void {
  let isAlive = true;
  let controlFrames = 0;
  const count = (): void => {
    controlFrames += 1;
    if (controlFrames > MAX_CONTROL_FRAMES) opened.terminate();
  };
  opened.on('ping', count);
  opened.on('pong', () => {
    isAlive = true;
    count();
  });
  const timer = setInterval(() => {
    if (!isAlive) opened.terminate();
    isAlive = false;
    controlFrames = 0;
    opened.ping();
  }, PING_INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
