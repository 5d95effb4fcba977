const MAX_PREFIXES = 10_000;

/** Cached prompt prefixes. */
export class PromptCache {
  readonly #endsAtMs = new Map<string, number>();

  /** True for a cached prefix. Renews it for `lifeMs` either way. */
  touch(key: string, lifeMs: number): boolean {
    const nowMs = Date.now();
    const isHeld = (this.#endsAtMs.get(key) ?? 0) > nowMs;
    this.#endsAtMs.delete(key);
    this.#endsAtMs.set(key, nowMs + lifeMs);
    if (this.#endsAtMs.size > MAX_PREFIXES) {
      const [oldest] = this.#endsAtMs.keys();
      this.#endsAtMs.delete(oldest ?? key);
    }
    return isHeld;
  }
}
