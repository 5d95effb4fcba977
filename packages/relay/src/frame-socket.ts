import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { decodeFrame, type Frame } from './codec/frame-codec.js';
import { RelayProtocolError } from './codec/relay-protocol-error.js';

const MISSED_BEATS_ALLOWED = 3;
const PROTOCOL_ERROR = 1002;
const CLOSE_TIMEOUT_MS = 1_000;
/** Maximum delay of corked writes. One iteration of a busy event loop lasts many times as long. */
const MAX_CORK_MS = 1;

export interface FrameSocketEvents {
  /** May throw a RelayProtocolError, which closes the socket. */
  onFrame(frame: Frame): void;
  /** Called exactly once, however the socket ends. */
  onClose(): void;
  onError(error: Error): void;
  /** The socket's write buffer is empty. */
  onDrain(): void;
}

/**
 * A WebSocket that carries frames, used by both sides. It batches the frames of one event loop iteration and writes them at
 * least once a millisecond. It terminates a peer that misses three heartbeats.
 */
export class FrameSocket {
  private isCorked = false;
  private flushedAtMs = 0;
  private missedBeats = 0;
  private readonly heartbeat: NodeJS.Timeout;
  private readonly closed = Promise.withResolvers<void>();

  constructor(
    private readonly webSocket: WebSocket,
    private readonly socket: Socket,
    private readonly events: FrameSocketEvents,
    heartbeatMs: number,
  ) {
    webSocket.on('message', (message, isBinary) => this.read(message as Buffer, isBinary));
    webSocket.on('ping', () => this.resetHeartbeat());
    webSocket.on('pong', () => this.resetHeartbeat());
    webSocket.on('error', (error) => events.onError(error));
    webSocket.on('close', () => this.handleClose());
    socket.on('drain', () => events.onDrain());
    this.heartbeat = setInterval(() => this.checkHeartbeat(), heartbeatMs);
    this.heartbeat.unref();
  }

  /** Sent bytes that have not reached the kernel. */
  get bufferedBytes(): number {
    return this.webSocket.bufferedAmount;
  }

  send(message: Buffer): void {
    if (this.webSocket.readyState !== this.webSocket.OPEN) return;
    this.cork();
    this.webSocket.send(message);
  }

  /** Sends a close frame, and terminates the socket if the peer does not reply in time. Resolves after `onClose`. */
  close(code: number, reason: string): Promise<void> {
    this.webSocket.close(code, reason);
    setTimeout(() => this.webSocket.terminate(), CLOSE_TIMEOUT_MS).unref();
    return this.closed.promise;
  }

  /** Corks writes until the event loop iteration ends, or until this callback ends if the last flush is a millisecond old. */
  private cork(): void {
    if (!this.isCorked) {
      this.isCorked = true;
      this.socket.cork();
      setImmediate(this.uncork);
    }
    const nowMs = performance.now();
    if (nowMs - this.flushedAtMs < MAX_CORK_MS) return;
    this.flushedAtMs = nowMs;
    process.nextTick(this.uncork);
  }

  private readonly uncork = (): void => {
    if (!this.isCorked) return;
    this.isCorked = false;
    this.socket.uncork();
  };

  private resetHeartbeat(): void {
    this.missedBeats = 0;
  }

  // Counts beats, not time: after a pause of this process, the peer still has three beats to reply.
  private checkHeartbeat(): void {
    if (this.missedBeats >= MISSED_BEATS_ALLOWED) {
      this.webSocket.terminate();
      return;
    }
    this.missedBeats += 1;
    if (this.webSocket.readyState === this.webSocket.OPEN) this.webSocket.ping();
  }

  private read(message: Buffer, isBinary: boolean): void {
    this.missedBeats = 0;
    if (this.webSocket.readyState !== this.webSocket.OPEN) return;
    try {
      if (!isBinary) throw new RelayProtocolError('a relay message must be binary, not text');
      this.events.onFrame(decodeFrame(message));
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error));
      this.events.onError(cause);
      if (cause instanceof RelayProtocolError) void this.close(PROTOCOL_ERROR, 'not the relay protocol');
    }
  }

  private handleClose(): void {
    clearInterval(this.heartbeat);
    this.events.onClose();
    this.closed.resolve();
  }
}
