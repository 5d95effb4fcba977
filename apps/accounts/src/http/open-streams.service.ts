import type { ServerResponse } from 'node:http';
import { GatewayError, isGatewayError } from '@gateway/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { STREAM_METRICS } from '../tokens.js';
import type { StreamMetrics } from './stream-metrics.js';

/** Streams of one account, or of one operator, in this process: some tabs of some people. */
const MAX_PER_OWNER = 20;
const MAX_IN_ALL = 1_000;
const CHECK_MS = 5_000;
export const KEEP_ALIVE = ': keep-alive\n\n';

/** No proxy may keep events back. */
export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

/** One stream that is about to begin. */
interface NewStream {
  /** Whose streams it counts among: an account, or the operators. */
  readonly owner: string;
  readonly raw: ServerResponse;
  /** Rejects once the caller may not read any more: an ended session, a revoked key. */
  readonly check: () => Promise<unknown>;
}

interface OpenStream extends Pick<NewStream, 'check'> {
  readonly accountId: string;
  readonly reply: FastifyReply;
  readonly write: (signal: AbortSignal) => Promise<void>;
}

/** The event streams of this process. Each ends when its client leaves, loses its right, or when this process stops. */
@Injectable()
export class OpenStreams {
  readonly #shutdown = new AbortController();
  readonly #counts = new Map<string, number>();
  #count = 0;

  constructor(@Inject(STREAM_METRICS) private readonly metrics: StreamMetrics) {}

  /**
   * Counts one more stream until its connection closes. Throws 429 above the owner's limit and 503 above the process's.
   * The signal aborts when the client leaves, loses its right, or when this process stops.
   */
  begin({ owner, raw, check }: NewStream): AbortSignal {
    this.#add(owner);
    const ended = new AbortController();
    const leave = (): void => ended.abort();
    const timer = setInterval(() => void check().catch((error: unknown) => isGatewayError(error) && leave()), CHECK_MS);
    const close = (): void => {
      clearInterval(timer);
      leave();
      this.#remove(owner);
    };
    // The client may have left while its right was checked.
    if (raw.destroyed) close();
    else raw.once('close', close);
    return AbortSignal.any([ended.signal, this.#shutdown.signal]);
  }

  /** Takes over the reply. Throws like `begin`. A HEAD gets the head alone: else its connection waits for the end. */
  async run({ accountId, reply, check, write }: OpenStream): Promise<void> {
    const { raw } = reply;
    const signal = this.begin({ owner: accountId, raw, check });
    reply.hijack();
    raw.writeHead(200, STREAM_HEADERS);
    if (reply.request.method === 'HEAD') {
      raw.end();
      return;
    }
    raw.write(KEEP_ALIVE);
    const timer = setInterval(() => raw.writableNeedDrain || raw.write(KEEP_ALIVE), CHECK_MS);
    try {
      await write(signal);
    } finally {
      clearInterval(timer);
      raw.end();
    }
  }

  /** Clients reconnect to another process, and resume. */
  async stop(): Promise<void> {
    this.#shutdown.abort();
  }

  #add(owner: string): void {
    const count = this.#counts.get(owner) ?? 0;
    if (count >= MAX_PER_OWNER) {
      this.metrics.streams.inc({ outcome: 'refused' });
      throw new GatewayError('rate_limit_exceeded', `${count} event streams are open already: close one first.`, {
        retryAfterMs: CHECK_MS,
      });
    }
    if (this.#count >= MAX_IN_ALL) {
      this.metrics.streams.inc({ outcome: 'refused' });
      throw new GatewayError('service_unavailable', 'Too many event streams are open, try again shortly.', {
        retryAfterMs: CHECK_MS,
      });
    }
    this.#counts.set(owner, count + 1);
    this.#count += 1;
    this.metrics.streams.inc({ outcome: 'opened' });
    this.metrics.open.set(this.#count);
  }

  #remove(owner: string): void {
    const count = (this.#counts.get(owner) ?? 1) - 1;
    if (count === 0) this.#counts.delete(owner);
    else this.#counts.set(owner, count);
    this.#count -= 1;
    this.metrics.open.set(this.#count);
  }
}
