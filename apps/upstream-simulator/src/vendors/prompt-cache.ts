const MAX_PREFIXES = 10_000;

/** Cached prompt prefixes. */
export class PromptCache {
  readonly #endsAtMs = new Map<string, number>();

  has(key: string): boolean {
    return (this.#endsAtMs.get(key) ?? 0) > Date.now();
  }

  /** Keeps a prefix for `lifeMs` from now on. */
  touch(key: string, lifeMs: number): void {
    this.#endsAtMs.delete(key);
    this.#endsAtMs.set(key, Date.now() + lifeMs);
    if (this.#endsAtMs.size > MAX_PREFIXES) {
      const [oldest] = this.#endsAtMs.keys();
      this.#endsAtMs.delete(oldest ?? key);
    }
  }
}
