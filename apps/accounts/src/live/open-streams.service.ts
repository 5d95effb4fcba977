import { GatewayError, isGatewayError } from '@gateway/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { LIVE_METRICS } from '../tokens.js';
import type { LiveMetrics } from './live-metrics.js';

/** Streams of one account in this process: some tabs of some people. */
const MAX_PER_ACCOUNT = 20;
const MAX_IN_ALL = 1_000;
const CHECK_MS = 5_000;
const KEEP_ALIVE = ': keep-alive\n\n';

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

export interface OpenStream {
  readonly accountId: string;
  readonly reply: FastifyReply;
  /** Rejects once the caller may not read any more: an ended session, a revoked key. */
  readonly check: () => Promise<unknown>;
  readonly write: (signal: AbortSignal) => Promise<void>;
}

/** The event streams of this process. Each ends when its client leaves, loses its right, or when this process stops. */
@Injectable()
export class OpenStreams {
  readonly #shutdown = new AbortController();
  readonly #counts = new Map<string, number>();
  #count = 0;

  constructor(@Inject(LIVE_METRICS) private readonly metrics: LiveMetrics) {}

  /** Takes over the reply. Throws 429 above the account's limit and 503 above the process's. */
  async run({ accountId, reply, check, write }: OpenStream): Promise<void> {
    this.#add(accountId);
    const ended = new AbortController();
    const end = (): void => ended.abort();
    const { raw } = reply;
    raw.once('close', end);
    reply.hijack();
    raw.writeHead(200, HEADERS);
    raw.write(KEEP_ALIVE);
    const timer = setInterval(() => {
      if (!raw.writableNeedDrain) raw.write(KEEP_ALIVE);
      check().catch((error: unknown) => isGatewayError(error) && end());
    }, CHECK_MS);
    try {
      await write(AbortSignal.any([ended.signal, this.#shutdown.signal]));
    } finally {
      clearInterval(timer);
      raw.off('close', end);
      raw.end();
      this.#remove(accountId);
    }
  }

  /** Clients reconnect to another process, and resume. */
  async stop(): Promise<void> {
    this.#shutdown.abort();
  }

  #add(accountId: string): void {
    const count = this.#counts.get(accountId) ?? 0;
    if (count >= MAX_PER_ACCOUNT) {
      this.metrics.streams.inc({ outcome: 'refused' });
      throw new GatewayError('rate_limit_exceeded', `This account has ${count} open event streams: close one first.`, {
        retryAfterMs: CHECK_MS,
      });
    }
    if (this.#count >= MAX_IN_ALL) {
      this.metrics.streams.inc({ outcome: 'refused' });
      throw new GatewayError('service_unavailable', 'Too many event streams are open, try again shortly.', {
        retryAfterMs: CHECK_MS,
      });
    }
    this.#counts.set(accountId, count + 1);
    this.#count += 1;
    this.metrics.streams.inc({ outcome: 'opened' });
    this.metrics.open.set(this.#count);
  }

  #remove(accountId: string): void {
    const count = (this.#counts.get(accountId) ?? 1) - 1;
    if (count === 0) this.#counts.delete(accountId);
    else this.#counts.set(accountId, count);
    this.#count -= 1;
    this.metrics.open.set(this.#count);
  }
}
