import { FRAME } from '@gateway/contracts';
import { encodeFrame } from '../codec/frame-codec.js';
import type { FrameSocket } from '../frame-socket.js';
import type { StreamedBody } from './body-source.js';

/** A body up to this many bytes travels inside its grant. */
export const INLINE_BODY_BYTES = 256 * 1024;

const PART_BYTES = 64 * 1024;
const BUFFERED_BYTES_LIMIT = 256 * 1024;

/** A body of which the next piece is read only when it can be sent. */
interface Reading {
  readonly pieces: AsyncIterator<Uint8Array>;
  unsentBytes: number;
  isPending: boolean;
}

/**
 * Sends long request bodies over a socket that many requests share: in parts, the bodies in turn, and only while little is
 * buffered, so that a short frame never waits behind more than a quarter of a megabyte.
 */
export class BodySender {
  private readonly unsent = new Map<string, Buffer | Reading>();

  /** `onBroken`: the body could not be read to its end, and what was sent of it is of no use. */
  constructor(
    private readonly socket: Pick<FrameSocket, 'send' | 'bufferedBytes'>,
    private readonly onBroken: (requestId: string, error: Error) => void,
  ) {}

  add(requestId: string, body: Buffer): void {
    this.unsent.set(requestId, body);
    this.proceed();
  }

  addStreamed(requestId: string, body: StreamedBody): void {
    const pieces = body.read()[Symbol.asyncIterator]();
    this.unsent.set(requestId, { pieces, unsentBytes: body.bytes, isPending: false });
    this.proceed();
  }

  /** True if a part of it had not been sent. */
  drop(requestId: string): boolean {
    const body = this.unsent.get(requestId);
    this.unsent.delete(requestId);
    if (body !== undefined && !Buffer.isBuffer(body)) stopReading(body);
    return body !== undefined;
  }

  clear(): void {
    for (const requestId of [...this.unsent.keys()]) this.drop(requestId);
  }

  /** To be called whenever the socket's buffer has drained. */
  proceed(): void {
    for (const [requestId, body] of this.unsent) {
      if (this.socket.bufferedBytes >= BUFFERED_BYTES_LIMIT) return;
      if (!Buffer.isBuffer(body)) {
        if (!body.isPending) void this.readOn(requestId, body);
        continue;
      }
      this.socket.send(encodeFrame(FRAME.body, requestId, body.subarray(0, PART_BYTES)));
      // Deleted and set again it goes to the end of the row, where this same loop meets it again: the bodies take turns.
      this.unsent.delete(requestId);
      if (body.length > PART_BYTES) this.unsent.set(requestId, body.subarray(PART_BYTES));
    }
  }

  private async readOn(requestId: string, body: Reading): Promise<void> {
    body.isPending = true;
    try {
      const next = await body.pieces.next();
      if (this.unsent.get(requestId) !== body) return;
      if (next.done === true) throw new Error(`a body that ends ${body.unsentBytes} bytes early`);
      this.sendPiece(requestId, body, next.value);
    } catch (error) {
      if (this.unsent.get(requestId) !== body) return;
      this.drop(requestId);
      this.onBroken(requestId, error instanceof Error ? error : new Error(String(error)));
    }
    this.proceed();
  }

  private sendPiece(requestId: string, body: Reading, piece: Uint8Array): void {
    body.unsentBytes -= piece.length;
    if (body.unsentBytes < 0) throw new Error('a body longer than announced');
    body.isPending = false;
    this.unsent.delete(requestId);
    for (let offset = 0; offset < piece.length; offset += PART_BYTES) {
      this.socket.send(encodeFrame(FRAME.body, requestId, piece.subarray(offset, offset + PART_BYTES)));
    }
    if (body.unsentBytes > 0) this.unsent.set(requestId, body);
    else stopReading(body);
  }
}

/** Lets go of what the body is read from; a fault of that is of no interest to anyone any more. */
function stopReading({ pieces }: Reading): void {
  void pieces.return?.().catch(() => undefined);
}
