import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { decodeFrame, type Frame } from './codec/frame-codec.js';
import { RelayProtocolError } from './codec/relay-protocol-error.js';

const MISSED_BEATS_ALLOWED = 3;
const PROTOCOL_ERROR = 1002;
const CLOSE_TIMEOUT_MS = 1_000;
/** A turn of a busy event loop takes many times as long. */
const LONGEST_HOLD_MS = 1;

export interface FrameSocketEvents {
  /** May throw a RelayProtocolError, which closes the socket. */
  onFrame(frame: Frame): void;
  /** Exactly once, however the socket ended. */
  onClose(): void;
  onError(error: Error): void;
  /** Nothing is waiting to be written any more. */
  onDrain(): void;
}

/**
 * One WebSocket that carries frames, the same on both sides. What is sent in one turn of the event loop leaves in few writes, about
 * one a millisecond: the other side need not wait for the end of a long turn. A side that is silent for three heartbeats is cut off.
 */
export class FrameSocket {
  private isCorked = false;
  private leftAtMs = 0;
  private missedBeats = 0;
  private readonly heartbeat: NodeJS.Timeout;
  private readonly whenClosed = Promise.withResolvers<void>();

  constructor(
    private readonly webSocket: WebSocket,
    private readonly socket: Socket,
    private readonly events: FrameSocketEvents,
    heartbeatMs: number,
  ) {
    webSocket.on('message', (message, isBinary) => this.read(message as Buffer, isBinary));
    webSocket.on('ping', () => this.heard());
    webSocket.on('pong', () => this.heard());
    webSocket.on('error', (error) => events.onError(error));
    webSocket.on('close', () => this.closed());
    socket.on('drain', () => events.onDrain());
    this.heartbeat = setInterval(() => this.beat(), heartbeatMs);
    this.heartbeat.unref();
  }

  /** Bytes that were sent and have not reached the kernel. */
  get bufferedBytes(): number {
    return this.webSocket.bufferedAmount;
  }

  send(message: Buffer): void {
    if (this.webSocket.readyState !== this.webSocket.OPEN) return;
    this.hold();
    this.webSocket.send(message);
  }

  /** Says goodbye, and cuts the socket if the other side does not answer. Fulfilled after `onClose`. */
  close(code: number, reason: string): Promise<void> {
    this.webSocket.close(code, reason);
    setTimeout(() => this.webSocket.terminate(), CLOSE_TIMEOUT_MS).unref();
    return this.whenClosed.promise;
  }

  /** Keeps what is sent until this turn ends; where nothing has left for a while, only until this callback does. */
  private hold(): void {
    if (!this.isCorked) {
      this.isCorked = true;
      this.socket.cork();
      setImmediate(this.uncork);
    }
    const nowMs = performance.now();
    if (nowMs - this.leftAtMs < LONGEST_HOLD_MS) return;
    this.leftAtMs = nowMs;
    process.nextTick(this.uncork);
  }

  private readonly uncork = (): void => {
    if (!this.isCorked) return;
    this.isCorked = false;
    this.socket.uncork();
  };

  private heard(): void {
    this.missedBeats = 0;
  }

  // Beats are counted, not milliseconds: after a pause of this process itself the other side still has its chance.
  private beat(): void {
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
      if (!isBinary) throw new RelayProtocolError('a text message');
      this.events.onFrame(decodeFrame(message));
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error));
      this.events.onError(cause);
      if (cause instanceof RelayProtocolError) void this.close(PROTOCOL_ERROR, 'not the relay protocol');
    }
  }

  private closed(): void {
    clearInterval(this.heartbeat);
    this.events.onClose();
    this.whenClosed.resolve();
  }
}
