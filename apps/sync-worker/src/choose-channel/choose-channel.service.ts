import type { Vendor } from '@gateway/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { WORKER_CONFIG, type WorkerConfig } from '../worker-config.js';
import { WORKER_METRICS, type WorkerMetrics } from '../worker-metrics.js';
import { Channel } from './channel.js';

/** Which credential takes the next call: among the healthy ones, the least in flight for its weight. */
@Injectable()
export class ChooseChannel {
  readonly #channels = new Map<Vendor, Channel[]>();

  constructor(@Inject(WORKER_CONFIG) config: WorkerConfig, @Inject(WORKER_METRICS) metrics: WorkerMetrics) {
    for (const settings of config.channels) {
      const channel = new Channel(settings, (isOpen) =>
        metrics.breakerOpen.set({ channel: settings.id }, isOpen ? 1 : 0),
      );
      const siblings = this.#channels.get(settings.vendor) ?? [];
      this.#channels.set(settings.vendor, [...siblings, channel]);
    }
  }

  /** True if this worker has that channel, however it is doing. */
  has(vendor: Vendor, channelId: string): boolean {
    return (this.#channels.get(vendor) ?? []).some(({ id }) => id === channelId);
  }

  /** With a wanted id that channel or none. Undefined: none that was not tried yet can take a call now. */
  choose(vendor: Vendor, tried: ReadonlySet<Channel>, wantedId?: string): Channel | undefined {
    const nowMs = Date.now();
    let best: Channel | undefined;
    let bestLoad = Number.POSITIVE_INFINITY;
    for (const channel of this.#channels.get(vendor) ?? []) {
      if (wantedId !== undefined && channel.id !== wantedId) continue;
      if (tried.has(channel) || channel.isBroken || channel.restMs(nowMs) > 0) continue;
      // A little chance breaks ties, so that workers do not march in step.
      const load = (channel.inFlight + 1 + Math.random() * 0.01) / channel.settings.weight;
      if (load < bestLoad) [best, bestLoad] = [channel, load];
    }
    return best;
  }

  /** Milliseconds until the first resting channel of a vendor may be asked again. Undefined: none rests. */
  shortestRestMs(vendor: Vendor): number | undefined {
    const nowMs = Date.now();
    const rests = (this.#channels.get(vendor) ?? []).map((channel) => channel.restMs(nowMs)).filter((rest) => rest > 0);
    return rests.length === 0 ? undefined : Math.min(...rests);
  }
}
