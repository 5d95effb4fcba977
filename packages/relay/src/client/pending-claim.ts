import type { ClaimedRequest } from '@gateway/contracts';
import { decodeGrant } from '../codec/frame-codec.js';
import { RelayProtocolError } from '../codec/relay-protocol-error.js';

/** A claim without an outcome: the edge has not replied, or the body is still arriving. */
export class PendingClaim {
  /** Null: the claim failed. */
  readonly outcome: Promise<ClaimedRequest | null>;
  /** The edge sent `pause` before the body was complete. */
  isPaused = false;
  private readonly resolve: (claimed: ClaimedRequest | null) => void;
  private readonly timer: NodeJS.Timeout;
  private body: Buffer | null = null;
  private receivedBytes = 0;

  /** `timeoutMs` limits the wait for the grant only. While the body arrives, the heartbeat detects a dead edge. */
  constructor(
    timeoutMs: number,
    private readonly maxBodyBytes: number,
    onTimeout: () => void,
  ) {
    const { promise, resolve } = Promise.withResolvers<ClaimedRequest | null>();
    this.outcome = promise;
    this.resolve = resolve;
    this.timer = setTimeout(onTimeout, timeoutMs);
  }

  /** The complete body, or null while parts of it are missing. */
  grant(payload: Buffer): Buffer | null {
    if (this.body !== null) throw new RelayProtocolError('request was granted twice');
    clearTimeout(this.timer);
    const { head, firstBytes } = decodeGrant(payload);
    if (head.bodyBytes === firstBytes.length) return firstBytes;
    if (head.bodyBytes > this.maxBodyBytes)
      throw new RelayProtocolError(`grant announces ${head.bodyBytes} body bytes, above ${this.maxBodyBytes}`);
    this.body = Buffer.allocUnsafe(head.bodyBytes);
    return this.add(firstBytes);
  }

  /** The complete body, or null while parts of it are missing. */
  add(part: Buffer): Buffer | null {
    if (this.body === null) throw new RelayProtocolError('body frame before its grant');
    if (this.receivedBytes + part.length > this.body.length)
      throw new RelayProtocolError('body is longer than its grant announced');
    part.copy(this.body, this.receivedBytes);
    this.receivedBytes += part.length;
    return this.receivedBytes === this.body.length ? this.body : null;
  }

  settle(claimed: ClaimedRequest | null): void {
    clearTimeout(this.timer);
    this.resolve(claimed);
  }
}
