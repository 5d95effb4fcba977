import type { Socket } from 'node:net';
import { SlabMap } from '@gateway/collections';
import { type ClaimedRequest, FRAME, type FrameType } from '@gateway/contracts';
import type { WebSocket } from 'ws';
import { encodeFrame, encodeJsonFrame, type Frame } from '../codec/frame-codec.js';
import { parseCancel, parseLeave } from '../codec/payloads.js';
import { RelayProtocolError } from '../codec/relay-protocol-error.js';
import { FrameSocket } from '../frame-socket.js';
import { PendingClaim } from './pending-claim.js';
import { RelayedRequest } from './relayed-request.js';

export interface EdgeLinkOptions {
  readonly workerId: string;
  readonly claimTimeoutMs: number;
  readonly maxBodyBytes: number;
  readonly heartbeatMs: number;
  onError(error: Error): void;
  onClose(): void;
}

/** The worker's side of its socket to one edge. */
export class EdgeLink {
  private readonly socket: FrameSocket;
  private readonly claims = new SlabMap<PendingClaim>();
  private readonly running = new SlabMap<RelayedRequest>();
  private isClosed = false;

  constructor(
    webSocket: WebSocket,
    tcpSocket: Socket,
    private readonly options: EdgeLinkOptions,
  ) {
    const onDrain = () => this.wakeWriters();
    this.socket = new FrameSocket(
      webSocket,
      tcpSocket,
      { onFrame: (frame) => this.read(frame), onClose: () => this.handleClose(), onError: options.onError, onDrain },
      options.heartbeatMs,
    );
  }

  get isIdle(): boolean {
    return this.claims.size === 0 && this.running.size === 0;
  }

  async claim(requestId: string, claimToken: string): Promise<ClaimedRequest | null> {
    // The queue may deliver a ticket twice to one worker: the first delivery runs it.
    if (this.isClosed || this.claims.has(requestId) || this.running.has(requestId)) return null;
    const onTimeout = () => this.fail(requestId);
    const claim = new PendingClaim(this.options.claimTimeoutMs, this.options.maxBodyBytes, onTimeout);
    this.claims.set(requestId, claim);
    this.socket.send(encodeJsonFrame(FRAME.claim, requestId, { claimToken, workerId: this.options.workerId }));
    return claim.outcome;
  }

  close(): Promise<void> {
    return this.socket.close(1000, 'the worker closes');
  }

  private read({ type, requestId, payload }: Frame): void {
    const readFrame = this.readers[type];
    if (readFrame === undefined) throw new RelayProtocolError(`an edge must not send frames of type ${type}`);
    readFrame(requestId, payload);
  }

  /** The frames that an edge may send. A frame of a finished request is late, not wrong. */
  private readonly readers: Partial<Record<FrameType, (requestId: string, payload: Buffer) => void>> = {
    [FRAME.grant]: (requestId, payload) => {
      const claim = this.claims.get(requestId);
      if (claim !== undefined) this.acceptBody(requestId, claim, claim.grant(payload));
      // The claim timed out: the edge must not wait for a response.
      else this.socket.send(encodeFrame(FRAME.deny, requestId));
    },
    [FRAME.body]: (requestId, payload) => {
      const claim = this.claims.get(requestId);
      if (claim !== undefined) this.acceptBody(requestId, claim, claim.add(payload));
    },
    [FRAME.deny]: (requestId) => this.fail(requestId),
    [FRAME.pause]: (requestId) => {
      const claim = this.claims.get(requestId);
      if (claim !== undefined) claim.isPaused = true;
      this.running.get(requestId)?.pause();
    },
    [FRAME.resume]: (requestId) => {
      const claim = this.claims.get(requestId);
      if (claim !== undefined) claim.isPaused = false;
      this.running.get(requestId)?.resume();
    },
    [FRAME.cancel]: (requestId, payload) => {
      const { reason } = parseCancel(payload);
      this.fail(requestId);
      this.running.get(requestId)?.abort(reason);
    },
    [FRAME.leave]: (requestId, payload) => this.running.get(requestId)?.leave(parseLeave(payload)),
  };

  private acceptBody(requestId: string, claim: PendingClaim, body: Buffer | null): void {
    if (body === null) return;
    const request = new RelayedRequest(requestId, body, this.socket, () => this.running.delete(requestId));
    if (claim.isPaused) request.pause();
    this.claims.delete(requestId);
    this.running.set(requestId, request);
    claim.settle(request);
  }

  private fail(requestId: string): void {
    this.claims.get(requestId)?.settle(null);
    this.claims.delete(requestId);
  }

  private wakeWriters(): void {
    for (const request of this.running.values()) request.wake();
  }

  private handleClose(): void {
    this.isClosed = true;
    this.options.onClose();
    for (const requestId of this.claims.keys()) this.fail(requestId);
    for (const request of [...this.running.values()]) request.abort('edge_lost');
    this.running.clear();
  }
}
