import { FRAME } from '@gateway/contracts';
import { encodeFrame } from '../codec/frame-codec.js';
import type { FrameSocket } from '../frame-socket.js';

/** A body up to this many bytes travels inside its grant. */
export const INLINE_BODY_BYTES = 256 * 1024;

const PART_BYTES = 64 * 1024;
const BUFFERED_BYTES_LIMIT = 256 * 1024;

/**
 * Sends long request bodies over a socket that many requests share: in parts, the bodies in turn, and only while little is
 * buffered, so that a short frame never waits behind more than a quarter of a megabyte.
 */
export class BodySender {
  private readonly unsent = new Map<string, Buffer>();

  constructor(private readonly socket: Pick<FrameSocket, 'send' | 'bufferedBytes'>) {}

  add(requestId: string, body: Buffer): void {
    this.unsent.set(requestId, body);
    this.proceed();
  }

  /** True if a part of it had not been sent. */
  drop(requestId: string): boolean {
    return this.unsent.delete(requestId);
  }

  clear(): void {
    this.unsent.clear();
  }

  /** To be called whenever the socket's buffer has drained. */
  proceed(): void {
    for (const [requestId, body] of this.unsent) {
      if (this.socket.bufferedBytes >= BUFFERED_BYTES_LIMIT) return;
      this.socket.send(encodeFrame(FRAME.body, requestId, body.subarray(0, PART_BYTES)));
      // Deleted and set again it goes to the end of the row, where this same loop meets it again: the bodies take turns.
      this.unsent.delete(requestId);
      if (body.length > PART_BYTES) this.unsent.set(requestId, body.subarray(PART_BYTES));
    }
  }
}
