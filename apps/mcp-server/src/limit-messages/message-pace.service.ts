import type { McpServerConfig } from '@gateway/config';
import { GatewayError } from '@gateway/contracts';
import { TokenBuckets } from '@gateway/serving';
import { Inject, Injectable } from '@nestjs/common';
import { MCP_CONFIG } from '../tokens.js';

/** A full bucket lasts for half a minute at the rate that refills it. */
const BURST_SECONDS = 30;

/** How many messages one key may send to this process. Lists and pings never reach the gateway, which would limit them. */
@Injectable()
export class MessagePace {
  readonly #buckets: TokenBuckets;

  constructor(@Inject(MCP_CONFIG) { messagesPerSecond: perSecond }: McpServerConfig) {
    this.#buckets = new TokenBuckets({ capacity: perSecond * BURST_SECONDS, perSecond });
  }

  /** Counts a request before its body is read. Throws 429 if the key has sent too many messages. */
  take(keySha256: string): void {
    const retryAfterMs = this.#buckets.waitMs(keySha256);
    if (retryAfterMs > 0) throw tooMany(retryAfterMs);
    this.#buckets.take(keySha256, 1);
  }

  /** Counts the other messages of a batch. */
  takeBatch(keySha256: string, messages: number): void {
    if (messages > 1) this.#buckets.take(keySha256, messages - 1);
  }
}

const tooMany = (retryAfterMs: number): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    'This key sends too many messages. Wait for a moment, and keep the list of tools.',
    { retryAfterMs },
  );
