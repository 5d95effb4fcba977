import { decodeGrant } from '../codec/frame-codec.js';
import { RelayProtocolError } from '../codec/relay-protocol-error.js';
import type { RequestStream } from './claimed-request.js';

/** A claim that the edge has not answered yet, or whose body is still arriving. */
export class ClaimInFlight {
  /** Null: not ours, and nothing more will come of it. */
  readonly outcome: Promise<RequestStream | null>;
  /** The edge asked for a pause before the whole body was here. */
  isPaused = false;
  private readonly resolve: (claimed: RequestStream | null) => void;
  private readonly timer: NodeJS.Timeout;
  private body: Buffer | null = null;
  private receivedBytes = 0;

  /** `timeoutMs` is for the grant; the body may take longer, for its socket's heartbeat guards it. */
  constructor(
    timeoutMs: number,
    private readonly maximumBodyBytes: number,
    onTimeout: () => void,
  ) {
    const { promise, resolve } = Promise.withResolvers<RequestStream | null>();
    this.outcome = promise;
    this.resolve = resolve;
    this.timer = setTimeout(onTimeout, timeoutMs);
  }

  /** The whole body, or null while parts of it are missing. */
  grant(payload: Buffer): Buffer | null {
    if (this.body !== null) throw new RelayProtocolError('a request was granted twice');
    clearTimeout(this.timer);
    const { head, firstBytes } = decodeGrant(payload);
    if (head.bodyBytes === firstBytes.length) return firstBytes;
    if (head.bodyBytes > this.maximumBodyBytes) throw new RelayProtocolError(`a body of ${head.bodyBytes} bytes`);
    this.body = Buffer.allocUnsafe(head.bodyBytes);
    return this.add(firstBytes);
  }

  /** The whole body, or null while parts of it are missing. */
  add(part: Buffer): Buffer | null {
    if (this.body === null) throw new RelayProtocolError('a part of a body before its grant');
    if (this.receivedBytes + part.length > this.body.length)
      throw new RelayProtocolError('a body longer than announced');
    part.copy(this.body, this.receivedBytes);
    this.receivedBytes += part.length;
    return this.receivedBytes === this.body.length ? this.body : null;
  }

  settle(claimed: RequestStream | null): void {
    clearTimeout(this.timer);
    this.resolve(claimed);
  }
}
