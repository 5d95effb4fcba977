import type { McpServerConfig } from '@gateway/config';
import { GatewayError } from '@gateway/contracts';
import { TokenBuckets } from '@gateway/serving';
import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../gateway.js';
import { MCP_CONFIG } from '../tokens.js';

/** A full bucket lasts for half a minute at the rate that refills it. */
const BURST_SECONDS = 30;

type Sender = Pick<Caller, 'keySha256' | 'accountId'>;

/**
 * How many messages one key, and one account over all its keys, may send to this process. Lists and pings never reach the
 * gateway, which would limit them.
 */
@Injectable()
export class MessagePace {
  readonly #keys: TokenBuckets;
  readonly #accounts: TokenBuckets;

  constructor(@Inject(MCP_CONFIG) { messagesPerSecond, accountMessagesPerSecond }: McpServerConfig) {
    this.#keys = bucketsOf(messagesPerSecond);
    this.#accounts = bucketsOf(accountMessagesPerSecond);
  }

  /** Counts a request before its body is read. Throws 429 if the key or its account has sent too many messages. */
  take(sender: Sender): void {
    const { keySha256, accountId } = sender;
    const keyMs = this.#keys.waitMs(keySha256);
    if (keyMs > 0) throw tooMany('This key sends', keyMs);
    const accountMs = accountId === undefined ? 0 : this.#accounts.waitMs(accountId);
    if (accountMs > 0) throw tooMany('The keys of this account send', accountMs);
    this.#take(sender, 1);
  }

  /** Counts the other messages of a batch. */
  takeBatch(sender: Sender, messages: number): void {
    if (messages > 1) this.#take(sender, messages - 1);
  }

  #take({ keySha256, accountId }: Sender, messages: number): void {
    this.#keys.take(keySha256, messages);
    if (accountId !== undefined) this.#accounts.take(accountId, messages);
  }
}

const bucketsOf = (perSecond: number): TokenBuckets =>
  new TokenBuckets({ capacity: perSecond * BURST_SECONDS, perSecond });

const tooMany = (whoSends: string, retryAfterMs: number): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    `${whoSends} too many messages. Wait for a moment, and keep the list of tools.`,
    { retryAfterMs },
  );
