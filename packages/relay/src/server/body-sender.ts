import { FRAME } from '@gateway/contracts';
import { encodeFrame } from '../codec/frame-codec.js';
import type { FrameSocket } from '../frame-socket.js';
import type { StreamedBody } from './body-source.js';

/** A body up to this many bytes travels inside its grant. */
export const INLINE_BODY_BYTES = 256 * 1024;

const PART_BYTES = 64 * 1024;
const MAX_BUFFERED_BYTES = 256 * 1024;

/** A streamed body: its next chunk is read only when the socket can send it. */
interface BodyStream {
  readonly chunks: AsyncIterator<Uint8Array>;
  unsentBytes: number;
  isPending: boolean;
}

/**
 * Sends long request bodies over a shared socket: in parts, round-robin, and only while less than 256 KiB is buffered. So a
 * short frame never waits behind more than that.
 */
export class BodySender {
  private readonly unsent = new Map<string, Buffer | BodyStream>();

  /** `onFailed`: reading a body failed, so the sent parts are useless. */
  constructor(
    private readonly socket: Pick<FrameSocket, 'send' | 'bufferedBytes'>,
    private readonly onFailed: (requestId: string, error: Error) => void,
  ) {}

  add(requestId: string, body: Buffer): void {
    this.unsent.set(requestId, body);
    this.sendMore();
  }

  addStreamed(requestId: string, body: StreamedBody): void {
    const chunks = body.read()[Symbol.asyncIterator]();
    this.unsent.set(requestId, { chunks, unsentBytes: body.bytes, isPending: false });
    this.sendMore();
  }

  /** True while a part of the body is unsent. */
  has(requestId: string): boolean {
    return this.unsent.has(requestId);
  }

  /** True if a part of the body was unsent. */
  remove(requestId: string): boolean {
    const body = this.unsent.get(requestId);
    this.unsent.delete(requestId);
    if (body !== undefined && !Buffer.isBuffer(body)) stopReading(body);
    return body !== undefined;
  }

  clear(): void {
    for (const requestId of [...this.unsent.keys()]) this.remove(requestId);
  }

  /** Call it whenever the socket's buffer has drained. */
  sendMore(): void {
    for (const [requestId, body] of this.unsent) {
      if (this.socket.bufferedBytes >= MAX_BUFFERED_BYTES) return;
      if (!Buffer.isBuffer(body)) {
        if (!body.isPending) void this.readNext(requestId, body);
        continue;
      }
      this.socket.send(encodeFrame(FRAME.body, requestId, body.subarray(0, PART_BYTES)));
      // Set again, it moves to the end of the map: this loop serves the bodies round-robin.
      this.unsent.delete(requestId);
      if (body.length > PART_BYTES) this.unsent.set(requestId, body.subarray(PART_BYTES));
    }
  }

  private async readNext(requestId: string, body: BodyStream): Promise<void> {
    body.isPending = true;
    try {
      const next = await body.chunks.next();
      if (this.unsent.get(requestId) !== body) return;
      if (next.done === true) throw new Error(`body ends ${body.unsentBytes} bytes early`);
      this.sendChunk(requestId, body, next.value);
    } catch (error) {
      if (this.unsent.get(requestId) !== body) return;
      this.remove(requestId);
      this.onFailed(requestId, error instanceof Error ? error : new Error(String(error)));
    }
    this.sendMore();
  }

  private sendChunk(requestId: string, body: BodyStream, chunk: Uint8Array): void {
    body.unsentBytes -= chunk.length;
    if (body.unsentBytes < 0) throw new Error('body is longer than announced');
    body.isPending = false;
    this.unsent.delete(requestId);
    for (let offset = 0; offset < chunk.length; offset += PART_BYTES) {
      this.socket.send(encodeFrame(FRAME.body, requestId, chunk.subarray(offset, offset + PART_BYTES)));
    }
    if (body.unsentBytes > 0) this.unsent.set(requestId, body);
    else stopReading(body);
  }
}

/** Closes the body's source. Its errors no longer matter. */
function stopReading({ chunks }: BodyStream): void {
  void chunks.return?.().catch(() => undefined);
}
