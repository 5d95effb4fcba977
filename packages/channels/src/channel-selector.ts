import type { Vendor } from '@gateway/contracts';
import { Channel, type ChannelSettings } from './channel.js';

/** The channels that may stand in for each other: a vendor's own, or those that answer its test keys. Never both. */
export type ChannelPool = Vendor | `${Vendor}.test`;

export interface ChannelLists {
  readonly channels: readonly ChannelSettings[];
  /** Those that answer test keys. */
  readonly testChannels: readonly ChannelSettings[];
}

/** Whose call of what it is, and with a wanted id which channel it must go to. */
export interface WantedCall {
  readonly accountId: string;
  readonly model: string;
  readonly wantedId?: string | undefined;
}

/** Which credential takes the next call: among the healthy ones, the least in flight for its weight. */
export class ChannelSelector {
  readonly #channels = new Map<ChannelPool, Channel[]>();

  /** `onIll` hears of each channel that begins to turn calls away, and of the first success after that. */
  constructor({ channels, testChannels }: ChannelLists, onIll: (channelId: string, isIll: boolean) => void) {
    const add = (pool: ChannelPool, settings: ChannelSettings): void => {
      const channel = new Channel(settings, (isIll) => onIll(settings.id, isIll));
      this.#channels.set(pool, [...(this.#channels.get(pool) ?? []), channel]);
    };
    for (const settings of channels) add(settings.vendor, settings);
    for (const settings of testChannels) add(`${settings.vendor}.test`, settings);
  }

  /** False if this process was given no channel of that pool at all. */
  hasPool(pool: ChannelPool): boolean {
    return this.#channels.has(pool);
  }

  /** True if this process has that channel, however it is doing. */
  has(pool: ChannelPool, channelId: string): boolean {
    return (this.#channels.get(pool) ?? []).some(({ id }) => id === channelId);
  }

  /** With a wanted id that channel or none. Undefined: none that was not tried yet can take a call now. */
  choose(pool: ChannelPool, call: WantedCall, tried: ReadonlySet<Channel>): Channel | undefined {
    const { accountId, model, wantedId } = call;
    const nowMs = Date.now();
    let best: Channel | undefined;
    let bestLoad = Number.POSITIVE_INFINITY;
    for (const channel of this.#eligible(pool, wantedId)) {
      if (tried.has(channel) || channel.isBrokenFor(accountId) || channel.restMs(nowMs, model) > 0) continue;
      // A little chance breaks ties, so that workers do not march in step.
      const load = (channel.inFlight + 1 + Math.random() * 0.01) / channel.settings.weight;
      if (best === undefined || load < bestLoad) [best, bestLoad] = [channel, load];
    }
    return best;
  }

  /**
   * Milliseconds until another try can help: 0 unless every channel of the pool (with a wanted id: that one) rests for this
   * model.
   */
  cooldownMs(pool: ChannelPool, model: string, wantedId?: string): number {
    const nowMs = Date.now();
    const channels = this.#eligible(pool, wantedId);
    return channels.length === 0 ? 0 : Math.min(...channels.map((channel) => channel.restMs(nowMs, model)));
  }

  /** Milliseconds until the first resting channel of a pool may be asked again. Undefined: none rests. */
  shortestCooldownMs(pool: ChannelPool, model: string): number | undefined {
    const nowMs = Date.now();
    const rests = this.#eligible(pool)
      .map((channel) => channel.restMs(nowMs, model))
      .filter((rest) => rest > 0);
    return rests.length === 0 ? undefined : Math.min(...rests);
  }

  /** One without weight takes nothing new: only what must go to it and to no other. */
  #eligible(pool: ChannelPool, wantedId?: string): readonly Channel[] {
    const channels = this.#channels.get(pool) ?? [];
    return channels.filter(({ id, settings }) => (wantedId === undefined ? settings.weight > 0 : id === wantedId));
  }
}
