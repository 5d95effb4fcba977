const MAX_STORED = 10_000;

interface StoredInteraction {
  readonly credential: string | undefined;
  /** Tokens of all turns so far; part of the next prompt. */
  readonly historyTokens: number;
}

/** Stored interactions, which a later call of the same credential can continue. */
export class InteractionStore {
  readonly #stored = new Map<string, StoredInteraction>();

  keep(id: string, interaction: StoredInteraction): void {
    this.#stored.set(id, interaction);
    if (this.#stored.size > MAX_STORED) {
      const [oldest] = this.#stored.keys();
      this.#stored.delete(oldest ?? id);
    }
  }

  /** Undefined for another credential. */
  find(id: string, credential: string | undefined): StoredInteraction | undefined {
    const stored = this.#stored.get(id);
    return stored?.credential === credential ? stored : undefined;
  }
}
