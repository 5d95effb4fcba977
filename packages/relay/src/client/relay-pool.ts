import type { Claim, SyncTicket } from '@gateway/contracts';
import { assertRelaySecret, assertWorkerId, signRelayCredential } from '../handshake/relay-credential.js';
import { EdgeLink } from './edge-link.js';
import { openSocket } from './open-socket.js';

export interface RelayPoolOptions {
  readonly workerId: string;
  /** At least 32 characters, the same for every edge and worker. */
  readonly secret: string;
  /** Receives the fault of one socket; the pool continues. */
  onError(error: Error): void;
  /** For connecting, and for the reply to a claim. */
  readonly timeoutMs?: number;
  /** A socket without requests is closed after this time. */
  readonly idleMs?: number;
  readonly heartbeatMs?: number;
  readonly maxBodyBytes?: number;
}

interface Edge {
  readonly link: Promise<EdgeLink | null>;
  openLink: EdgeLink | null;
  usedAtMs: number;
}

const DEFAULTS = {
  timeoutMs: 2_000,
  idleMs: 60_000,
  heartbeatMs: 2_000,
  maxBodyBytes: 128 * 1024 * 1024,
} as const;

/** The worker's side of the relay: one socket per edge, opened for the first ticket that names the edge. */
export class RelayPool {
  private readonly options: Required<RelayPoolOptions>;
  private readonly edges = new Map<string, Edge>();
  private readonly idleTimer: NodeJS.Timeout;
  private isClosed = false;

  constructor(options: RelayPoolOptions) {
    assertRelaySecret(options.secret);
    assertWorkerId(options.workerId);
    this.options = { ...DEFAULTS, ...options };
    this.idleTimer = setInterval(() => this.closeIdle(), this.options.idleMs / 2);
    this.idleTimer.unref();
  }

  /** Edges whose socket is open or opening. */
  get edgeCount(): number {
    return this.edges.size;
  }

  /**
   * Claims the ticket's request. `denied`: another worker runs it, or its edge has ended it: drop the ticket.
   * `unreachable`: no socket to its edge: requeue the ticket, since another worker may reach the edge.
   */
  async claim(ticket: Pick<SyncTicket, 'replyTo' | 'requestId' | 'claimToken'>): Promise<Claim> {
    if (this.isClosed) return 'unreachable';
    const edge = this.edges.get(ticket.replyTo) ?? this.connect(ticket.replyTo);
    edge.usedAtMs = performance.now();
    const link = edge.openLink ?? (await edge.link);
    if (link === null) return 'unreachable';
    return (await link.claim(ticket.requestId, ticket.claimToken)) ?? 'denied';
  }

  /** Closes every socket. Finish running requests first: this aborts them with `edge_lost`. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.idleTimer);
    await Promise.all([...this.edges.values()].map(async (edge) => (await edge.link)?.close()));
  }

  private connect(url: string): Edge {
    const remove = () => {
      if (this.edges.get(url) === edge) this.edges.delete(url);
    };
    const startedAtMs = performance.now();
    const edge: Edge = { link: this.open(url, remove), openLink: null, usedAtMs: 0 };
    this.edges.set(url, edge);
    void edge.link.then((link) => {
      edge.openLink = link;
      if (link !== null) return;
      // An address that drops packets costs the full timeout. Until the next try, its other tickets fail at once.
      const isSilent = performance.now() - startedAtMs >= this.options.timeoutMs;
      if (isSilent) setTimeout(remove, this.options.timeoutMs).unref();
      else remove();
    });
    return edge;
  }

  private async open(url: string, onClose: () => void): Promise<EdgeLink | null> {
    const { workerId, secret, timeoutMs, heartbeatMs, maxBodyBytes, onError } = this.options;
    try {
      const authorization = signRelayCredential(secret, workerId, Date.now());
      const { webSocket, tcpSocket } = await openSocket(url, authorization, timeoutMs);
      return new EdgeLink(webSocket, tcpSocket, {
        workerId,
        claimTimeoutMs: timeoutMs,
        maxBodyBytes: maxBodyBytes,
        heartbeatMs,
        onError,
        onClose,
      });
    } catch (error) {
      const { message } = error as Error;
      onError(new Error(`no relay socket to ${url}: ${message}`, { cause: error }));
      return null;
    }
  }

  private closeIdle(): void {
    const nowMs = performance.now();
    for (const [url, edge] of this.edges) {
      if (edge.openLink?.isIdle !== true || nowMs - edge.usedAtMs < this.options.idleMs) continue;
      this.edges.delete(url);
      void edge.openLink.close();
    }
  }
}
