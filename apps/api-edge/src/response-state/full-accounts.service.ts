import { MAX_BYTES_WITHOUT_CREDIT } from '@gateway/contracts';
import { type Logger, Loop } from '@gateway/observability';
import type { StoredObjects } from '@gateway/postgres';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { EDGE_CONFIG, type EdgeConfig, LOGGER, STORED_OBJECTS } from '../tokens.js';

const INTERVAL_MS = 15_000;

/**
 * The accounts that keep as much as they may. Every response of `/v1/responses` is stored unless its client says otherwise,
 * so a query for each would delay them all. An account may exceed its limit until the next round.
 */
@Injectable()
export class FullAccounts implements OnModuleInit, OnApplicationShutdown {
  readonly #loop: Loop;
  #full: ReadonlySet<string> = new Set();

  constructor(
    @Inject(STORED_OBJECTS) objects: Pick<StoredObjects, 'fullAccounts'>,
    @Inject(EDGE_CONFIG) { storageLimits }: Pick<EdgeConfig, 'storageLimits'>,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: INTERVAL_MS,
      run: async () => {
        this.#full = await objects.fullAccounts({
          most: storageLimits.bytes,
          mostWithoutCredit: MAX_BYTES_WITHOUT_CREDIT,
        });
      },
      onError: (error) => logger.warn({ err: error }, 'full accounts not read, will be retried'),
    });
  }

  onModuleInit(): void {
    this.#loop.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.#loop.stop();
  }

  has(accountId: string): boolean {
    return this.#full.has(accountId);
  }
}
