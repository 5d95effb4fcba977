import { GatewayError } from '@gateway/contracts';
import type { FastifyRequest } from 'fastify';
import { networkOf } from './client-network.js';
import { holdBack } from './hold-back.js';
import { TokenBuckets } from './token-buckets.js';

/** Connections of one address that wait with a refusal. Each costs memory, so one more is closed. */
const MAX_HELD = 100;
/** A full bucket lasts for half a minute at the rate that refills it. */
const BURST_SECONDS = 30;

/**
 * How often one address may send requests whose sender is not known: without a valid key or session, or to an unknown path.
 * Count a request only once it is certain that no known client has sent it: others may have the same address.
 */
export class UnidentifiedClients {
  readonly #buckets: TokenBuckets;
  /** By network. */
  readonly #held = new Map<string, number>();

  constructor(perSecond: number, nowMs?: () => number) {
    this.#buckets = new TokenBuckets({ capacity: perSecond * BURST_SECONDS, perSecond }, nowMs);
  }

  /** Throws 429 if the address, for IPv6 its /64, has sent too many. */
  take(address: string): void {
    const network = networkOf(address);
    const waitMs = this.#buckets.waitMs(network);
    if (waitMs > 0) throw tooMany(waitMs);
    this.#buckets.take(network, 1);
  }

  /** The same for a request. The 429 comes after a pause; without it, if too many of its address wait already. */
  async check(request: Pick<FastifyRequest, 'ip' | 'raw'>, onRefused?: () => void): Promise<void> {
    try {
      this.take(request.ip);
    } catch (refusal) {
      onRefused?.();
      await this.#hold(request, refusal);
    }
  }

  async #hold(request: Pick<FastifyRequest, 'ip' | 'raw'>, refusal: unknown): Promise<never> {
    const network = networkOf(request.ip);
    const held = this.#held.get(network) ?? 0;
    if (held >= MAX_HELD) {
      request.raw.socket.destroy();
      throw refusal;
    }
    this.#held.set(network, held + 1);
    try {
      return await holdBack(request, refusal);
    } finally {
      const left = (this.#held.get(network) ?? 1) - 1;
      if (left === 0) this.#held.delete(network);
      else this.#held.set(network, left);
    }
  }
}

const tooMany = (retryAfterMs: number): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    'Too many requests without a valid key came from your address. Check the key and the path, and wait for a moment.',
    { retryAfterMs },
  );
