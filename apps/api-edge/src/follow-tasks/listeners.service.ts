import { GatewayError } from '@gateway/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { callerOf } from '../request-context.js';

/** Waits and streams of one key at the same time; they hold no lease, since nothing is run for them. */
const AT_MOST_FOR_EACH_KEY = 200;

/** Those who stay to hear of a task: each until its client leaves, or this process does. */
@Injectable()
export class Listeners {
  readonly #leaving = new AbortController();
  readonly #countByKey = new Map<string, number>();

  /** Runs what a client stays for; `signal` aborts when it need not go on. Throws 429 beyond what one key may have open. */
  async stay<Result>(reply: FastifyReply, run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const { keyId } = callerOf(reply.request).key;
    const count = this.#countByKey.get(keyId) ?? 0;
    if (count >= AT_MOST_FOR_EACH_KEY) {
      throw new GatewayError('rate_limit_exceeded', `This key already waits for ${count} video tasks.`, {
        retryAfterMs: 5_000,
      });
    }
    this.#countByKey.set(keyId, count + 1);
    const client = new AbortController();
    const leave = (): void => client.abort();
    reply.raw.once('close', leave);
    try {
      return await run(AbortSignal.any([client.signal, this.#leaving.signal]));
    } finally {
      reply.raw.off('close', leave);
      this.#leave(keyId);
    }
  }

  /** Everybody is told what is known by now; who was on a stream comes back and goes on where it ended. */
  dismiss(): void {
    this.#leaving.abort();
  }

  #leave(keyId: string): void {
    const count = (this.#countByKey.get(keyId) ?? 1) - 1;
    if (count === 0) this.#countByKey.delete(keyId);
    else this.#countByKey.set(keyId, count);
  }
}
