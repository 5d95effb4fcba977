import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { SlabMap } from '@gateway/collections';
import { WebSocketServer } from 'ws';
import { MAX_MESSAGE_BYTES } from '../codec/frame-codec.js';
import { assertRelaySecret, verifyRelayCredential } from '../handshake/relay-credential.js';
import { RELAY_PATH } from '../relay-path.js';
import type { BodySource } from './body-source.js';
import { ExpectedRequest, type PendingRequest, type PendingRequestHandlers } from './expected-request.js';
import { WorkerLink } from './worker-link.js';

export interface RelayServerOptions {
  readonly host: string;
  /** 0: the system chooses a port, which `listen` returns. */
  readonly port: number;
  /** At least 32 characters, the same for every edge and worker. */
  readonly secret: string;
  /** Also accepted, so that workers can have the old or the new secret during a rotation. */
  readonly otherSecrets?: readonly string[];
  /** Receives the fault of one socket or handler; the server continues. */
  onError(error: Error): void;
  readonly heartbeatMs?: number;
}

const HEARTBEAT_MS = 2_000;

/** The edge's side of the relay. Workers connect to it, claim expected requests and send their responses. */
export class RelayServer {
  private readonly expected = new SlabMap<ExpectedRequest>();
  private readonly links = new Set<WorkerLink>();
  private readonly httpServer: Server;
  private readonly webSocketServer: WebSocketServer;

  constructor(private readonly options: RelayServerOptions) {
    for (const secret of this.secrets) assertRelaySecret(secret);
    this.webSocketServer = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: MAX_MESSAGE_BYTES,
    });
    this.httpServer = createServer((_request, response) => response.writeHead(426).end());
    this.httpServer.on('upgrade', (request, socket, head) => this.upgrade(request, socket, head));
  }

  private get secrets(): readonly string[] {
    return [this.options.secret, ...(this.options.otherSecrets ?? [])];
  }

  private authenticate(authorization: string | undefined, nowMs: number): string | null {
    for (const secret of this.secrets) {
      const workerId = verifyRelayCredential(secret, authorization, nowMs);
      if (workerId !== null) return workerId;
    }
    return null;
  }

  /** Requests without a claim or with a running response. */
  get expectedCount(): number {
    return this.expected.size;
  }

  get workerCount(): number {
    return this.links.size;
  }

  /** Resolves to the port; rejects if the address is in use. */
  async listen(): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.httpServer.once('error', reject);
      this.httpServer.listen(this.options.port, this.options.host, () => {
        this.httpServer.off('error', reject);
        this.httpServer.on('error', (error) => this.options.onError(error));
        resolve();
      });
    });
    return (this.httpServer.address() as AddressInfo).port;
  }

  /** Registers a request before its ticket is queued. Throws if a request of this id is registered already. */
  expect(requestId: string, claimToken: string, handlers: PendingRequestHandlers, body: BodySource): PendingRequest {
    if (this.expected.has(requestId)) throw new Error(`request ${requestId} is already expected`);
    const request = new ExpectedRequest(requestId, claimToken, handlers, body, () => this.expected.delete(requestId));
    this.expected.set(requestId, request);
    return request;
  }

  /** Closes every socket. Finish or cancel the requests first: this calls `onWorkerLost` for running ones. */
  async close(): Promise<void> {
    const isClosed = new Promise<void>((resolve) => this.httpServer.close(() => resolve()));
    await Promise.all([...this.links].map((link) => link.close()));
    this.httpServer.closeAllConnections();
    await isClosed;
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', this.options.onError);
    const workerId = this.authenticate(request.headers.authorization, Date.now());
    if (workerId === null || request.url !== RELAY_PATH) {
      refuse(socket, workerId === null ? '401 Unauthorized' : '404 Not Found');
      return;
    }
    socket.off('error', this.options.onError);
    this.webSocketServer.handleUpgrade(request, socket, head, (webSocket) => {
      const link = new WorkerLink(webSocket, request.socket as Socket, {
        workerId,
        heartbeatMs: this.options.heartbeatMs ?? HEARTBEAT_MS,
        find: (requestId) => this.expected.get(requestId),
        onError: this.options.onError,
        onClose: (closed) => this.links.delete(closed),
      });
      this.links.add(link);
    });
  }
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
