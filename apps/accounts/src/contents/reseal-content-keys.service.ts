import type { AccountsConfig } from '@gateway/config';
import { type Logger, Loop } from '@gateway/observability';
import { type Database, resealContentKeys, secretSeal } from '@gateway/postgres';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ACCOUNTS_CONFIG, DATABASE, LOGGER } from '../tokens.js';

/** During a rollout an old edge may still seal the key of an account with the previous key. */
const EVERY_MS = 60_000;

/** Seals the keys of accounts with the current key of `CONTENT_KEYS`, so that an operator can remove the older ones. */
@Injectable()
export class ResealContentKeys implements OnApplicationBootstrap {
  readonly #loop: Loop;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ACCOUNTS_CONFIG) private readonly config: Pick<AccountsConfig, 'contentKeys'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: EVERY_MS,
      run: () => this.#round(),
      onError: (error) => this.logger.warn({ err: error }, 'resealing of content keys failed'),
    });
  }

  onApplicationBootstrap(): void {
    if (this.config.contentKeys.length > 0) this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #round(): Promise<void> {
    const { resealed, broken } = await resealContentKeys(this.database, secretSeal(this.config.contentKeys));
    if (resealed > 0) this.logger.info({ resealed }, 'content keys resealed with the current key');
    if (broken > 0) this.logger.error({ broken }, 'content keys unreadable: their key is not in CONTENT_KEYS');
  }
}
