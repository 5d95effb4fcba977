import { type Logger, Loop } from '@gateway/observability';
import type { KeyCache } from './key-cache.js';

const RETRY_MS = 500;
/** Without a key to remove: a failed removal ends the pause. */
const MAX_INTERVAL_MS = 30_000;

/**
 * Removes changed keys from the cache of every edge. The change is committed by then and must not fail, so this retries
 * while Redis is down. No edge admits requests without Redis.
 */
export class KeyCacheInvalidator {
  readonly #pending = new Set<string>();
  readonly #loop: Loop;

  constructor(
    private readonly keyCache: KeyCache,
    private readonly logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: RETRY_MS,
      maxIntervalMs: MAX_INTERVAL_MS,
      run: () => this.#retry(),
      onError: (error) =>
        this.logger.warn({ err: error, keys: this.#pending.size }, 'key invalidation failed: retrying'),
    });
  }

  /** Nest calls it when the app has started. */
  onApplicationBootstrap(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Call it before the change. Best effort: `invalidate` follows, unless this process dies. */
  async fence(keySha256: readonly string[]): Promise<void> {
    await this.keyCache.fence(keySha256).catch((error: unknown) => {
      this.logger.warn({ err: error, keys: keySha256.length }, 'key fence failed');
    });
  }

  /** Call it after the change. */
  async invalidate(keySha256: readonly string[]): Promise<void> {
    try {
      await this.keyCache.invalidate(keySha256);
    } catch (error) {
      for (const sha256 of keySha256) this.#pending.add(sha256);
      this.#loop.kick();
      this.logger.warn({ err: error, keys: keySha256.length }, 'key invalidation deferred');
    }
  }

  async #retry(): Promise<void> {
    const keys = [...this.#pending];
    if (keys.length === 0) return this.#loop.backOff();
    await this.keyCache.invalidate(keys);
    for (const sha256 of keys) this.#pending.delete(sha256);
  }
}
