const MAX_PREFIXES = 10_000;

/** Prefixes of prompts that a vendor holds, by what makes them the same to it. */
export class PromptCache {
  readonly #endsAtMs = new Map<string, number>();

  /** True if the prefix is held already; either way it is held from now on for `lifeMs`. */
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
