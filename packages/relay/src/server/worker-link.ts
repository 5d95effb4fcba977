import type { Socket } from 'node:net';
import { SlabMap } from '@gateway/collections';
import { type CancelReason, FRAME, type FrameType } from '@gateway/contracts';
import type { WebSocket } from 'ws';
import { encodeFrame, encodeGrant, encodeJsonFrame, type Frame } from '../codec/frame-codec.js';
import { parseClaim, parseFail, parseMeterReading, parseResponseEnd, parseResponseHead } from '../codec/payloads.js';
import { RelayProtocolError } from '../codec/relay-protocol-error.js';
import { FrameSocket } from '../frame-socket.js';
import { BodySender, INLINE_BODY_BYTES } from './body-sender.js';
import { isStreamed, toBuffer } from './body-source.js';
import type { ExpectedRequest, WorkerSide } from './expected-request.js';

export interface WorkerLinkOptions {
  readonly workerId: string;
  readonly heartbeatMs: number;
  find(requestId: string): ExpectedRequest | undefined;
  onError(error: Error): void;
  onClose(link: WorkerLink): void;
}

const EMPTY = Buffer.alloc(0);

type FrameReader = (request: ExpectedRequest, payload: Buffer) => void;

/** The frames that a worker may send about a granted request. Any other frame closes the socket. */
const READERS: Partial<Record<FrameType, FrameReader>> = {
  [FRAME.head]: (request, payload) => {
    const head = parseResponseHead(payload);
    if (request.isListening) request.handlers.onHead(head);
  },
  [FRAME.data]: (request, payload) => {
    if (request.isListening) request.handlers.onData(payload);
  },
  [FRAME.meter]: (request, payload) => request.handlers.onMeter(parseMeterReading(payload)),
  [FRAME.end]: (request, payload) => {
    const end = parseResponseEnd(payload);
    request.release();
    request.handlers.onEnd(end);
  },
  [FRAME.fail]: (request, payload) => {
    const error = parseFail(payload);
    request.release();
    request.handlers.onFail(error);
  },
  [FRAME.deny]: (request) => {
    request.release();
    request.handlers.onWorkerLost();
  },
};

/** The edge's side of one worker's socket: grants requests and receives their responses. */
export class WorkerLink implements WorkerSide {
  readonly workerId: string;
  private readonly socket: FrameSocket;
  private readonly bodies: BodySender;
  private readonly running = new SlabMap<ExpectedRequest>();

  constructor(
    webSocket: WebSocket,
    tcpSocket: Socket,
    private readonly options: WorkerLinkOptions,
  ) {
    this.workerId = options.workerId;
    this.socket = new FrameSocket(
      webSocket,
      tcpSocket,
      {
        onFrame: (frame) => this.read(frame),
        onClose: () => this.handleClose(),
        onError: (error) => options.onError(error),
        onDrain: () => this.bodies.sendMore(),
      },
      options.heartbeatMs,
    );
    this.bodies = new BodySender(this.socket, (requestId, error) => this.bodyFailed(requestId, error));
  }

  pause(requestId: string): void {
    this.socket.send(encodeFrame(FRAME.pause, requestId));
  }

  resume(requestId: string): void {
    this.socket.send(encodeFrame(FRAME.resume, requestId));
  }

  cancel(requestId: string, reason: CancelReason): boolean {
    const hasCompleteBody = !this.bodies.remove(requestId);
    this.socket.send(encodeJsonFrame(FRAME.cancel, requestId, { reason }));
    return hasCompleteBody;
  }

  leave(requestId: string, wantsResponse: boolean): boolean {
    if (this.bodies.has(requestId)) return false;
    this.socket.send(encodeJsonFrame(FRAME.leave, requestId, { wantsResponse }));
    return true;
  }

  forget(requestId: string): void {
    this.bodies.remove(requestId);
    this.running.delete(requestId);
  }

  close(): Promise<void> {
    return this.socket.close(1001, 'the edge closes');
  }

  private read(frame: Frame): void {
    if (frame.type === FRAME.claim) {
      this.claim(frame);
      return;
    }
    const readFrame = READERS[frame.type];
    if (readFrame === undefined) throw new RelayProtocolError(`a worker must not send frames of type ${frame.type}`);
    // Unknown: the request was released a moment ago, or belongs to another worker. Ignore both.
    const request = this.running.get(frame.requestId);
    if (request !== undefined) readFrame(request, frame.payload);
  }

  private claim(frame: Frame): void {
    const { claimToken } = parseClaim(frame.payload);
    const request = this.options.find(frame.requestId);
    if (request?.mayClaim(claimToken) !== true) {
      this.socket.send(encodeFrame(FRAME.deny, frame.requestId));
      return;
    }
    this.running.set(request.requestId, request);
    this.grant(request);
    request.grantTo(this);
    request.handlers.onGranted(this.workerId);
  }

  private grant({ requestId, body: source }: ExpectedRequest): void {
    const body = source();
    if (isStreamed(body)) {
      this.socket.send(encodeGrant(requestId, { bodyBytes: body.bytes }, EMPTY));
      this.bodies.addStreamed(requestId, body);
      return;
    }
    const bytes = toBuffer(body);
    const isInline = bytes.length <= INLINE_BODY_BYTES;
    this.socket.send(encodeGrant(requestId, { bodyBytes: bytes.length }, isInline ? bytes : EMPTY));
    if (!isInline) this.bodies.add(requestId, bytes);
  }

  // The worker cannot receive the complete body, so it never runs the request.
  private bodyFailed(requestId: string, error: Error): void {
    this.options.onError(error);
    this.socket.send(encodeFrame(FRAME.deny, requestId));
    const request = this.running.get(requestId);
    if (request === undefined) return;
    request.release();
    this.notifyWorkerLost(request);
  }

  private handleClose(): void {
    const lost = [...this.running.values()];
    this.bodies.clear();
    this.options.onClose(this);
    for (const request of lost) {
      request.release();
      this.notifyWorkerLost(request);
    }
  }

  // A handler that throws must not stop the others.
  private notifyWorkerLost(request: ExpectedRequest): void {
    try {
      request.handlers.onWorkerLost();
    } catch (error) {
      this.options.onError(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
