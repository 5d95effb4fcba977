import type { Vendor } from '@gateway/contracts';
import { Channel, type ChannelSettings } from './channel.js';
import type { ChannelUse } from './channel-health.js';

/** A set of interchangeable channels: a vendor's paid ones, or those for its test keys. */
export type ChannelPool = Vendor | `${Vendor}.test`;

export interface ChannelLists {
  readonly channels: readonly ChannelSettings[];
  /** Channels that serve test keys. */
  readonly testChannels: readonly ChannelSettings[];
}

/** The call that needs a channel. */
export interface ChannelQuery extends ChannelUse {
  /** The only channel that can serve the call. */
  readonly requiredId?: string | undefined;
}

/** Chooses the credential of the next call: among the healthy ones, the least in flight for its weight. */
export class ChannelSelector {
  readonly #channels = new Map<ChannelPool, Channel[]>();

  /** `onHealthChange` receives true once a channel's breaker opens, and false at the channel's next success. */
  constructor(
    { channels, testChannels }: ChannelLists,
    onHealthChange: (channelId: string, isUnhealthy: boolean) => void,
  ) {
    const add = (pool: ChannelPool, settings: ChannelSettings): void => {
      const channel = new Channel(settings, (isUnhealthy) => onHealthChange(settings.id, isUnhealthy));
      this.#channels.set(pool, [...(this.#channels.get(pool) ?? []), channel]);
    };
    for (const settings of channels) add(settings.vendor, settings);
    for (const settings of testChannels) add(`${settings.vendor}.test`, settings);
  }

  /** False if no channel of that pool is configured. */
  hasPool(pool: ChannelPool): boolean {
    return this.#channels.has(pool);
  }

  /** True if that channel is configured, healthy or not. */
  has(pool: ChannelPool, channelId: string): boolean {
    return (this.#channels.get(pool) ?? []).some(({ id }) => id === channelId);
  }

  /** Undefined: every eligible channel was tried, is broken or cools down. */
  choose(pool: ChannelPool, query: ChannelQuery, tried: ReadonlySet<Channel>): Channel | undefined {
    const nowMs = performance.now();
    let best: Channel | undefined;
    let bestLoad = Number.POSITIVE_INFINITY;
    for (const channel of this.#eligible(pool, query.requiredId)) {
      if (tried.has(channel) || channel.state === 'paused') continue;
      if (channel.isBrokenFor(query) || channel.cooldownMs(nowMs, query.model) > 0) continue;
      // A random tie-break, so that workers do not all choose the same channel at once.
      const load = (channel.inFlight + 1 + Math.random() * 0.01) / channel.weight;
      if (best === undefined || load < bestLoad) [best, bestLoad] = [channel, load];
    }
    return best;
  }

  /**
   * Milliseconds until a retry can succeed: 0 unless every eligible channel cools down or is broken for this account and model.
   * With `requiredId` only that channel is eligible.
   */
  pauseMs(pool: ChannelPool, query: ChannelQuery): number {
    const nowMs = performance.now();
    const channels = this.#eligible(pool, query.requiredId);
    return channels.length === 0 ? 0 : Math.min(...channels.map((channel) => channel.pauseMs(nowMs, query)));
  }

  /** Milliseconds until the first cooldown of an eligible channel ends. Undefined: none cools down. */
  shortestCooldownMs(pool: ChannelPool, { model, requiredId }: ChannelQuery): number | undefined {
    const nowMs = performance.now();
    const cooldowns = this.#eligible(pool, requiredId)
      .map((channel) => channel.cooldownMs(nowMs, model))
      .filter((cooldownMs) => cooldownMs > 0);
    return cooldowns.length === 0 ? undefined : Math.min(...cooldowns);
  }

  /** Every channel with its pool. */
  *all(): Iterable<readonly [ChannelPool, Channel]> {
    for (const [pool, channels] of this.#channels) for (const channel of channels) yield [pool, channel];
  }

  /** A channel that drains, or has the weight 0, serves only calls that require it. */
  #eligible(pool: ChannelPool, requiredId?: string): readonly Channel[] {
    const channels = this.#channels.get(pool) ?? [];
    return channels.filter((channel) => (requiredId === undefined ? channel.isOpenToAll : channel.id === requiredId));
  }
}
