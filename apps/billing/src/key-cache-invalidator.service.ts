import { type Logger, Loop } from '@gateway/observability';
import type { KeyCache } from '@gateway/redis';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { KEY_CACHE, LOGGER } from './tokens.js';

const RETRY_MS = 500;

/**
 * Makes every edge forget keys that have changed. The change is committed by then and cannot fail any more, so a Redis
 * that is away is told later; until it is back no request is admitted anyway.
 */
@Injectable()
export class KeyCacheInvalidator implements OnApplicationBootstrap {
  readonly #left = new Set<string>();
  readonly #loop: Loop;

  constructor(
    @Inject(KEY_CACHE) private readonly keyCache: KeyCache,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: RETRY_MS,
      run: () => this.#retry(),
      onError: (error) => this.logger.warn({ err: error, keys: this.#left.size }, 'cannot invalidate keys yet'),
    });
  }

  onApplicationBootstrap(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async invalidate(keySha256: readonly string[]): Promise<void> {
    try {
      await this.keyCache.invalidate(keySha256);
    } catch (error) {
      for (const sha256 of keySha256) this.#left.add(sha256);
      this.logger.warn({ err: error, keys: keySha256.length }, 'keys are invalidated later');
    }
  }

  async #retry(): Promise<void> {
    const keys = [...this.#left];
    if (keys.length === 0) return;
    await this.keyCache.invalidate(keys);
    for (const sha256 of keys) this.#left.delete(sha256);
  }
}
