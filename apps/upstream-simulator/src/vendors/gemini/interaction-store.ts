const MAX_STORED = 10_000;

interface StoredInteraction {
  readonly credential: string | undefined;
  /** Tokens of all turns so far: they are part of the next prompt. */
  readonly historyTokens: number;
}

/** Interactions that the vendor keeps: a later one can go on with them, with the same credential. */
export class InteractionStore {
  readonly #stored = new Map<string, StoredInteraction>();

  keep(id: string, interaction: StoredInteraction): void {
    this.#stored.set(id, interaction);
    if (this.#stored.size > MAX_STORED) {
      const [oldest] = this.#stored.keys();
      this.#stored.delete(oldest ?? id);
    }
  }

  /** Undefined for what this credential has not. */
  find(id: string, credential: string | undefined): StoredInteraction | undefined {
    const stored = this.#stored.get(id);
    return stored?.credential === credential ? stored : undefined;
  }
}
