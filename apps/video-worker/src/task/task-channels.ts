import { modelOfPrice, upstreamNameOf } from '@gateway/catalogue';
import type { ChannelSettings } from '@gateway/channels';
import type { StoredVideoTask } from '@gateway/contracts';
import { type Target, VIDEO_PROTOCOLS, type VideoProtocol } from '@gateway/upstreams';
import { Inject, Injectable } from '@nestjs/common';
import { WORKER_CONFIG, type WorkerConfig } from '../tokens.js';

/** The channel that runs a task, and the protocol of its upstream. */
export interface TaskChannel {
  readonly channelId: string;
  readonly protocol: VideoProtocol;
  readonly target: Target;
  readonly firstPollMs: number;
}

/** Finds the channel that a task was submitted to. Other credentials do not know the task. */
@Injectable()
export class TaskChannels {
  readonly #channels: ReadonlyMap<string, ChannelSettings>;
  readonly #testChannels: ReadonlyMap<string, ChannelSettings>;

  constructor(@Inject(WORKER_CONFIG) private readonly config: WorkerConfig) {
    const byId = (list: readonly ChannelSettings[]) => new Map(list.map((channel) => [channel.id, channel]));
    this.#channels = byId(config.channels);
    this.#testChannels = byId(config.testChannels);
  }

  /** Undefined: this worker has no such channel, or does not know the model. */
  channelOf(task: StoredVideoTask): TaskChannel | undefined {
    const channel = (task.isTest ? this.#testChannels : this.#channels).get(task.channelId ?? '');
    const model = modelOfPrice(task.model, task.priceVersion);
    if (channel === undefined || model?.video === undefined) return undefined;
    return {
      channelId: channel.id,
      protocol: VIDEO_PROTOCOLS[model.video.protocol],
      target: {
        baseUrl: channel.baseUrl,
        credential: channel.credential,
        upstreamModel: upstreamNameOf(model, this.config.upstreamModelOverrides),
      },
      firstPollMs: model.video.traits.firstPollSeconds * 1_000,
    };
  }
}
