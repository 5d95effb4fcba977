import { GatewayError } from '@gateway/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { OpenCounts } from '../http/open-counts.js';
import { callerOf } from '../http/request-context.js';

/** Limit of concurrent waits and streams of one key. No lease limits them, because nothing runs for them. */
const MAX_PER_KEY = 200;
/** Limit of all keys of an account: each wait reads its state again and again. */
const MAX_PER_ACCOUNT = 500;
/** Limit of this process: four accounts at their limit. A stream costs it memory, and reads of PostgreSQL and Redis. */
const MAX_IN_ALL = 2_000;
const RETRY_AFTER_MS = 5_000;

/** The requests that wait for a task, or for a request whose result is kept. Each ends when its client leaves or this process stops. */
@Injectable()
export class OpenWaits {
  readonly #shutdown = new AbortController();
  readonly #open = new OpenCounts();
  readonly limit = MAX_IN_ALL;

  get openCount(): number {
    return this.#open.total;
  }

  /**
   * Runs `wait`; its signal aborts when the client leaves or the process stops. Throws 429 above the limit of the key or the
   * account, and 503 above that of the process.
   */
  async run<Result>(reply: FastifyReply, wait: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const { keyId, accountId } = callerOf(reply.request).key;
    const refusal = this.#refusalOf(keyId, accountId);
    if (refusal !== undefined) throw refusal;
    const owners = [keyId, accountId];
    this.#open.add(owners);
    const client = new AbortController();
    const onClose = (): void => client.abort();
    reply.raw.once('close', onClose);
    // It left before: 'close' never comes.
    if (reply.raw.destroyed) client.abort();
    try {
      return await wait(AbortSignal.any([client.signal, this.#shutdown.signal]));
    } finally {
      reply.raw.off('close', onClose);
      this.#open.remove(owners);
    }
  }

  /** As `run`. Above a limit, the signal has aborted already: `wait` returns the state of now. */
  runOrNow<Result>(reply: FastifyReply, wait: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const { keyId, accountId } = callerOf(reply.request).key;
    return this.#refusalOf(keyId, accountId) === undefined ? this.run(reply, wait) : wait(AbortSignal.abort());
  }

  /** Each wait returns the last known state. Clients of a stream reconnect and resume. */
  abortAll(): void {
    this.#shutdown.abort();
  }

  /** Undefined: there is room for one more wait. */
  #refusalOf(keyId: string, accountId: string): GatewayError | undefined {
    if (this.#open.of(keyId) >= MAX_PER_KEY) return tooManyWaits('key', MAX_PER_KEY);
    if (this.#open.of(accountId) >= MAX_PER_ACCOUNT) return tooManyWaits('account', MAX_PER_ACCOUNT);
    return this.#open.total >= this.limit ? full() : undefined;
  }
}

const tooManyWaits = (whose: 'key' | 'account', count: number): GatewayError =>
  new GatewayError('rate_limit_exceeded', `This ${whose} already waits for ${count} tasks or requests.`, {
    retryAfterMs: RETRY_AFTER_MS,
  });

const full = (): GatewayError =>
  new GatewayError('service_unavailable', 'Too many clients wait for tasks or requests here, try again shortly.', {
    retryAfterMs: RETRY_AFTER_MS,
  });
