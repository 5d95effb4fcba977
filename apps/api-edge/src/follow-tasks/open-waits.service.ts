import { GatewayError } from '@gateway/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { callerOf } from '../http/request-context.js';

/** Limit of concurrent waits and streams of one key. No lease limits them, because nothing runs for them. */
const MAX_PER_KEY = 200;

/** The requests that wait for a task, or for a request whose result is kept. Each ends when its client leaves or this process stops. */
@Injectable()
export class OpenWaits {
  readonly #shutdown = new AbortController();
  readonly #countByKey = new Map<string, number>();

  /** Runs `wait`; its signal aborts when the client leaves or the process stops. Throws 429 above the key's limit. */
  async run<Result>(reply: FastifyReply, wait: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const { keyId } = callerOf(reply.request).key;
    const count = this.#countByKey.get(keyId) ?? 0;
    if (count >= MAX_PER_KEY) {
      throw new GatewayError('rate_limit_exceeded', `This key already waits for ${count} tasks or requests.`, {
        retryAfterMs: 5_000,
      });
    }
    this.#countByKey.set(keyId, count + 1);
    const client = new AbortController();
    const onClose = (): void => client.abort();
    reply.raw.once('close', onClose);
    try {
      return await wait(AbortSignal.any([client.signal, this.#shutdown.signal]));
    } finally {
      reply.raw.off('close', onClose);
      this.#remove(keyId);
    }
  }

  /** Each wait returns the last known state. Clients of a stream reconnect and resume. */
  abortAll(): void {
    this.#shutdown.abort();
  }

  #remove(keyId: string): void {
    const count = (this.#countByKey.get(keyId) ?? 1) - 1;
    if (count === 0) this.#countByKey.delete(keyId);
    else this.#countByKey.set(keyId, count);
  }
}
