import type { AccountsConfig } from '@gateway/config';
import { type Logger, Loop } from '@gateway/observability';
import { type Database, resealSecrets, type SecretSeal, secretSeal } from '@gateway/postgres';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ACCOUNTS_CONFIG, DATABASE, LOGGER } from '../tokens.js';

/** During a rollout an old process may still seal a secret with the previous key. */
const EVERY_MS = 60_000;

/** Seals secrets of older keys with the current key of `WEBHOOK_SECRET_KEYS`, so that an operator can remove the older ones. */
@Injectable()
export class ResealSecrets implements OnApplicationBootstrap {
  readonly #loop: Loop;
  readonly #seal: SecretSeal;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ACCOUNTS_CONFIG) config: Pick<AccountsConfig, 'webhookSecretKeys'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#seal = secretSeal(config.webhookSecretKeys);
    this.#loop = new Loop({
      intervalMs: EVERY_MS,
      run: () => this.#round(),
      onError: (error) => this.logger.warn({ err: error }, 'resealing of webhook secrets failed'),
    });
  }

  onApplicationBootstrap(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #round(): Promise<void> {
    const { resealed, broken } = await resealSecrets(this.database, this.#seal);
    if (resealed > 0) this.logger.info({ resealed }, 'webhook secrets resealed with the current key');
    if (broken > 0)
      this.logger.error({ broken }, 'webhook secrets unreadable: their key is not in WEBHOOK_SECRET_KEYS');
  }
}
