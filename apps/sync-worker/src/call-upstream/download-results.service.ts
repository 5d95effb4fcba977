import { HttpPools } from '@gateway/http';
import type { Logger } from '@gateway/observability';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { HTTP_POOLS, LOGGER, WORKER_CONFIG, type WorkerConfig } from '../tokens.js';
import { longReply, type TakeRoom } from './read-response.js';

/** The largest image that a vendor makes is a tenth of this. */
const MAX_RESULT_BYTES = 64 * 1024 * 1024;

/** Fetches results that a vendor keeps under a URL of its response. */
@Injectable()
export class DownloadResults implements OnModuleDestroy {
  /** A vendor's response must not lead into our own network. */
  readonly #public = new HttpPools({ allowedAddresses: 'public' });

  constructor(
    @Inject(HTTP_POOLS) private readonly vendors: HttpPools,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** `baseUrl`: the vendor's own address, which may be internal. Undefined if the result cannot be fetched. Never rejects. */
  async fetch(
    url: string,
    baseUrl: string,
    { signal, takeRoom }: { readonly signal: AbortSignal; readonly takeRoom: TakeRoom },
  ): Promise<Buffer | undefined> {
    try {
      const pools = new URL(url).origin === new URL(baseUrl).origin ? this.vendors : this.#public;
      const request = { method: 'GET', url, headers: {}, body: null } as const;
      const response = await pools.send(request, {
        signal,
        headersTimeoutMs: this.config.upstreamHeadersTimeoutMs,
        bodyTimeoutMs: this.config.streamIdleTimeoutMs,
      });
      if (response.status === 200) return await response.bytes(MAX_RESULT_BYTES, longReply(takeRoom));
      await response.dump();
      this.logger.warn({ host: new URL(url).host, status: response.status }, 'a result could not be fetched');
    } catch (error) {
      this.logger.warn({ err: error }, 'a result could not be fetched');
    }
    return undefined;
  }

  async onModuleDestroy(): Promise<void> {
    await this.#public.close();
  }
}
